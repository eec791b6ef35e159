/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cards, open files, mappings and records for the driver's tests.
 *
 * What lives here: see driver_fixture.h; the traffic is in driver_traffic.c.
 */
#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <base/field.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_traffic.h"

#define PCI_DEVICES "/sys/bus/pci/devices"
#define DRIVER "/sys/bus/pci/drivers/smile_monitor"
#define TRACING "/sys/kernel/tracing"
#define FILES_MAX 64
#define MAPPINGS_MAX 64

static int files[FILES_MAX];
static int file_count;
static struct {
	void *memory;
	size_t bytes;
} mappings[MAPPINGS_MAX];
static int mapping_count;

void driver_assert_errno(long result, int error, const char *call, const char *file, int line)
{
	int found = result == -1 ? errno : 0;

	if (found == error)
		return;
	print_error("%s: %s, expected %s\n", call, strerror(found), strerror(error));
	_fail(file, line);
}

uint64_t driver_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

unsigned int driver_less(unsigned int whole)
{
	const char *text = getenv("DRIVER_LESS");
	unsigned int less = text ? (unsigned int)atoi(text) : 1;

	return less > 1 ? (whole > less ? whole / less : 1) : whole;
}

void driver_sleep_ms(unsigned int ms)
{
	struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	nanosleep(&pause, NULL);
}

static void watch_over(int signal)
{
	static const char words[] = "driver_test: the last test above has not ended in time\n";

	if (write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		_exit(2);
	_exit(1);
}

void driver_watchdog(void)
{
	const char *slow = getenv("DRIVER_SLOW");
	struct itimerspec end = {.it_value.tv_sec = TEST_PATIENCE_S};
	/* The tests themselves use alarm(). */
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU};
	static timer_t timer;
	static bool made;

	if (slow)
		end.it_value.tv_sec *= atoi(slow);
	if (!made) {
		signal(SIGXCPU, watch_over);
		assert_errno(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
		made = true;
	}
	assert_errno(timer_settime(timer, 0, &end, NULL), 0);
}

/* ---- cards and files ---- */

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, size - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

static int is_card(const struct dirent *entry)
{
	char path[512], device[32], subsystem[32];

	snprintf(path, sizeof(path), PCI_DEVICES "/%s/device", entry->d_name);
	if (!read_text(path, device, sizeof(device)) || strcmp(device, "0x9060\n"))
		return 0;
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/subsystem_device", entry->d_name);
	return read_text(path, subsystem, sizeof(subsystem)) && !strcmp(subsystem, "0x534d\n");
}

void driver_pci(int card, char address[16])
{
	struct dirent **found;
	int count = scandir(PCI_DEVICES, &found, is_card, alphasort), i;

	assert_int_equal(count, CARDS);
	snprintf(address, 16, "%.15s", found[card]->d_name);
	for (i = 0; i < count; i++)
		free(found[i]);
	free(found);
}

/* The directory appears a moment before its contents. */
static bool path_find(int card, char path[64])
{
	char address[16], directory[128];
	const struct dirent *entry;
	DIR *listing;

	driver_pci(card, address);
	snprintf(directory, sizeof(directory), PCI_DEVICES "/%s/smile_monitor", address);
	listing = opendir(directory);
	if (!listing)
		fail_msg("%s: is the driver bound?", directory);
	*path = '\0';
	while ((entry = readdir(listing))) {
		if (*entry->d_name != '.')
			snprintf(path, 64, "/dev/%.50s", entry->d_name);
	}
	closedir(listing);
	return *path != '\0';
}

/* If a card is bound anew while the old file is still open, it has a new number. */
void driver_path(int card, char path[64])
{
	assert_true(path_find(card, path));
}

static void counters_path(const char *device, char path[160])
{
	snprintf(path, 160, "/sys/kernel/debug/smile_monitor/%s/counters",
		 device + strlen("/dev/"));
}

bool driver_probed(int card)
{
	char device[64], path[160];

	if (!path_find(card, device))
		return false;
	counters_path(device, path);
	return !access(path, F_OK);
}

static int open_card(int card, int flags)
{
	char path[64];
	int fd;

	driver_path(card, path);
	/* devtmpfs creates the device file shortly after the card appears. */
	assert_soon((fd = open(path, flags | O_CLOEXEC)) >= 0 || errno != ENOENT);
	return fd;
}

int driver_open(int card, int flags)
{
	int fd = open_card(card, O_RDWR | flags);

	assert_errno(fd, 0);
	driver_keep(fd);
	return fd;
}

int driver_watch(int card)
{
	int fd = open_card(card, O_RDONLY);

	assert_errno(fd, 0);
	driver_keep(fd);
	return fd;
}

void driver_refused(int card, int error)
{
	assert_errno(open_card(card, O_RDWR), error);
}

void driver_keep(int fd)
{
	assert_true(file_count < FILES_MAX);
	files[file_count++] = fd;
}

void driver_close(int fd)
{
	int i;

	for (i = 0; i < file_count; i++) {
		if (files[i] == fd)
			files[i] = files[--file_count];
	}
	assert_errno(close(fd), 0);
}

/* Read the single value in a file of sysfs. */
static void read_value(const char *path, char text[64])
{
	size_t length;

	if (!read_text(path, text, 64))
		fail_msg("cannot read %s", path);
	length = strcspn(text, " \n");
	/* The file must contain one value and nothing else. */
	if (!length || strcmp(text + length, "\n"))
		fail_msg("%s holds '%s'", path, text);
	text[length] = '\0';
}

void driver_attribute_text(int card, const char *name, char text[64])
{
	char device[64], path[160];

	driver_path(card, device);
	snprintf(path, sizeof(path), "/sys/class/smile_monitor/%s/%s", device + strlen("/dev/"),
		 name);
	read_value(path, text);
}

static uint64_t number(const char *name, const char *text)
{
	if (!*text || strspn(text, "0123456789") != strlen(text))
		fail_msg("%s is '%s', no number", name, text);
	return strtoull(text, NULL, 10);
}

uint64_t driver_attribute(int card, const char *name)
{
	char text[64];

	driver_attribute_text(card, name, text);
	return number(name, text);
}

uint64_t driver_counter(int card, const char *name)
{
	char device[64], path[160], line[128], value[64], found[64];
	FILE *file;

	driver_path(card, device);
	counters_path(device, path);
	file = fopen(path, "re");
	if (!file)
		fail_msg("cannot open %s", path);
	*found = '\0';
	while (fgets(line, sizeof(line), file)) {
		char label[64];

		if (sscanf(line, "%63s %63s", label, value) == 2 && !strcmp(label, name))
			snprintf(found, sizeof(found), "%s", value);
	}
	fclose(file);
	return number(name, found);
}

void driver_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	assert_errno(fd, 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

void driver_bind(int card, bool bind)
{
	char address[16];

	driver_pci(card, address);
	driver_write_file(bind ? DRIVER "/bind" : DRIVER "/unbind", address);
}

bool driver_bound(int card)
{
	char address[16], path[128];

	driver_pci(card, address);
	snprintf(path, sizeof(path), DRIVER "/%s", address);
	return !access(path, F_OK);
}

uint16_t driver_pci_command(int card, uint16_t clear, uint16_t set)
{
	char address[16], path[64];
	uint16_t before, command;
	int fd;

	driver_pci(card, address);
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/config", address);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_errno(fd, 0);
	assert_int_equal(pread(fd, &before, sizeof(before), 4), sizeof(before));
	command = (uint16_t)((before & ~clear) | set);
	assert_int_equal(pwrite(fd, &command, sizeof(command), 4), sizeof(command));
	close(fd);
	return before;
}

int driver_suspend(void)
{
	static const char state[] = "freeze";
	int fd, error;

	/*
	 * The test of suspend that the kernel provides: all steps except the last step of the
	 * machine.
	 */
	driver_write_file("/sys/module/suspend/parameters/pm_test_delay", "0");
	driver_write_file("/sys/power/pm_test", "devices");
	fd = open("/sys/power/state", O_WRONLY | O_CLOEXEC);
	assert_errno(fd, 0);
	error = write(fd, state, sizeof(state) - 1) < 0 ? errno : 0;
	close(fd);
	return error;
}

void driver_power(int card, const char *name, const char *text)
{
	char address[16], path[128];

	driver_pci(card, address);
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/power/%s", address, name);
	driver_write_file(path, text);
}

bool driver_asleep(int card)
{
	char address[16], path[128], text[64];

	driver_pci(card, address);
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/power/runtime_status", address);
	read_value(path, text);
	return !strcmp(text, "suspended");
}

struct smile_info driver_info(int fd)
{
	struct smile_info info = {.size = sizeof(info)};

	assert_errno(ioctl(fd, SMILE_IOC_INFO, &info), 0);
	return info;
}

struct smile_statistics driver_statistics(int fd)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};

	assert_errno(ioctl(fd, SMILE_IOC_STATISTICS, &statistics), 0);
	return statistics;
}

short driver_poll(int fd, short events, int timeout_ms)
{
	struct pollfd pollfd = {.fd = fd, .events = events};

	assert_true(poll(&pollfd, 1, timeout_ms) >= 0);
	return pollfd.revents;
}

bool driver_host(void)
{
	const char *ring = getenv("DRIVER_RING");

	return ring && !strcmp(ring, "host");
}

uint32_t driver_mode(void)
{
	return driver_host() ? SMILE_MODE_HOST_RING : 0;
}

struct smile_config driver_config(int fd)
{
	struct smile_config config;

	config = driver_info(fd).config;
	config.mode |= driver_mode();
	return config;
}

void driver_watch_drains(bool watch)
{
	int trace = watch ? open(TRACING "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC) : 0;

	assert_errno(trace, 0);
	if (watch)
		close(trace);
	driver_write_file(TRACING "/events/smile_monitor/smile_drain/enable", watch ? "1" : "0");
}

bool driver_drained(bool records, const char *by)
{
	FILE *trace = fopen(TRACING "/trace", "re");
	bool found = false;
	char line[512];

	assert_non_null(trace);
	while (!found && fgets(line, sizeof(line), trace)) {
		if (*line == '#' || !strstr(line, "smile_drain:") ||
		    (records && strstr(line, " records=0 ")))
			continue;
		found = !by || strstr(line, by);
		if (records)
			break;
	}
	fclose(trace);
	return found;
}

void driver_configure_trace(int fd)
{
	struct smile_config config = driver_config(fd);

	config.entries = 1;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
}

int driver_tracing(int flags)
{
	int fd = driver_open(CARD_DRAIN, flags);

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	return fd;
}

void driver_sum_up(int fd, struct driver_sums *sums)
{
	struct smile_record records[256];
	ssize_t got;
	int ret;

	do {
		ret = ioctl(fd, SMILE_IOC_SWAP);
		if (ret)
			assert_errno(ret, EAGAIN);
		while ((got = read(fd, records, sizeof(records))) > 0) {
			for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
				if (record_kind(&records[i]) == SMILE_KIND_LOST) {
					sums->lost += record_lost(&records[i]);
					sums->marks_lost += record_marks_lost(&records[i]);
				} else if (record_kind(&records[i]) == SMILE_KIND_EVENT) {
					sums->events++;
				} else {
					sums->counts += record_count(&records[i]);
				}
			}
		}
	} while (ret);
}

/* ---- the shared mapping ---- */

void *driver_map(int fd, size_t bytes, int protection, off_t offset)
{
	void *memory = mmap(NULL, bytes, protection, MAP_SHARED, fd, offset);

	assert_errno(memory, 0);
	assert_true(mapping_count < MAPPINGS_MAX);
	mappings[mapping_count].memory = memory;
	mappings[mapping_count++].bytes = bytes;
	return memory;
}

void driver_unmap(void *memory)
{
	int i;

	for (i = 0; i < mapping_count; i++) {
		if (mappings[i].memory != memory)
			continue;
		munmap(memory, mappings[i].bytes);
		mappings[i] = mappings[--mapping_count];
		return;
	}
	fail_msg("was not mapped");
}

struct driver_ring driver_map_ring(int fd)
{
	struct smile_info info = driver_info(fd);
	size_t bytes = info.page_bytes + (size_t)info.ring_records * SMILE_RECORD_BYTES;
	struct driver_ring ring = {.records = info.ring_records, .fd = fd};

	ring.consumer = driver_map(fd, info.page_bytes, PROT_READ | PROT_WRITE, 0);
	ring.producer = driver_map(fd, bytes, PROT_READ, info.page_bytes);
	ring.data = (const struct smile_record *)((const char *)ring.producer + info.page_bytes);
	assert_int_equal(ring.producer->abi, SMILE_ABI_VERSION);
	assert_int_equal(ring.producer->ring_records, info.ring_records);
	return ring;
}

uint64_t driver_ring_head(const struct driver_ring *ring)
{
	return __atomic_load_n(&ring->producer->head, __ATOMIC_ACQUIRE); /* (B) */
}

uint64_t driver_ring_tail(const struct driver_ring *ring)
{
	return __atomic_load_n(&ring->consumer->tail, __ATOMIC_RELAXED);
}

void driver_ring_set_tail(struct driver_ring *ring, uint64_t tail)
{
	__atomic_store_n(&ring->consumer->tail, tail, __ATOMIC_RELEASE); /* (A) */
}

bool driver_ring_take(struct driver_ring *ring, struct smile_record *record)
{
	uint64_t tail = driver_ring_tail(ring);

	if (tail == driver_ring_head(ring))
		return false;
	*record = ring->data[tail % ring->records];
	driver_ring_set_tail(ring, tail + 1);
	return true;
}

/* ---- records ---- */

static uint32_t record_word(const struct smile_record *record, int word)
{
	return le32toh(record->word[word]);
}

uint32_t record_kind(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_KIND, record_word(record, 0));
}

uint32_t record_type(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_TYPE, record_word(record, 0));
}

uint32_t record_cause(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_CAUSE, record_word(record, 0));
}

uint32_t record_count(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_COUNT, record_word(record, 0));
}

uint32_t record_source(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_SOURCE, record_word(record, 1));
}

uint32_t record_destination(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_DESTINATION, record_word(record, 1));
}

uint32_t record_bytes(const struct smile_record *record)
{
	return (SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, record_word(record, 3)) + 1) *
	       SMILE_WORD_BYTES;
}

uint32_t record_index(const struct smile_record *record)
{
	return SMILE_GET(SMILE_RECORD_INDEX, record_word(record, 3));
}

/* Words 2 and 3 of an EVENT, a TIME or a LOST record are one number. */
uint64_t record_clock(const struct smile_record *record)
{
	return record_lost(record);
}

uint32_t record_page(const struct smile_record *record)
{
	uint64_t high = SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, record_word(record, 3));

	return (uint32_t)((high << 32 | record_word(record, 2)) / SMILE_PAGE_BYTES);
}

uint64_t record_lost(const struct smile_record *record)
{
	return (uint64_t)record_word(record, 3) << 32 | record_word(record, 2);
}

uint64_t record_marks_lost(const struct smile_record *record)
{
	return record_word(record, 1);
}

void assert_record_is_packet(const struct smile_record *record, unsigned int page)
{
	assert_int_equal(record_kind(record), SMILE_KIND_DYNAMIC);
	assert_int_equal(record_page(record), page);
	assert_int_equal(record_count(record), 1);
	assert_int_equal(record_type(record), SMILE_TYPE_READ);
	assert_int_equal(record_source(record), TRAFFIC_SOURCE(page));
	assert_int_equal(record_destination(record), TRAFFIC_TARGET);
}

/* ---- others ---- */

static void *sleeper_main(void *argument)
{
	struct driver_sleeper *sleeper = argument;
	struct pollfd pollfd = {.fd = sleeper->fd, .events = POLLIN};

	__atomic_store_n(&sleeper->id, gettid(), __ATOMIC_RELEASE);
	sleeper->result = sleeper->polls
				  ? poll(&pollfd, 1, 2 * PATIENCE_MS)
				  : read(sleeper->fd, &sleeper->record, sizeof(sleeper->record));
	sleeper->error = errno;
	sleeper->revents = pollfd.revents;
	return NULL;
}

void driver_sleeper_start(struct driver_sleeper *sleeper)
{
	long call = sleeper->polls ? SYS_poll : SYS_read;
	pid_t id;

	sleeper->id = 0;
	assert_int_equal(pthread_create(&sleeper->thread, NULL, sleeper_main, sleeper), 0);
	assert_soon((id = __atomic_load_n(&sleeper->id, __ATOMIC_ACQUIRE)) &&
		    driver_sleeps_in(id) == call);
}

bool driver_sleeper_asleep(struct driver_sleeper *sleeper)
{
	driver_sleep_ms(100);
	return pthread_tryjoin_np(sleeper->thread, NULL) == EBUSY;
}

void driver_sleeper_join(struct driver_sleeper *sleeper)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE_MS / 1000;
	assert_int_equal(pthread_timedjoin_np(sleeper->thread, NULL, &end), 0);
}

long driver_sleeps_in(pid_t pid)
{
	char path[64], text[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	return *text >= '0' && *text <= '9' ? strtol(text, NULL, 10) : -1;
}

int driver_run(uid_t user, const char *const argv[], char *output, size_t size)
{
	size_t length = 0;
	int ends[2], status;
	ssize_t got;
	pid_t pid;

	assert_errno(pipe(ends), 0);
	pid = fork();
	assert_errno(pid, 0);
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		if (setgid(user) || setuid(user))
			_exit(125);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ends[1]);
	while (length < size - 1 && (got = read(ends[0], output + length, size - 1 - length)) > 0)
		length += (size_t)got;
	output[length] = '\0';
	close(ends[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int driver_teardown(void **state)
{
	driver_watchdog();
	while (mapping_count)
		driver_unmap(mappings[0].memory);
	while (file_count)
		driver_close(files[0]);
	for (int card = 0; card < CARDS; card++) {
		if (!driver_bound(card))
			driver_bind(card, true);
	}
	traffic_swallow();
	return 0;
}
