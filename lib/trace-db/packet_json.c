// SPDX-License-Identifier: MIT
/* Packets as JSON: converts packets to JSON. See packet_json.h. */
#include "lib/trace-db/packet_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Convert a number to JSON; null if @there is 0, which means that the packet does not have the
 * number.
 */
static json_t *number(int there, uint64_t value)
{
	return there ? json_integer((json_int_t)value) : json_null();
}

static json_t *text(const char *name)
{
	return name ? json_string(name) : json_null();
}

json_t *packet_json_row(const struct trace_row *row)
{
	const struct frame *frame = &row->frame;
	bool nodes = frame_has_nodes(frame), command = frame_has_command(frame);
	uint64_t address;
	bool has_address = frame_address(frame, &address);
	size_t bytes;
	json_t *line;

	frame_payload(frame, &bytes);
	line = json_pack(
		"{s:I, s:I, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "trace",
		(json_int_t)row->trace, "packet", (json_int_t)row->packet, "type", frame->type,
		"time_ns", (json_int_t)row->time_ns, "target", number(nodes, frame_target(frame)),
		"source", number(nodes, frame_source(frame)), "command",
		number(command, frame_command_of(frame)), "command_name",
		text(frame_command_name(frame)), "transaction_id",
		number(nodes, frame_transaction(frame)), "address", number(has_address, address),
		"payload_bytes", number(frame_has_payload(frame), bytes), "extended",
		number(command, (frame->bd1 & BLINK_BD1_EXTENDED) != 0), "fault", frame->fault,
		"request", number(row->request >= 0, (uint64_t)row->request));
	if (line && frame_is_cable(frame) &&
	    (json_object_set_new(line, "acknowledges",
				 number(row->acknowledges >= 0, (uint64_t)row->acknowledges)) ||
	     json_object_set_new(line, "repeats",
				 number(row->repeats >= 0, (uint64_t)row->repeats)))) {
		json_decref(line);
		return NULL;
	}
	return line;
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
	const char *name = frame_command_name(frame);
	bool nodes = frame_has_nodes(frame), command = frame_has_command(frame);
	uint64_t address;
	bool has_address = frame_address(frame, &address);
	size_t bytes;

	frame_payload(frame, &bytes);
	fprintf(out,
		"{\"trace\":%" PRIu64 ",\"packet\":%" PRIu64 ",\"type\":%u,\"time_ns\":%" PRId64,
		row->trace, row->packet, frame->type, row->time_ns);
	number_write(out, "target", nodes, frame_target(frame));
	number_write(out, "source", nodes, frame_source(frame));
	number_write(out, "command", command, frame_command_of(frame));
	if (name)
		fprintf(out, ",\"command_name\":\"%s\"", name);
	else
		fputs(",\"command_name\":null", out);
	number_write(out, "transaction_id", nodes, frame_transaction(frame));
	number_write(out, "address", has_address, address);
	number_write(out, "payload_bytes", frame_has_payload(frame), bytes);
	number_write(out, "extended", command, (frame->bd1 & BLINK_BD1_EXTENDED) != 0);
	fprintf(out, ",\"fault\":%u", frame->fault);
	number_write(out, "request", row->request >= 0, (uint64_t)row->request);
	if (frame_is_cable(frame)) {
		number_write(out, "acknowledges", row->acknowledges >= 0,
			     (uint64_t)row->acknowledges);
		number_write(out, "repeats", row->repeats >= 0, (uint64_t)row->repeats);
	}
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

/*
 * Add the value of each field of the frame to @packet, and the position of each field to @places.
 */
static int fields_add(json_t *packet, json_t *places, const struct frame *frame)
{
	int failed = 0;
	size_t count;
	const struct frame_field *field = frame_fields_of(frame, &count);

	for (const struct frame_field *end = field + count; field < end; field++) {
		uint64_t value;

		if (!frame_field_get(frame, field, &value))
			continue;
		failed |= json_object_set_new(packet, field->name, json_integer((json_int_t)value));
		failed |= json_array_append_new(
			places,
			json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:I}", "name", field->name,
				  "title", field->title, "word", frame_field_word(frame, field),
				  "byte", (int)frame_field_byte(frame, field), "bit",
				  (int)frame_field_bit(frame, field), "bits", field->bits, "mark",
				  field->mark, "value", (json_int_t)value));
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
	    json_object_set_new(packet, "fault_text",
				json_string(frame_fault_text(frame->fault))) ||
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
