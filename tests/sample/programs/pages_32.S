/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A static program of 32 bits: it writes 512 pages twice by faults, and ends with status 7.
 * It waits for a line after the first and after the second time. Before it waits, it prints "ready"
 * and "touched". May use: system calls of i386.
 */
	.globl _start
_start:
	call touch
	mov $ready, %ecx
	mov $6, %edx
	call print_and_wait
	mov $219, %eax /* madvise, MADV_DONTNEED */
	mov $pages, %ebx
	mov $2097152, %ecx
	mov $4, %edx
	int $0x80
	call touch
	mov $touched, %ecx
	mov $8, %edx
	call print_and_wait
	mov $1, %eax
	mov $7, %ebx
	int $0x80

touch:
	mov $pages, %ebx
	mov $512, %ecx
1:	movl $1, (%ebx)
	add $4096, %ebx
	loop 1b
	ret

print_and_wait:
	mov $4, %eax
	mov $1, %ebx
	int $0x80
	mov $3, %eax
	mov $0, %ebx
	mov $line, %ecx
	mov $64, %edx
	int $0x80
	ret

	.section .rodata
ready:	.ascii "ready\n"
touched: .ascii "touched\n"
	.bss
	.balign 4096
pages:	.space 2097152
line:	.space 64
	.section .note.GNU-stack, "", @progbits
