// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls: copying of arguments and results.
 *
 * What lives here: copying from and to user space, and the checks of reserved fields and flags. May
 * use: the files that implement the calls.
 */
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

#include "../minors.h"
#include "smile_adapter.h"

union adapter_arguments {
	struct smile_adapter_info info;
	struct smile_adapter_segment segment;
	struct smile_adapter_attach attach;
	struct smile_adapter_state state;
	struct smile_adapter_handle handle;
	struct smile_adapter_connect connect;
	struct smile_adapter_interrupt interrupt;
	struct smile_adapter_interrupt_connect line;
	struct smile_adapter_trigger trigger;
	struct smile_adapter_data data;
	struct smile_adapter_dma dma;
};

static int ioctl_info(struct adapter *adapter, struct smile_adapter_info *info)
{
	u32 status = adapter_read(adapter, ADAPTER_REG_STATUS);

	memset(info, 0, sizeof(*info));
	if (status == ADAPTER_ABSENT)
		return -ENODEV;
	info->node = adapter->node;
	info->fabric = status & ADAPTER_STATUS_FABRIC ? 1 : 0;
	info->reachable = adapter_read(adapter, ADAPTER_REG_REACHABLE_LOW) |
			  (u64)adapter_read(adapter, ADAPTER_REG_REACHABLE_HIGH) << 32;
	info->window_bytes = (u64)adapter->window_pages * ADAPTER_PAGE_BYTES;
	info->memory_bytes = (u64)adapter->memory_pages * ADAPTER_PAGE_BYTES;
	info->memory_free =
		info->memory_bytes -
		(u64)bitmap_weight(adapter->memory_map, adapter->memory_pages) * ADAPTER_PAGE_BYTES;
	return 0;
}

static int ioctl_segment(struct adapter_session *session, unsigned int command,
			 union adapter_arguments *args)
{
	struct adapter_object *object =
		adapter_object_find(session, args->handle.handle, ADAPTER_OBJECT_SEGMENT);
	struct adapter_segment *segment;

	/*
	 * SMILE_ADAPTER_SEGMENT_REMOVE also detaches a session from a segment of another session.
	 */
	if (!object && command == SMILE_ADAPTER_SEGMENT_REMOVE)
		object = adapter_object_find(session, args->handle.handle, ADAPTER_OBJECT_ATTACHED);
	if (!object)
		return -EBADF;
	segment = container_of(object, struct adapter_segment, object);
	switch (command) {
	case SMILE_ADAPTER_SEGMENT_STATE:
		return adapter_segment_state(segment, args->state.state);
	case SMILE_ADAPTER_SEGMENT_SHARE:
		segment->shared = true;
		return 0;
	default:
		adapter_segment_remove(segment);
		return 0;
	}
}

static int ioctl_end(struct adapter_session *session, u32 handle, enum adapter_object_kind kind)
{
	struct adapter_object *object = adapter_object_find(session, handle, kind);

	if (!object)
		return -EBADF;
	if (kind == ADAPTER_OBJECT_CONNECTION)
		adapter_release(container_of(object, struct adapter_connection, object));
	else
		adapter_interrupt_remove(container_of(object, struct adapter_interrupt, object));
	return 0;
}

/* Execute a call that is short. Called with adapter.lock held. */
static int ioctl_locked(struct adapter_session *session, unsigned int command,
			union adapter_arguments *args, struct adapter_object **made)
{
	switch (command) {
	case SMILE_ADAPTER_INFO:
		return ioctl_info(session->adapter, &args->info);
	case SMILE_ADAPTER_SEGMENT_ATTACH:
		return adapter_segment_attach(session, &args->attach, made);
	case SMILE_ADAPTER_SEGMENT_STATE:
	case SMILE_ADAPTER_SEGMENT_SHARE:
	case SMILE_ADAPTER_SEGMENT_REMOVE:
		return ioctl_segment(session, command, args);
	case SMILE_ADAPTER_RELEASE:
		return ioctl_end(session, args->handle.handle, ADAPTER_OBJECT_CONNECTION);
	case SMILE_ADAPTER_INTERRUPT_CREATE:
		return adapter_interrupt_create(session, &args->interrupt, made);
	case SMILE_ADAPTER_INTERRUPT_REMOVE:
		return ioctl_end(session, args->handle.handle, ADAPTER_OBJECT_INTERRUPT);
	case SMILE_ADAPTER_INTERRUPT_RELEASE:
		return ioctl_end(session, args->handle.handle, ADAPTER_OBJECT_LINE);
	case SMILE_ADAPTER_DATA:
		return adapter_interrupt_data(session, &args->data);
	default:
		return -ENOTTY;
	}
}

static int ioctl_do(struct adapter_session *session, unsigned int command,
		    union adapter_arguments *args, struct adapter_object **made)
{
	struct adapter *adapter = session->adapter;

	switch (command) {
	case SMILE_ADAPTER_SEGMENT_CREATE:
		return adapter_segment_create(session, &args->segment, made);
	case SMILE_ADAPTER_CONNECT:
		return adapter_connect(session, &args->connect, made);
	case SMILE_ADAPTER_INTERRUPT_CONNECT:
		return adapter_interrupt_connect(session, &args->line, made);
	case SMILE_ADAPTER_TRIGGER:
		return adapter_trigger(session, &args->trigger);
	case SMILE_ADAPTER_DMA:
		return adapter_dma(session, &args->dma);
	}
	guard(mutex)(&adapter->lock);
	if (adapter->gone || adapter->down)
		return adapter->gone ? -ENODEV : -EAGAIN;
	return ioctl_locked(session, command, args, made);
}

/*
 * Check the command and its arguments. Return: 0; -EINVAL if a flag or field that must be 0 is not
 * 0; -ENOTTY if the command is unknown.
 */
static int ioctl_check(unsigned int command, const union adapter_arguments *args)
{
	bool bad;

	switch (command) {
	case SMILE_ADAPTER_INFO:
	case SMILE_ADAPTER_CONNECT:
		return 0;
	case SMILE_ADAPTER_SEGMENT_CREATE:
		bad = args->segment.flags & ~SMILE_ADAPTER_SEGMENT_AUTO_ID ||
		      memchr_inv(args->segment.reserved, 0, sizeof(args->segment.reserved));
		break;
	case SMILE_ADAPTER_SEGMENT_STATE:
		bad = args->state.reserved;
		break;
	case SMILE_ADAPTER_SEGMENT_REMOVE:
	case SMILE_ADAPTER_SEGMENT_SHARE:
	case SMILE_ADAPTER_RELEASE:
	case SMILE_ADAPTER_INTERRUPT_REMOVE:
	case SMILE_ADAPTER_INTERRUPT_RELEASE:
		bad = args->handle.reserved;
		break;
	case SMILE_ADAPTER_SEGMENT_ATTACH:
		bad = args->attach.reserved;
		break;
	case SMILE_ADAPTER_INTERRUPT_CREATE:
		bad = args->interrupt.reserved ||
		      args->interrupt.flags &
			      ~(SMILE_ADAPTER_INTERRUPT_FIXED | SMILE_ADAPTER_INTERRUPT_DATA);
		break;
	case SMILE_ADAPTER_INTERRUPT_CONNECT:
		bad = args->line.reserved || args->line.flags & ~SMILE_ADAPTER_INTERRUPT_DATA;
		break;
	case SMILE_ADAPTER_TRIGGER:
		return 0;
	case SMILE_ADAPTER_DATA:
		bad = args->data.reserved;
		break;
	case SMILE_ADAPTER_DMA:
		bad = args->dma.flags & ~(SMILE_ADAPTER_DMA_READ | SMILE_ADAPTER_DMA_FILE) ||
		      (args->dma.file && !(args->dma.flags & SMILE_ADAPTER_DMA_FILE));
		break;
	default:
		return -ENOTTY;
	}
	return bad ? -EINVAL : 0;
}

/*
 * Publish the object that the call has created, once the caller has its handle. If the handle could
 * not be returned (@ret), remove the object, which would otherwise exist until the file is closed.
 */
static void ioctl_made(struct adapter_session *session, struct adapter_object *made, int ret)
{
	guard(mutex)(&session->adapter->lock);
	if (ret)
		adapter_object_destroy(made);
	else
		adapter_object_publish(made);
}

long adapter_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct adapter_session *session = file->private_data;
	void __user *user = (void __user *)argument;
	union adapter_arguments args = {};
	struct adapter_object *made = NULL;
	int ret;

	if (READ_ONCE(session->adapter->gone))
		return -ENODEV;
	/* All calls except INFO change something, on this node or on another one. */
	if (!smile_minors_owns(file) && command != SMILE_ADAPTER_INFO)
		return -EBADF;
	if (command == SMILE_ADAPTER_DMA_ABORT) {
		adapter_dma_abort(session);
		return 0;
	}
	if (_IOC_TYPE(command) != SMILE_ADAPTER_IOC_TYPE || _IOC_SIZE(command) > sizeof(args))
		return -ENOTTY;
	if (_IOC_DIR(command) & _IOC_WRITE && copy_from_user(&args, user, _IOC_SIZE(command)))
		return -EFAULT;
	ret = ioctl_check(command, &args);
	if (ret)
		return ret;
	ret = ioctl_do(session, command, &args, &made);
	/*
	 * Also return the result if the transfer has failed, because some bytes may have been
	 * moved. The result contains their number.
	 */
	if (ret && command != SMILE_ADAPTER_DMA)
		return ret;
	if (_IOC_DIR(command) & _IOC_READ && copy_to_user(user, &args, _IOC_SIZE(command)))
		ret = -EFAULT;
	if (made)
		ioctl_made(session, made, ret);
	return ret;
}
