/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of messages: a node receives the messages that were sent, in order, and at most as many as
 * its inbox can hold. May use adapter_fixture.h.
 */
#include "tests/unit/adapter/adapter_fixture.h"

static uint32_t send(struct node *node, unsigned int to, const char *text)
{
	uint32_t bytes = (uint32_t)strlen(text) + 1, i, word;
	char data[ADAPTER_MESSAGE_BYTES] = {0};

	memcpy(data, text, bytes);
	for (i = 0; i < bytes; i += 4) {
		memcpy(&word, data + i, 4);
		put(node, ADAPTER_REG_SEND_DATA + i, word);
	}
	put(node, ADAPTER_REG_SEND_NODE, to);
	put(node, ADAPTER_REG_SEND_BYTES, bytes);
	put(node, ADAPTER_REG_SEND_COMMAND, 1);
	return get(node, ADAPTER_REG_SEND_STATUS);
}

static void expect_message(struct node *node, unsigned int from, const char *text)
{
	uint32_t bytes = (uint32_t)strlen(text) + 1, i, word;
	char data[ADAPTER_MESSAGE_BYTES];

	assert_int_equal(get(node, ADAPTER_REG_RECEIVE_NODE), from);
	assert_int_equal(get(node, ADAPTER_REG_RECEIVE_BYTES), bytes);
	for (i = 0; i < bytes; i += 4) {
		word = get(node, ADAPTER_REG_RECEIVE_DATA + i);
		memcpy(data + i, &word, 4);
	}
	assert_string_equal(data, text);
	put(node, ADAPTER_REG_RECEIVE_COMMAND, 1);
}

static void expect_none(struct node *node)
{
	assert_int_equal(get(node, ADAPTER_REG_RECEIVE_NODE), ADAPTER_ABSENT);
	assert_int_equal(get(node, ADAPTER_REG_RECEIVE_BYTES), 0);
}

static void message_sent_isReadInOrderOfArrival(void **state)
{
	struct fabric *fabric = fabric_make(3, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1], *c = fabric->node[2];

	(void)state;
	put(b, ADAPTER_REG_INT_ENABLE, ADAPTER_INT_MESSAGE);
	assert_int_equal(send(a, 1, "one"), ADAPTER_ERROR_NONE);
	work(b);
	assert_int_equal(send(c, 1, "two of another sender"), ADAPTER_ERROR_NONE);
	work(b);
	assert_int_equal(send(a, 1, "three"), ADAPTER_ERROR_NONE);
	work(b);
	assert_true(b->level);
	expect_message(b, 0, "one");
	/* MESSAGE is set again, because another message is unread. */
	put(b, ADAPTER_REG_INT_STATUS, ADAPTER_INT_MESSAGE);
	assert_true(b->level);
	expect_message(b, 2, "two of another sender");
	expect_message(b, 0, "three");
	put(b, ADAPTER_REG_INT_STATUS, ADAPTER_INT_MESSAGE);
	assert_false(b->level);
	expect_none(b);
	expect_frame(a, 0, 1, BLINK_DMOVE16, (1ULL << 32) + 0xffff0000, 16);
	expect_frame(b, 0, 1, BLINK_DMOVE16, (1ULL << 32) + 0xffff0000, 16);
	expect_frame(b, 2, 1, BLINK_DMOVE64, (1ULL << 32) + 0xffff0000, 64);
	fabric_free(fabric);
}

static void message_toItself_isReadOnce(void **state)
{
	struct fabric *fabric = fabric_make(1, 64);
	struct node *a = fabric->node[0];

	(void)state;
	assert_int_equal(send(a, 0, "self"), ADAPTER_ERROR_NONE);
	work(a);
	expect_message(a, 0, "self");
	expect_none(a);
	fabric_free(fabric);
}

static void message_receiverDoesNotRead_isBusyAfterSixteen(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];
	unsigned int i;

	(void)state;
	for (i = 0; i < ADAPTER_MESSAGES; i++)
		assert_int_equal(send(a, 1, "x"), ADAPTER_ERROR_NONE);
	assert_int_equal(send(a, 1, "y"), ADAPTER_ERROR_BUSY);
	work(b);
	assert_int_equal(send(a, 1, "y"), ADAPTER_ERROR_BUSY);
	expect_message(b, 0, "x");
	assert_int_equal(send(a, 1, "y"), ADAPTER_ERROR_NONE);
	work(b);
	for (i = 1; i < ADAPTER_MESSAGES; i++)
		expect_message(b, 0, "x");
	expect_message(b, 0, "y");
	expect_none(b);
	/* A message to a full inbox does not count as a failed access. */
	assert_int_equal(get_64(a, ADAPTER_REG_COUNT_FAILED), 0);
	fabric_free(fabric);
}

static void message_nodeGone_fails(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0];

	(void)state;
	assert_int_equal(send(a, 3, "x"), ADAPTER_ERROR_NODE);
	assert_int_equal(send(a, 99, "x"), ADAPTER_ERROR_NODE);
	expect_error(a, 3, 1, ADAPTER_ERROR_NODE);
	put_refused(a, ADAPTER_REG_SEND_BYTES, ADAPTER_MESSAGE_BYTES + 1);
	fabric_free(fabric);
}

static void message_senderComesAnew_isForgottenAndOthersStay(void **state)
{
	struct fabric *fabric = fabric_make(3, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1], *c = fabric->node[2];

	(void)state;
	send(a, 1, "old");
	send(c, 1, "kept");
	work(b);
	adapter_detach(&b->adapter, 0);
	/* The message can still be read after the sender has gone. */
	assert_int_equal(get(b, ADAPTER_REG_RECEIVE_NODE), 0);
	node_free(a);
	a = node_make(fabric, 0);
	adapter_fabric(&a->adapter, true);
	put(a, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	node_attach(b, a);
	node_attach(a, b);
	expect_message(b, 2, "kept");
	expect_none(b);
	assert_int_equal(send(a, 1, "new"), ADAPTER_ERROR_NONE);
	work(b);
	expect_message(b, 0, "new");
	fabric_free(fabric);
}

/* If a node is lost, LOST is set only after its messages have been read. */
static void lost_messagesUnread_comesAfterThem(void **state)
{
	struct fabric *fabric = fabric_make(3, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1], *c = fabric->node[2];

	(void)state;
	node_map(b, a, 0, 0);
	send(a, 1, "one");
	send(a, 1, "two");
	send(c, 1, "of another sender");
	put(a, ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	/* LOST is not set before the messages arrive, nor while they are unread. */
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	work(b);
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	assert_int_equal(get(b, ADAPTER_REG_REACHABLE_LOW), 6);
	assert_int_equal(load(b, 0, 4), 0xffffffff);
	expect_message(b, 0, "one");
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	put(b, ADAPTER_REG_INT_STATUS, ADAPTER_INT_ALL);
	expect_message(b, 0, "two");
	/* INT_NODE reports that a bit of LOST is set. */
	assert_true(get(b, ADAPTER_REG_INT_STATUS) & ADAPTER_INT_NODE);
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 1);
	expect_message(b, 2, "of another sender");
	expect_none(b);
	fabric_free(fabric);
}

/* If a node restarts, LOST is set before the first message that it sends after the restart. */
static void lost_nodeStartsAgain_comesBeforeItsMessages(void **state)
{
	struct fabric *fabric = fabric_make(2, 64);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	(void)state;
	node_map(b, a, 0, 0);
	send(a, 1, "old");
	put(a, ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	put(a, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	put(a, ADAPTER_REG_EXPORT_COUNT, 1);
	put(a, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_SET);
	assert_int_equal(send(a, 1, "new"), ADAPTER_ERROR_NONE);
	work(b);
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	/*
	 * Node a has exported the page again, but for another use than when node b mapped the page.
	 */
	store(b, 0, 4, 1);
	expect_error(b, 0, 1, ADAPTER_ERROR_NODE);
	expect_message(b, 0, "old");
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 1);
	put(b, ADAPTER_REG_LOST_LOW, 1);
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	expect_message(b, 0, "new");
	assert_int_equal(get(b, ADAPTER_REG_LOST_LOW), 0);
	assert_int_equal(get(b, ADAPTER_REG_REACHABLE_LOW), 3);
	fabric_free(fabric);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_sent_isReadInOrderOfArrival),
		cmocka_unit_test(message_toItself_isReadOnce),
		cmocka_unit_test(message_receiverDoesNotRead_isBusyAfterSixteen),
		cmocka_unit_test(message_nodeGone_fails),
		cmocka_unit_test(message_senderComesAnew_isForgottenAndOthersStay),
		cmocka_unit_test(lost_messagesUnread_comesAfterThem),
		cmocka_unit_test(lost_nodeStartsAgain_comesBeforeItsMessages),
	};

	return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
