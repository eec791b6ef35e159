// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets: a card that loses its state, and what it holds, to others than us.
 *
 * What lives here: the callbacks of the PCI core's recovery from bus errors, and of a reset that
 * somebody asks for. May use: the gate, the stream, the interrupt.
 *
 * In either case the gate is shut, whoever is inside comes out, the card is reset, set up as it
 * was, and has to write an EVENT record RESET: what it had counted and not delivered is lost.
 */
#include <linux/moduleparam.h>
#include <linux/pci.h>

#include "compat.h"
#include "smile_monitor.h"

/*
 * A recovery that fails tells no driver in all kernels; those who wait for it shall not do so for
 * ever. The kernel itself waits for a link for up to a minute.
 */
#define RESET_WAIT_S_MIN 1
#define RESET_WAIT_S_MAX 3600

static unsigned int reset_wait_s = 90;

static int reset_set_wait_s(const char *text, const struct kernel_param *parameter)
{
	return param_set_uint_minmax(text, parameter, RESET_WAIT_S_MIN, RESET_WAIT_S_MAX);
}

static const struct kernel_param_ops reset_wait_s_ops = {
	.set = reset_set_wait_s,
	.get = param_get_uint,
};
module_param_cb(reset_wait_s, &reset_wait_s_ops, &reset_wait_s, 0644);
__MODULE_PARM_TYPE(reset_wait_s, "uint");
MODULE_PARM_DESC(
	reset_wait_s,
	"seconds after a bus error until its recovery is taken for failed, 1 to 3600 (default 90)");

static void reset_give_up(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, rescue);

	dev_err(&card->pdev->dev,
		"bus error, and no recovery: recording ends; unbind and bind the driver\n");
	smile_card_kill(card);
}

/**
 * smile_reset_init() - Make the work that watches over a recovery, which is not scheduled.
 * @card: card
 */
void smile_reset_init(struct smile_card *card)
{
	INIT_DELAYED_WORK(&card->rescue, reset_give_up);
}

/**
 * smile_reset_save() - Keep the configuration space as it is, for a reset.
 * @card: card, set up as a PCI device
 *
 * A copy of our own: the PCI core's is used up each time that the card wakes up.
 */
void smile_reset_save(struct smile_card *card)
{
	pci_save_state(card->pdev);
	/* Without memory for it there is no recovery, and everything else is as ever. */
	card->saved = pci_store_saved_state(card->pdev);
}

/**
 * smile_reset_exit() - No recovery is waited for any more.
 * @card: card, dead
 */
void smile_reset_exit(struct smile_card *card)
{
	cancel_delayed_work_sync(&card->rescue);
	kfree(card->saved);
	card->saved = NULL;
}

/* From here on nobody touches the card. */
static void reset_begin(struct smile_card *card)
{
	smile_gate_freeze(card);
	smile_pmu_freeze(card);
	smile_power_settle(card);
}

/* It has been reset, and can be used. */
static void reset_end(struct smile_card *card)
{
	int ret;

	mutex_lock(&card->control);
	smile_card_forgot(card);
	ret = smile_stream_resume(card, SMILE_EVENT_RESET);
	if (!ret)
		ret = smile_pmu_resume(card);
	mutex_unlock(&card->control);
	smile_gate_thaw(card);
	/* An interrupt that came before the thaw has found it frozen, and left it silent. */
	smile_drain_listen(card);
	if (ret)
		dev_err(&card->pdev->dev, "not as it was after a reset (%d): close and reopen\n",
			ret);
	else
		dev_info(&card->pdev->dev, "goes on after a reset\n");
}

/* The bus reports an error. While it does not work the card is not touched. */
static pci_ers_result_t reset_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	switch (state) {
	case pci_channel_io_normal:
		/*
		 * Some transaction failed. If it was a record's, the card keeps that and says so.
		 */
		return PCI_ERS_RESULT_CAN_RECOVER;
	case pci_channel_io_frozen:
		/* A dead card has no say in what becomes of its neighbours. */
		if (!smile_card_alive(card))
			return PCI_ERS_RESULT_NEED_RESET;
		dev_warn(&pdev->dev, "bus error: what the card has not delivered is lost\n");
		schedule_delayed_work(&card->rescue, READ_ONCE(reset_wait_s) * (unsigned long)HZ);
		reset_begin(card);
		return PCI_ERS_RESULT_NEED_RESET;
	default:
		dev_err(&pdev->dev, "bus error for good: recording ends; reseat the card\n");
		cancel_delayed_work(&card->rescue);
		smile_card_kill(card);
		return PCI_ERS_RESULT_DISCONNECT;
	}
}

/* The slot was reset, and the card with it. */
static pci_ers_result_t reset_slot_reset(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	/* For a neighbour's sake, after an error that was none of ours. */
	if (smile_card_alive(card) && !test_bit(SMILE_FLAG_FROZEN, &card->flags))
		reset_begin(card);
	if (card->saved)
		pci_load_saved_state(pdev, card->saved);
	pci_restore_state(pdev);
	/* It was used up. */
	pci_save_state(pdev);
	if (!smile_card_alive(card) || smile_card_read(card, SMILE_REG_ID) == SMILE_ID_VALUE)
		return PCI_ERS_RESULT_RECOVERED;
	dev_err(&pdev->dev, "no answer after the bus's reset: reseat the card\n");
	cancel_delayed_work(&card->rescue);
	smile_card_kill(card);
	return PCI_ERS_RESULT_DISCONNECT;
}

/* Traffic may flow again. */
static void reset_error_resume(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	cancel_delayed_work_sync(&card->rescue);
	/* Also called where nothing had to be reset. */
	if (smile_card_alive(card) && test_bit(SMILE_FLAG_FROZEN, &card->flags))
		reset_end(card);
}

/* Somebody resets the card, by its attribute "reset" as a rule; the PCI core keeps the rest. */
static void reset_prepare(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	if (!smile_card_alive(card))
		return;
	dev_warn(&pdev->dev, "reset: what the card has not delivered is lost\n");
	reset_begin(card);
}

static void reset_done(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	if (smile_card_alive(card) && test_bit(SMILE_FLAG_FROZEN, &card->flags))
		reset_end(card);
}

const struct pci_error_handlers smile_reset_handlers = {
	.error_detected = reset_error_detected,
	.slot_reset = reset_slot_reset,
	.resume = reset_error_resume,
	.reset_prepare = reset_prepare,
	.reset_done = reset_done,
};
