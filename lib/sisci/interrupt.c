/* SPDX-License-Identifier: MIT */
/*
 * Interrupts: creates interrupts of this node, and connects to interrupts of other nodes.
 * Interrupts can have data.
 */
#include <sys/ioctl.h>

#include "lib/sisci/sisci.h"

/* The longest time for which a trigger waits until the other node can accept it. */
#define TRIGGER_MS 1000

/* ---- of this node ---- */

static struct interrupt *create(struct sci_desc *sd, enum kind kind, unsigned int adapter,
				unsigned int *number, unsigned int flags, sci_error_t *error)
{
	struct smile_adapter_interrupt make = {0};
	struct interrupt *made;

	if (!number) {
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
		return NULL;
	}
	if (!sisci_flags(flags,
			 SCI_FLAG_USE_CALLBACK | SCI_FLAG_FIXED_INTNO | SCI_FLAG_SHARED_INT |
				 SCI_FLAG_COUNTING_INT,
			 0, error) ||
	    !sisci_adapter(sd, adapter, error))
		return NULL;
	if (flags & SCI_FLAG_FIXED_INTNO) {
		make.flags |= SMILE_ADAPTER_INTERRUPT_FIXED;
		make.number = *number;
	}
	if (kind == KIND_DATA_INTERRUPT)
		make.flags |= SMILE_ADAPTER_INTERRUPT_DATA;
	made = sisci_new(sizeof(*made), kind, sd, error);
	if (!made)
		return NULL;
	if (ioctl(sd->file, SMILE_ADAPTER_INTERRUPT_CREATE, &make)) {
		sisci_fail(error, errno == EEXIST ? SCI_ERR_INTNO_USED
						  : sisci_error(errno, SCI_ERR_SYSTEM));
		free(made);
		return NULL;
	}
	made->number = make.number;
	made->counting = flags & SCI_FLAG_COUNTING_INT;
	sisci_add(made, make.handle);
	*number = make.number;
	return made;
}

void sisci_interrupt_end(struct interrupt *interrupt)
{
	struct smile_adapter_handle handle = {.handle = interrupt->object.handle};
	bool line = interrupt->object.kind == KIND_LINE || interrupt->object.kind == KIND_DATA_LINE;

	ioctl(interrupt->object.sd->file,
	      line ? SMILE_ADAPTER_INTERRUPT_RELEASE : SMILE_ADAPTER_INTERRUPT_REMOVE, &handle);
	sisci_remove(interrupt);
}

bool sisci_data_take(const struct interrupt *interrupt, struct smile_adapter_data *data)
{
	*data = (struct smile_adapter_data){.handle = interrupt->object.handle};
	return !ioctl(interrupt->object.sd->file, SMILE_ADAPTER_DATA, data);
}

/*
 * Take a trigger that has arrived. The caller must have the lock. Return: false if there is no
 * trigger.
 */
static bool take(struct interrupt *interrupt, struct smile_adapter_data *data)
{
	if (interrupt->object.kind == KIND_DATA_INTERRUPT)
		return sisci_data_take(interrupt, data);
	if (!interrupt->pending)
		return false;
	interrupt->pending--;
	return true;
}

/* Wait for a trigger, and take it. The caller must have the lock. */
static sci_error_t wait_for(struct interrupt *interrupt, unsigned int timeout,
			    struct smile_adapter_data *data)
{
	struct timespec deadline = sisci_deadline(timeout);
	bool late = false;

	for (;;) {
		if (interrupt->object.gone)
			return SCI_ERR_CANCELLED;
		if (interrupt->callback || interrupt->data_callback)
			return SCI_ERR_ILLEGAL_OPERATION;
		if (take(interrupt, data))
			return SCI_ERR_OK;
		if (late)
			return SCI_ERR_TIMEOUT;
		if (sisci_dispatches(interrupt->object.sd))
			return SCI_ERR_ILLEGAL_OPERATION;
		late = !sisci_wait(&interrupt->object, timeout, &deadline);
	}
}

static void wait_one(void *handle, enum kind kind, void *to, unsigned int *length,
		     unsigned int timeout, unsigned int flags, sci_error_t *error)
{
	struct interrupt *used = sisci_use(handle, kind, flags, 0, error);
	struct smile_adapter_data data;
	sci_error_t why;

	if (!used)
		return;
	sisci_enter();
	why = wait_for(used, timeout, &data);
	sisci_leave();
	if (why == SCI_ERR_OK && length) {
		if (data.bytes > *length)
			why = SCI_ERR_OVERFLOW;
		else
			memcpy(to, data.data, data.bytes);
		*length = data.bytes;
	}
	sisci_fail(error, why);
	sisci_put(used);
}

/*
 * Implement the functions of the API that create an interrupt. The interrupt is stored in @variable
 * before its callback can be called.
 */
static void create_one(sci_desc_t sd, enum kind kind, unsigned int adapter, unsigned int *number,
		       const struct interrupt *callback, unsigned int flags, void *variable,
		       sci_error_t *error)
{
	struct sci_desc *session = sisci_get(sd, KIND_SESSION, error);
	struct interrupt *made;

	if (!session)
		return;
	sisci_enter();
	made = create(session, kind, adapter, number, flags, error);
	if (made && flags & SCI_FLAG_USE_CALLBACK) {
		made->callback = callback->callback;
		made->data_callback = callback->data_callback;
		made->arg = callback->arg;
	}
	memcpy(variable, &made, sizeof(made));
	sisci_leave();
	sisci_put(session);
}

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt,
			unsigned int localAdapterNo, unsigned int *number,
			sci_cb_interrupt_t callback, void *arg, unsigned int flags,
			sci_error_t *error)
{
	if (SISCI_OUT(interrupt, error))
		create_one(sd, KIND_INTERRUPT, localAdapterNo, number,
			   &(struct interrupt){.callback = callback, .arg = arg}, flags, interrupt,
			   error);
}

void SCICreateDataInterrupt(sci_desc_t sd, sci_local_data_interrupt_t *interrupt,
			    unsigned int localAdapterNo, unsigned int *number,
			    sci_cb_data_interrupt_t callback, void *arg, unsigned int flags,
			    sci_error_t *error)
{
	if (SISCI_OUT(interrupt, error))
		create_one(sd, KIND_DATA_INTERRUPT, localAdapterNo, number,
			   &(struct interrupt){.data_callback = callback, .arg = arg}, flags,
			   interrupt, error);
}

void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
	sisci_end(interrupt, KIND_INTERRUPT, flags, 0, error);
}

void SCIRemoveDataInterrupt(sci_local_data_interrupt_t interrupt, unsigned int flags,
			    sci_error_t *error)
{
	sisci_end(interrupt, KIND_DATA_INTERRUPT, flags, 0, error);
}

void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned int timeout, unsigned int flags,
			 sci_error_t *error)
{
	wait_one(interrupt, KIND_INTERRUPT, NULL, NULL, timeout, flags, error);
}

void SCIWaitForDataInterrupt(sci_local_data_interrupt_t interrupt, void *data, unsigned int *length,
			     unsigned int timeout, unsigned int flags, sci_error_t *error)
{
	if (!data || !length)
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	else
		wait_one(interrupt, KIND_DATA_INTERRUPT, data, length, timeout, flags, error);
}

/* ---- of other nodes ---- */

static struct interrupt *connect_one(sci_desc_t sd, enum kind kind, unsigned int nodeId,
				     unsigned int adapter, unsigned int number, unsigned int flags,
				     sci_error_t *error)
{
	struct smile_adapter_interrupt_connect connect = {.number = number};
	struct sci_desc *session = sisci_get(sd, KIND_SESSION, error);
	struct interrupt *made = NULL;

	if (!session)
		return NULL;
	if (sisci_flags(flags, 0, 0, error) && sisci_adapter(session, adapter, error) &&
	    sisci_node(session, nodeId, &connect.node, error))
		made = sisci_new(sizeof(*made), kind, session, error);
	if (made) {
		made->node = connect.node;
		made->number = number;
		if (kind == KIND_DATA_LINE)
			connect.flags = SMILE_ADAPTER_INTERRUPT_DATA;
		/* The ioctl waits for the other node, so call it without the lock. */
		if (!ioctl(session->file, SMILE_ADAPTER_INTERRUPT_CONNECT, &connect)) {
			sisci_enter();
			sisci_add(made, connect.handle);
			sisci_leave();
		} else {
			sisci_fail(error, sisci_error(errno, SCI_ERR_NO_SUCH_INTNO));
			free(made);
			made = NULL;
		}
	}
	sisci_put(session);
	return made;
}

void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int nodeId,
			 unsigned int localAdapterNo, unsigned int number, unsigned int timeout,
			 unsigned int flags, sci_error_t *error)
{
	(void)timeout;
	if (SISCI_OUT(interrupt, error))
		*interrupt = (sci_remote_interrupt_t)connect_one(
			sd, KIND_LINE, nodeId, localAdapterNo, number, flags, error);
}

void SCIConnectDataInterrupt(sci_desc_t sd, sci_remote_data_interrupt_t *interrupt,
			     unsigned int nodeId, unsigned int localAdapterNo, unsigned int number,
			     unsigned int timeout, unsigned int flags, sci_error_t *error)
{
	(void)timeout;
	if (SISCI_OUT(interrupt, error))
		*interrupt = (sci_remote_data_interrupt_t)connect_one(
			sd, KIND_DATA_LINE, nodeId, localAdapterNo, number, flags, error);
}

void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags,
			    sci_error_t *error)
{
	sisci_end(interrupt, KIND_LINE, flags, 0, error);
}

void SCIDisconnectDataInterrupt(sci_remote_data_interrupt_t interrupt, unsigned int flags,
				sci_error_t *error)
{
	sisci_end(interrupt, KIND_DATA_LINE, flags, 0, error);
}

static void trigger(void *handle, enum kind kind, const void *data, unsigned int bytes,
		    unsigned int flags, sci_error_t *error)
{
	struct interrupt *used = sisci_use(handle, kind, flags, 0, error);
	struct smile_adapter_trigger trigger = {.bytes = bytes};
	const struct timespec nap = {.tv_nsec = 1000000};
	int ret = 0, tries;

	if (!used)
		return;
	trigger.handle = used->object.handle;
	if (bytes)
		memcpy(trigger.data, data, bytes);
	for (tries = 0; tries < TRIGGER_MS; tries++) {
		ret = ioctl(used->object.sd->file, SMILE_ADAPTER_TRIGGER, &trigger) ? errno : 0;
		if (ret != EAGAIN)
			break;
		nanosleep(&nap, NULL);
	}
	if (ret)
		sisci_fail(error, sisci_error(ret, SCI_ERR_NO_SUCH_INTNO));
	sisci_put(used);
}

void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
	trigger(interrupt, KIND_LINE, NULL, 0, flags, error);
}

void SCITriggerDataInterrupt(sci_remote_data_interrupt_t interrupt, void *data, unsigned int length,
			     unsigned int flags, sci_error_t *error)
{
	if (length > SMILE_ADAPTER_DATA_BYTES || (length && !data))
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	else
		trigger(interrupt, KIND_DATA_LINE, data, length, flags, error);
}
