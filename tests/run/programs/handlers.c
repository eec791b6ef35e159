/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose signal handlers need an aligned stack, for the tests of `smile run`. Each line of
 * the output is 1 if the program behaves as without QEMU.
 */
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK 65536
#define FRAMES 64

/* struct sigaction in the form that the kernel uses. */
struct action {
	void (*handler)(int number);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static volatile int aligned, callers;
static sigjmp_buf back;

/* The compiler stores the vector by an instruction that needs an aligned stack. */
static __attribute__((noinline)) void aligns(int number)
{
	typedef int vector __attribute__((vector_size(16)));
	volatile vector on_stack = {number, number, number, number};

	aligned += ((uintptr_t)__builtin_frame_address(0) & 15) == 0 && on_stack[3] == number;
}

static void informs(int number, siginfo_t *info, void *context)
{
	aligns(number);
	aligned += info->si_signo == number && info->si_code == SI_TKILL && context != NULL;
}

static void jumps(int number)
{
	aligns(number);
	siglongjmp(back, 1);
}

static void traces(int number)
{
	void *frames[FRAMES];

	(void)number;
	callers = backtrace(frames, FRAMES);
}

static void print(int right)
{
	printf("%d\n", right);
	fflush(stdout);
}

static void run_handlers(void)
{
	static char stack[STACK];
	struct sigaction action = {.sa_handler = aligns}, before;
	stack_t other = {.ss_sp = stack, .ss_size = STACK};
	struct action direct = {0};

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	print(aligned == 1);

	action.sa_sigaction = informs;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, &before);
	raise(SIGUSR1);
	print(aligned == 3 && before.sa_handler == aligns);

	/* The program must get its own handlers, even by the system call and after an error. */
	print(sigaction(SIGKILL, &action, NULL) < 0);
	syscall(SYS_rt_sigaction, SIGUSR1, NULL, &direct, 8);
	print((void *)direct.handler == (void *)informs);
	syscall(SYS_rt_sigaction, SIGUSR2, &direct, NULL, 8);
	print((void *)direct.handler == (void *)informs);
	print(signal(SIGUSR2, aligns) == (void (*)(int))(void *)informs);
	print(signal(SIGUSR2, SIG_IGN) == aligns);
	print(signal(SIGUSR2, traces) == SIG_IGN);

	/* The stack frames are: the handler, the signal, and the functions up to main(). */
	raise(SIGUSR2);
	print(callers >= 5);

	signal(SIGUSR2, jumps);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR2);
	print(aligned == 4);
}

static void ends(void *opaque)
{
	*(int *)opaque = 1;
}

static void *waits(void *opaque)
{
	pthread_cleanup_push(ends, opaque);
	pause();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *computes(void *opaque)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_cleanup_push(ends, opaque);
	for (volatile int i = 0;; i++)
		;
	pthread_cleanup_pop(0);
	return NULL;
}

static void run_cancel(void *(*function)(void *))
{
	int ended = 0;
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, function, &ended);
	usleep(20000);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	print(ended && result == PTHREAD_CANCELED);
}

int main(void)
{
	run_handlers();
	run_cancel(waits);
	run_cancel(computes);
	return 0;
}
