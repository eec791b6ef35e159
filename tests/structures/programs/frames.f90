! SPDX-License-Identifier: GPL-2.0 OR MIT
! A program whose data is on its stacks, in Fortran with OpenMP: an array of a procedure, which all
! threads write. Lines: NAME ADDRESS.
module solver
	implicit none
contains
	subroutine solve(n)
		integer, intent(in) :: n
		real(8) :: a(40,0:130)
		integer :: i, j

		!$omp parallel do private(i) schedule(static)
		do j = 0, 130
			do i = 1, 40
				a(i,j) = i + j + n
			end do
		end do
		!$omp end parallel do
		print '(a,z0)', 'solver::solve::a(17,130) 0x', loc(a(17,130))
		print '(a,z0)', 'solver::solve::a(1,0) 0x', loc(a(1,0))
	end subroutine
end module

program main
	use solver
	implicit none

	call solve(4)
end program
