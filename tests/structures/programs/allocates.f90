! SPDX-License-Identifier: GPL-2.0 OR MIT
! Allocation by Fortran, and by a subroutine for its callers. A block must be named after the line that
! is marked with its name.
program allocates
  implicit none
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: i
  allocate (a(4000)) ! direct
  call alloc_for(b, 4000) ! one
  call alloc_for(c, 4000) ! two
  !$omp parallel do
  do i = 1, 4000
    a(i) = i
    b(i) = i
    c(i) = i
  end do
  print *, a(1) + b(2) + c(3)
contains
  subroutine alloc_for(array, count)
    real(8), allocatable, intent(inout) :: array(:)
    integer, intent(in) :: count
    allocate (array(count))
    array(1) = count
  end subroutine
end program
