! SPDX-License-Identifier: GPL-2.0 OR MIT
! OpenMP in Fortran with known accesses, for the suite of `smile run`: columns of a matrix are pages, and
! each of four threads has two of them. Prints in the format of known.h.
program matrix
  use iso_c_binding
  implicit none
  integer, parameter :: threads = 4, columns = 8, rows = 512
  real(8), allocatable, target, volatile :: a(:, :)
  ! The sum is of integers: an addition of real numbers is repeated until no other thread interferes.
  integer(8) :: total
  integer(c_int64_t) :: first
  integer :: i, j, start

  allocate (a(rows, columns + 1))
  ! Place the first element at the start of a page.
  first = transfer(c_loc(a(1, 1)), first)
  start = int(modulo(4096_c_int64_t - modulo(first, 4096_c_int64_t), 4096_c_int64_t) / 8)
  total = 0
  !$omp parallel do schedule(static) num_threads(threads)
  do j = 1, columns
    call column(j)
  end do
  !$omp end parallel do
  !$omp parallel do schedule(static) num_threads(threads) private(i) reduction(+:total)
  do j = 1, columns
    do i = 1, 100
      total = total + int(element(i, modulo(j + 1, columns) + 1), 8)
    end do
  end do
  !$omp end parallel do
  if (total /= 8 * 5050) stop 1
  do j = 1, columns
    first = transfer(c_loc(a(1, 1)), first) + 8 * start + 4096 * (j - 1)
    print '(a, i0, a, i0, a, i0, a)', 'known ', first / 4096, ' ', (j - 1) / 2, ' ', 0, &
      ' 512 0'
    print '(a, i0, a, i0, a, i0, a)', 'known ', first / 4096, ' ', &
      modulo((j - 1) / 2 + 3, 4), ' ', 100, ' 0 0'
  end do
contains
  subroutine column(j)
    integer, intent(in) :: j
    integer :: i, k

    do i = 1, rows
      k = start + (j - 1) * rows + i
      a(modulo(k - 1, rows) + 1, (k - 1) / rows + 1) = i
    end do
  end subroutine column

  real(8) function element(i, j)
    integer, intent(in) :: i, j
    integer :: k

    k = start + (j - 1) * rows + i
    element = a(modulo(k - 1, rows) + 1, (k - 1) / rows + 1)
  end function element
end program matrix
