! SPDX-License-Identifier: GPL-2.0 OR MIT
! A program of OpenMP in Fortran.
program team
	use omp_lib
	implicit none
	integer :: i, by_critical, by_lock, by_nest
	integer, allocatable :: values(:)
	integer(omp_lock_kind) :: lock
	integer(omp_nest_lock_kind) :: nest

	allocate (values(1000))
	call omp_init_lock(lock)
	call omp_init_nest_lock(nest)
	! Each lock guards a counter of its own: critical sections and locks do not exclude each other.
	by_critical = 0
	by_lock = 0
	by_nest = 0
	!$omp parallel do num_threads(3) schedule(dynamic, 10)
	do i = 1, 1000
		values(i) = i
	end do
	!$omp end parallel do
	!$omp parallel num_threads(3)
	!$omp barrier
	!$omp critical
	by_critical = by_critical + 1
	!$omp end critical
	call omp_set_lock(lock)
	by_lock = by_lock + 1
	call omp_unset_lock(lock)
	call omp_set_nest_lock(nest)
	call omp_set_nest_lock(nest)
	by_nest = by_nest + 1
	call omp_unset_nest_lock(nest)
	call omp_unset_nest_lock(nest)
	!$omp end parallel
	print '(i0, 1x, i0)', sum(values), by_critical + by_lock + by_nest
	deallocate (values)
end program
