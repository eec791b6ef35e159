/* SPDX-License-Identifier: MIT */
/*
 * PCI: finds the cards in this machine.
 *
 * What lives here: the only code that uses libpci. source_pci.c opens one of the cards.
 */
#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <pci/pci.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hw/smile_regs.h>

#include "lib/base/copy_out.h"
#include "lib/base/error.h"

#define SYSFS_DEVICE "/sys/bus/pci/devices/%s/%s"

/*
 * After an error, libpci calls its error handler. If the handler returned, libpci would end the
 * process. For this reason, the handler jumps out by longjmp().
 */
static _Thread_local jmp_buf pci_failed;

static __attribute__((noreturn)) void pci_fail(char *format, ...)
{
	(void)format;
	longjmp(pci_failed, 1);
}

static void pci_quiet(char *format, ...)
{
	(void)format;
}

static void find_driver(struct Monitor_card *card)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t length;

	snprintf(path, sizeof(path), SYSFS_DEVICE, card->address, "driver");
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return;
	target[length] = '\0';
	snprintf(card->driver, sizeof(card->driver), "%.63s", basename(target));
}

/*
 * Find the device file of a card. In sysfs, the driver's class directory below the PCI device has
 * one entry, whose name is that of the device file.
 */
static void find_device(struct Monitor_card *card)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), SYSFS_DEVICE, card->address, "smile_monitor");
	directory = opendir(path);
	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			snprintf(card->device, sizeof(card->device), "/dev/%.50s", entry->d_name);
	}
	closedir(directory);
}

static int is_card(struct pci_dev *device)
{
	pci_fill_info(device, PCI_FILL_IDENT);
	return device->vendor_id == SMILE_PCI_VENDOR && device->device_id == SMILE_PCI_DEVICE &&
	       pci_read_word(device, PCI_SUBSYSTEM_VENDOR_ID) == SMILE_PCI_SUBVENDOR &&
	       pci_read_word(device, PCI_SUBSYSTEM_ID) == SMILE_PCI_SUBDEVICE;
}

static int by_address(const void *left, const void *right)
{
	return strcmp(((const struct Monitor_card *)left)->address,
		      ((const struct Monitor_card *)right)->address);
}

int Monitor_card_list(struct Monitor_card *cards, size_t capacity)
{
	struct pci_access *volatile access = NULL;
	struct Monitor_card *volatile all = NULL;
	volatile size_t found = 0;
	struct Monitor_card *larger, *card;
	struct pci_dev *device;

	if (setjmp(pci_failed)) {
		if (access)
			pci_cleanup(access);
		free(all);
		return smile_error(ENOSYS, "this machine has no PCI bus: without a card, "
					   "smile replay and \"emu:\" still work");
	}
	access = pci_alloc();
	access->error = pci_fail;
	access->warning = pci_quiet;
	pci_init(access);
	pci_scan_bus(access);
	for (device = access->devices; device; device = device->next) {
		if (!is_card(device))
			continue;
		larger = realloc(all, (found + 1) * sizeof(*all));
		if (!larger) {
			pci_cleanup(access);
			free(all);
			return smile_error(ENOMEM, "no memory for a list of %zu cards", found + 1);
		}
		all = larger;
		card = &larger[found];
		memset(card, 0, sizeof(*card));
		snprintf(card->address, sizeof(card->address), "%04x:%02x:%02x.%d",
			 (unsigned int)device->domain, device->bus, device->dev, device->func);
		find_driver(card);
		find_device(card);
		found = found + 1;
	}
	pci_cleanup(access);
	if (found)
		qsort(all, found, sizeof(*all), by_address);
	smile_copy(cards, capacity, all, found, sizeof(*cards));
	free(all);
	return (int)found;
}
