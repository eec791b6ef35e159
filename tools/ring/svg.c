// SPDX-License-Identifier: MIT
/*
 * SVG: draw the network as a picture. The colour of each link shows the link's load.
 *
 * What lives here: the positions of ringlets and nodes, and the text of the file. Each ringlet is
 * drawn as a circle of nodes, and the circles are drawn side by side. The switch, and the columns
 * of a torus, are also drawn as ringlets.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

#define TURN 6.283185307179586
#define NODE_RADIUS 15.0
#define NODE_APART 62.0 /* distance between neighbours on a circle */
#define MARGIN 46.0
#define LEGEND_HEIGHT 70.0
#define LEGEND_WIDTH 360.0
#define COLUMNS_MOST 6U

/*
 * Colours for loads from 0 to 1, from light to dark. These colours can also be distinguished in
 * greyscale print (a Brewer scale).
 */
static const struct {
	double from;
	const char *color;
} classes[] = {
	{0, "#c6dbef"}, {0.1, "#9ecae1"}, {0.25, "#6baed6"}, {0.5, "#fd8d3c"}, {0.75, "#bd0026"},
};
#define CLASSES (sizeof(classes) / sizeof(classes[0]))

static const char *load_color(double load)
{
	size_t at = CLASSES - 1;

	while (at > 0 && load < classes[at].from)
		at--;
	return classes[at].color;
}

static double ringlet_radius(const struct network *network, unsigned int ring)
{
	double radius = network->rings[ring].config.nodes * NODE_APART / TURN;

	return radius < NODE_APART ? NODE_APART : radius;
}

/*
 * Compute the size of the square for a ringlet. All squares have the size that the largest ringlet
 * needs.
 */
static double cell_size(const struct network *network)
{
	double most = 0;

	for (unsigned int ring = 0; ring < network->ring_count; ring++)
		if (ringlet_radius(network, ring) > most)
			most = ringlet_radius(network, ring);
	return 2 * (most + MARGIN);
}

static unsigned int columns(const struct network *network)
{
	return network->ring_count < COLUMNS_MOST ? network->ring_count : COLUMNS_MOST;
}

/**
 * struct spot - A position in the picture.
 */
struct spot {
	double x;
	double y;
};

static struct spot center_of(const struct network *network, unsigned int ring)
{
	double size = cell_size(network);

	return (struct spot){(ring % columns(network) + 0.5) * size,
			     (ring / columns(network) + 0.5) * size};
}

/*
 * Compute the position of a node on its circle. Node 0 is at the top, and the links lead clockwise.
 */
static struct spot node_spot(const struct network *network, unsigned int ring, double at)
{
	struct spot center = center_of(network, ring);
	double angle = TURN * at / network->rings[ring].config.nodes;
	double radius = ringlet_radius(network, ring);

	return (struct spot){center.x + radius * sin(angle), center.y - radius * cos(angle)};
}

/*
 * Draw a link along the circle, from the edge of one node to the edge of the next node, and print
 * the link's load beside it.
 */
static void link_draw(FILE *out, const struct network *network, unsigned int ring, unsigned int at)
{
	double radius = ringlet_radius(network, ring);
	double part = network->rings[ring].config.nodes * (NODE_RADIUS + 4) / (TURN * radius);
	struct spot from = node_spot(network, ring, at + part);
	struct spot to = node_spot(network, ring, at + 1 - part);
	struct spot center = center_of(network, ring), middle = node_spot(network, ring, at + 0.5);
	double load = ring_link_load(&network->rings[ring], at);

	fprintf(out,
		"<path class=\"link\" d=\"M %.1f %.1f A %.1f %.1f 0 0 1 %.1f %.1f\" "
		"stroke=\"%s\" marker-end=\"url(#arrow)\"><title>ringlet %u, link %u: %.1f %%"
		"</title></path>\n<text class=\"load\" x=\"%.1f\" y=\"%.1f\">%.0f%%</text>\n",
		from.x, from.y, radius, radius, to.x, to.y, load_color(load), ring, at, 100 * load,
		middle.x + 20 * (middle.x - center.x) / radius,
		middle.y + 20 * (middle.y - center.y) / radius + 4, 100 * load);
}

static void node_draw(FILE *out, const struct network *network, unsigned int ring, unsigned int at)
{
	struct spot spot = node_spot(network, ring, at);
	bool port = network->node[ring][at] == NETWORK_BRIDGE;
	unsigned int name = !port			      ? network->node[ring][at]
			    : ring + 1 == network->ring_count ? at
							      : ring;

	fprintf(out,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"/>\n"
		"<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s%u</text>\n",
		port ? "port" : "node", spot.x, spot.y, NODE_RADIUS, spot.x, spot.y + 4,
		port ? "p" : "", name);
}

static void legend_draw(FILE *out, const struct ring_request *request, double y)
{
	fprintf(out,
		"<text class=\"text\" x=\"10\" y=\"%.0f\">load of links: %s of %u nodes, %u MB/s a "
		"link; p: port of the switch</text>\n",
		y + 20, request->topology, request->nodes, request->link_mb);
	for (size_t i = 0; i < CLASSES; i++)
		fprintf(out,
			"<rect x=\"%.0f\" y=\"%.0f\" width=\"24\" height=\"12\" fill=\"%s\"/>\n"
			"<text class=\"text\" x=\"%.0f\" y=\"%.0f\">%.0f%%+</text>\n",
			10 + 68.0 * (double)i, y + 34, classes[i].color, 38 + 68.0 * (double)i,
			y + 45, 100 * classes[i].from);
}

static void draw(FILE *out, const struct ring_request *request, const struct network *network)
{
	unsigned int across = columns(network);
	unsigned int down = (network->ring_count + across - 1) / across;
	double size = cell_size(network), width = across * size, height = down * size;

	if (width < LEGEND_WIDTH)
		width = LEGEND_WIDTH;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n<style>.link{fill:none;"
		"stroke-width:6}.node{fill:#fff;stroke:#333}.port{fill:#ddd;stroke:#333}.name{"
		"font-size:12px;text-anchor:middle}.load{font-size:10px;text-anchor:middle;fill:"
		"#333}.text{font-size:12px}</style>\n<defs><marker id=\"arrow\" viewBox=\"0 0 4 "
		"4\" "
		"refX=\"2\" refY=\"2\" markerWidth=\"1.6\" markerHeight=\"1.6\" "
		"orient=\"auto\"><path "
		"d=\"M 0 0 L 4 2 L 0 4 z\" fill=\"#333\"/></marker></defs>\n<rect width=\"%.0f\" "
		"height=\"%.0f\" fill=\"#fff\"/>\n",
		width, height + LEGEND_HEIGHT, width, height + LEGEND_HEIGHT, width,
		height + LEGEND_HEIGHT);
	for (unsigned int ring = 0; ring < network->ring_count; ring++) {
		struct spot center = center_of(network, ring);

		fprintf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">ringlet %u</text>\n",
			center.x, center.y + 4, ring);
		for (unsigned int at = 0; at < network->rings[ring].config.nodes; at++)
			link_draw(out, network, ring, at);
		for (unsigned int at = 0; at < network->rings[ring].config.nodes; at++)
			node_draw(out, network, ring, at);
	}
	legend_draw(out, request, height);
	fputs("</svg>\n", out);
}

int ring_svg(const struct ring_request *request, const struct ring_result *result)
{
	FILE *out = output_file_create(request->svg);
	int failed;

	if (!out)
		return TOOL_ERROR;
	draw(out, request, &result->network);
	failed = ferror(out);
	if (fclose(out) || failed)
		return tool_error("cannot write %s: %s", request->svg, strerror(errno));
	return TOOL_OK;
}
