! SPDX-License-Identifier: GPL-2.0 OR MIT
! A program of known layout, in Fortran: modules, COMMON, arrays with their own bounds, derived types. See
! layout.c.
module fields
	implicit none
	type point
		real(8) :: x, y
	end type
	real(8) :: a(40, 0:130)
	type(point) :: points(50)
	real(8), allocatable :: work(:)
	character(len=65536) :: text
end module

subroutine keep(n)
	implicit none
	integer :: n
	integer, save :: kept(-5:5)
	kept(-3) = kept(-3) + n
	print '(a,z0)', 'keep::kept(-3) 0x', loc(kept(-3))
end subroutine

program layout
	use fields
	implicit none
	integer :: i, j
	real(8) :: c(100), d
	integer :: e(3)
	common /block/ c, d, e
	allocate (work(2000))
	!$omp parallel do
	do j = 0, 130
		do i = 1, 40
			a(i, j) = i + j
		end do
	end do
	!$omp parallel do
	do i = 1, 2000
		work(i) = i
	end do
	do i = 1, 50
		points(i)%y = i
	end do
	text(40001:40001) = 'x'
	c(7) = 1
	d = 2
	e(2) = 3
	call keep(1)
	print '(a,z0)', 'fields::a(17,130) 0x', loc(a(17, 130))
	print '(a,z0)', 'fields::a(1,0) 0x', loc(a(1, 0))
	print '(a,z0)', 'fields::points(12)%y 0x', loc(points(12)%y)
	print '(a,z0)', 'fields::text+40000 0x', loc(text) + 40000
	print '(a,z0)', '/block/c(7) 0x', loc(c(7))
	print '(a,z0)', '/block/d 0x', loc(d)
	print '(a,z0)', '/block/e(2) 0x', loc(e(2))
	deallocate (work)
end program
