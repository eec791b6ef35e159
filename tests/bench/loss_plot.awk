# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench: draws loss-rate.csv as SVG: two by two panels, loss in per cent over packets per second. The left panels show
# the ring in host memory by its size, the right panels all other ways. In the upper panels the consumer always works,
# in the lower panels it does nothing for 10 ms out of each 100. A point without any loss is white.

BEGIN {
	FS = ","
	width = 400
	height = 210
	x_min = 3.9 # log10 of packets a second
	x_max = 7
	split("#1b9e77 #d95f02 #7570b3 #e7298a #66a61e #a6761d #444444 #1f78b4", colours, " ")
	names["card-mmap-full"] = "no watermark"
	names["poll-busy"] = "polling"
	names["poll-nap"] = "polling each 1 ms"
	names["uio"] = "uio, interrupts"
}

function x(rate) {
	return left + width * (log(rate) / log(10) - x_min) / (x_max - x_min)
}

function y(percent) {
	return top + height * (1 - percent / 100)
}

function words(at_x, at_y, anchor, size, what) {
	printf "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>\n", at_x, at_y,
		anchor, size, what
}

function line(x1, y1, x2, y2, colour) {
	printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2,
		colour
}

function name_of(way, ring) {
	if (way == "host-mmap")
		return ring " records"
	if (way == "card-mmap")
		return "driver, " ring
	return way in names ? (way == "card-mmap-full" ? "driver, " ring ", " : "") names[way] : way
}

NR > 1 {
	curve = $1 SUBSEP $2
	if (!(curve in index_of)) {
		index_of[curve] = ++curve_count
		curves[curve_count] = curve
	}
	# The rate of "as fast as possible" is the measured rate, which is not always the highest
	# rate.
	rate = $4 ? $4 : $5
	for (i = ++point_count[curve, $3]; i > 1 && rates[curve, $3, i - 1] > rate; i--) {
		rates[curve, $3, i] = rates[curve, $3, i - 1]
		losses[curve, $3, i] = losses[curve, $3, i - 1]
	}
	rates[curve, $3, i] = rate
	losses[curve, $3, i] = 100 * $7 / $6
}

function frame(title,    i, rate) {
	printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
		left, top, width, height
	words(left + width / 2, top - 8, "middle", 13, title)
	for (i = 0; i <= 100; i += 25) {
		line(left - 4, y(i), left, y(i), "#888")
		words(left - 8, y(i) + 4, "end", 11, i " %")
	}
	for (i = 4; i <= x_max; i++) {
		rate = 10 ^ i
		line(x(rate), top + height, x(rate), top + height + 4, "#888")
		words(x(rate), top + height + 17, "middle", 11,
			rate >= 1e6 ? rate / 1e6 " M" : rate / 1e3 " k")
	}
}

function draw(curve, pause, colour, place, label,    i, path, count, at_x, at_y) {
	count = point_count[curve, pause]
	for (i = 1; i <= count; i++) {
		at_x = x(rates[curve, pause, i])
		at_y = y(losses[curve, pause, i])
		path = path (i == 1 ? "M" : " L") sprintf("%.1f %.1f", at_x, at_y)
	}
	printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", path, colour
	for (i = 1; i <= count; i++)
		printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" stroke=\"%s\"/>\n",
			x(rates[curve, pause, i]), y(losses[curve, pause, i]),
			losses[curve, pause, i] ? colour : "white", colour
	line(left + 10, top + 14 + 15 * place, left + 30, top + 14 + 15 * place, colour)
	words(left + 35, top + 18 + 15 * place, "start", 11, label)
}

function panel(pause, host, title,    c, part, place) {
	frame(title)
	place = 0
	for (c = 1; c <= curve_count; c++) {
		split(curves[c], part, SUBSEP)
		if ((part[1] == "host-mmap") != host || !point_count[curves[c], pause])
			continue
		draw(curves[c], pause, colours[place % 8 + 1], place, name_of(part[1], part[2]))
		place++
	}
}

END {
	if (!curve_count)
		exit 1
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 590\" " \
		"font-family=\"sans-serif\">\n<rect width=\"960\" height=\"590\" fill=\"white\"/>\n"
	top = 40
	left = 60
	panel(0, 1, "ring in host memory, consumer always there")
	left = 530
	panel(0, 0, "ring in the card's RAM, consumer always there")
	top = 320
	left = 60
	panel(10, 1, "the same, away for 10 ms of each 100")
	left = 530
	panel(10, 0, "the same, away for 10 ms of each 100")
	words(480, 575, "middle", 12, "lost, of so many packets a second; a white point: nothing at all")
	print "</svg>"
}
