// SPDX-License-Identifier: MIT
/*
 * Packets as JSON: see packet_json.h.
 */
#include "lib/trace-db/packet_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t field_of(const struct frame *frame, const char *name, int *there)
{
	uint64_t value = 0;

	*there = 0;
	for (size_t i = 0; !*there && i < frame_field_count; i++)
		if (!strcmp(frame_fields[i].name, name))
			*there = frame_field_get(frame, &frame_fields[i], &value);
	return value;
}

/* A number that a packet may lack. */
static json_t *number(int there, uint64_t value)
{
	return there ? json_integer((json_int_t)value) : json_null();
}

static const char *command_name(const struct frame *frame)
{
	return frame->fault == FRAME_SHORT ? NULL : frame_commands[frame_command_of(frame)].name;
}

static json_t *text(const char *name)
{
	return name ? json_string(name) : json_null();
}

json_t *packet_json_row(const struct trace_row *row)
{
	const struct frame *frame = &row->frame;
	int has_address, whole = frame->fault != FRAME_SHORT;
	uint64_t address = field_of(frame, "address", &has_address);
	size_t bytes;

	frame_payload(frame, &bytes);
	return json_pack(
		"{s:I, s:I, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "trace",
		(json_int_t)row->trace, "packet", (json_int_t)row->packet, "type", frame->type,
		"time_ns", (json_int_t)row->time_ns, "target", number(whole, frame_target(frame)),
		"source", number(whole, frame_source(frame)), "command",
		number(whole, frame_command_of(frame)), "command_name", text(command_name(frame)),
		"transaction_id", number(whole, frame_transaction(frame)), "address",
		number(has_address, address), "payload_bytes", number(whole, bytes), "extended",
		number(whole, (frame->bd1 & BLINK_BD1_EXTENDED) != 0), "fault", frame->fault,
		"request", number(row->request >= 0, (uint64_t)row->request));
}

static void number_write(FILE *out, const char *name, int there, uint64_t value)
{
	if (there)
		fprintf(out, ",\"%s\":%" PRIu64, name, value);
	else
		fprintf(out, ",\"%s\":null", name);
}

void packet_json_row_write(FILE *out, const struct trace_row *row)
{
	const struct frame *frame = &row->frame;
	const char *name = command_name(frame);
	int has_address, whole = frame->fault != FRAME_SHORT;
	uint64_t address = field_of(frame, "address", &has_address);
	size_t bytes;

	frame_payload(frame, &bytes);
	fprintf(out,
		"{\"trace\":%" PRIu64 ",\"packet\":%" PRIu64 ",\"type\":%u,\"time_ns\":%" PRId64,
		row->trace, row->packet, frame->type, row->time_ns);
	number_write(out, "target", whole, frame_target(frame));
	number_write(out, "source", whole, frame_source(frame));
	number_write(out, "command", whole, frame_command_of(frame));
	if (name)
		fprintf(out, ",\"command_name\":\"%s\"", name);
	else
		fputs(",\"command_name\":null", out);
	number_write(out, "transaction_id", whole, frame_transaction(frame));
	number_write(out, "address", has_address, address);
	number_write(out, "payload_bytes", whole, bytes);
	number_write(out, "extended", whole, (frame->bd1 & BLINK_BD1_EXTENDED) != 0);
	fprintf(out, ",\"fault\":%u", frame->fault);
	number_write(out, "request", row->request >= 0, (uint64_t)row->request);
	fputs("}\n", out);
}

static json_t *hexadecimal(const uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = malloc(2 * count + 1);
	json_t *value;

	if (!hex)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	value = json_stringn(hex, 2 * count);
	free(hex);
	return value;
}

static json_t *frame_hexadecimal(const struct frame *frame)
{
	size_t count = frame_build(frame, NULL, 0);
	uint8_t *bytes = malloc(count ? count : 1);
	json_t *value;

	if (!bytes)
		return NULL;
	frame_build(frame, bytes, count);
	value = hexadecimal(bytes, count);
	free(bytes);
	return value;
}

/* Put every field into the packet, and the field's place into an array. */
static int fields_add(json_t *packet, json_t *places, const struct frame *frame)
{
	static const char *const words[BLINK_IN_COUNT] = {"BD1", "BD2", "extended header 0",
							  "extended header 1", "trailer"};
	int failed = 0;

	for (size_t i = 0; i < frame_field_count; i++) {
		const struct frame_field *field = &frame_fields[i];
		uint64_t value;

		if (!frame_field_get(frame, field, &value))
			continue;
		failed |= json_object_set_new(packet, field->name, json_integer((json_int_t)value));
		failed |= json_array_append_new(
			places,
			json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:I}", "name", field->name,
				  "title", field->title, "word", words[field->word], "byte",
				  (int)frame_field_byte(frame, field), "bit", field->shift, "bits",
				  field->bits, "mark", field->mark, "value", (json_int_t)value));
	}
	return failed;
}

json_t *packet_json(const struct trace_row *row, int64_t response)
{
	const struct frame *frame = &row->frame;
	json_t *packet = packet_json_row(row), *places = json_array();
	const uint8_t *data;
	size_t bytes;

	if (!packet || !places)
		goto failed;
	data = frame_payload(frame, &bytes);
	if (json_object_set_new(packet, "schema", json_string("smile.trace.packet/1")) ||
	    json_object_set_new(packet, "type_text", json_string(frame_type_text(frame->type))) ||
	    json_object_set_new(packet, "fault_text", json_string(frame_faults[frame->fault])) ||
	    json_object_set_new(packet, "response", number(response >= 0, (uint64_t)response)) ||
	    fields_add(packet, places, frame) ||
	    json_object_set_new(packet, "data", hexadecimal(data, bytes)) ||
	    json_object_set_new(packet, "frame", frame_hexadecimal(frame)))
		goto failed;
	if (json_object_set_new(packet, "places", places)) {
		places = NULL;
		goto failed;
	}
	return packet;
failed:
	json_decref(places);
	json_decref(packet);
	return NULL;
}
