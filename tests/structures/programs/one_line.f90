! SPDX-License-Identifier: GPL-2.0 OR MIT
! Two arrays in one statement: gfortran gives both calls the same line and column.
program one_line
	implicit none
	integer, parameter :: n = 20000
	real(8), allocatable :: u(:), v(:)
	integer :: i
	allocate(u(n), v(2 * n))
	do i = 1, n
		u(i) = i
		v(2 * i) = u(i)
	end do
	print *, sum(v)
end program
