#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Chapter 8 of the thesis from a run of cluster_state.sh. Figures 8.2 to 8.6 as SVG, drawn from the view of one node. A
table of error and coverage of every node's view of every node, for the events and for the values derived from them.
The values that nodes show for a paused node, and for a node that is killed and starts again. The truth is the counts of
the cards. Output: lines of a summary, WHAT,VALUE.

usage: cluster_state.py RUN OUT
       RUN has viewN.csv, ratesN.csv, truthN.csv, p.csv and exact.csv; OUT receives chapter-8.txt, figure-8.2.svg to
       figure-8.6.svg and silent-nodes.svg
"""
import csv, math, pathlib, subprocess, sys

NODES, BAND = 4, 1.96
DT_S = 0.02  # length of an interval; main() reads it from the run
EVENTS = [f"{home}.{kind}" for home in ("next", "opposite", "previous") for kind in ("reads", "writes")]
READS, WRITES = EVENTS[0::2], EVENTS[1::2]
RATES = {
    "reads": lambda count: sum(count[event] for event in READS) / DT_S,
    "writes": lambda count: sum(count[event] for event in WRITES) / DT_S,
    "next": lambda count: count["next.reads"] / sum(count[event] for event in READS),
}
# Intervals that are drawn, before a node is paused: more would hide the bands.
SHOWN = 60
VIEWER = 3  # the node whose view is drawn
PAUSED, KILLED = 1, 2
MARGIN = 20  # intervals that are drawn before and after these
PREFIX = """set terminal svg size 1000,%d dynamic font 'DejaVu Sans,11' background '#ffffff'
set output '%s'
set border 3 lc rgb '#444444'; set tics nomirror font ',8'; set grid ytics lc rgb '#dddddd'; set key off
set autoscale fix; set offsets 0, 0, graph 0.05, graph 0.05
set multiplot layout %d,%d
set xlabel 'time, s'
"""


def truth_read(directory, node):
    """{interval: {event: count, of the interval's nominal length}}, {(interval, event)} sent to the others, totals."""
    counts, given, totals, lengths = {}, set(), dict.fromkeys(EVENTS, 0), {}
    for row in csv.DictReader(open(directory / f"truth{node}.csv", newline="")):
        interval, event, value, dt_s = int(row["interval"]), row["event"], float(row["value"]), float(row["dt_s"])
        totals[event] += value
        lengths[interval] = dt_s
        # smile stat also leaves out intervals of other lengths.
        if 0.5 <= dt_s / DT_S <= 1.5:
            counts.setdefault(interval, {})[event] = value * DT_S / dt_s
            if row["read"] == "1":
                given.add((interval, event))
    # Of the last interval of a killed node, events that it had not yet written are missing.
    whole = {interval: count for interval, count in counts.items() if len(count) == len(EVENTS)}
    return whole, given, totals, lengths


def view_read(directory, viewer):
    """
    {interval: a list by node of {event or rate: (value, standard deviation)}}, an unknown value is None. An interval
    of which a killed node had not written all values is left out.
    """
    views = {}
    for row in csv.DictReader(open(directory / f"view{viewer}.csv", newline="")):
        nodes = views.setdefault(int(row["interval"]), [{} for _ in range(NODES)])
        nodes[int(row["node"])][row["event"]] = float(row["estimate"]), float(row["sd"])
    for row in csv.DictReader(open(directory / f"rates{viewer}.csv", newline="")):
        node, name = row["rate"].removeprefix("node ").split(": ")
        known = row["value"] and row["sd"]
        if int(row["interval"]) not in views:
            continue
        views[int(row["interval"])][int(node)][name] = (float(row["value"]), float(row["sd"])) if known else (None, None)
    whole = len(EVENTS) + len(RATES)
    return {interval: nodes for interval, nodes in views.items() if all(len(each) == whole for each in nodes)}


def difference(nodes, node, name):
    """The difference between a node's rate and the mean of all nodes. The nodes' rates are
    independent of each other."""
    if any(each[name][0] is None for each in nodes):
        return None, None
    weights = [(k == node) - 1 / NODES for k in range(NODES)]
    return (sum(weight * each[name][0] for weight, each in zip(weights, nodes)),
            math.sqrt(sum((weight * each[name][1]) ** 2 for weight, each in zip(weights, nodes))))


class Score:
    """Compares estimates with the truth: their rms error, the rms error of holding the last reading, and the
    number of bands that contain the truth."""

    def __init__(self):
        self.n, self.square, self.held, self.within, self.sum = 0, 0.0, 0.0, 0, 0.0

    def add(self, truth, estimate, deviation, held):
        self.n += 1
        self.sum += truth
        self.square += (estimate - truth) ** 2
        self.held += (held - truth) ** 2
        self.within += abs(estimate - truth) <= BAND * deviation + 1e-9 * abs(truth)

    def join(self, other):
        for name in ("n", "square", "held", "within", "sum"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def within_percent(self):
        return 100 * self.within / max(self.n, 1)

    def cells(self):
        n = max(self.n, 1)
        mean = self.sum / n
        return (f"{self.n:7d} {100 * math.sqrt(self.square / n) / mean if mean else 0:7.1f} "
                f"{math.sqrt(self.square / self.held) if self.held else 0:7.2f} {self.within_percent():7.1f}")


def span(values):
    values = list(values)
    return f"{min(values):.1f} to {max(values):.1f} %"


def scores(view, truths, node, begin, end):
    """Scores of a viewer's estimates of a node: for its unread events, and for its rates."""
    counts, given, _, _ = truths[node]
    events, rates, held = Score(), {name: Score() for name in RATES}, {}
    exact = wrong = 0
    for interval in sorted(view):
        seen, known = view[interval][node], counts.get(interval)
        if not known:
            continue
        for event in EVENTS:
            count, deviation = seen[event]
            # An exact reading is the count itself. A reading that has not arrived is estimated.
            if not deviation and (interval, event) in given:
                exact += 1
                wrong += abs(count - known[event]) > 1e-6 * max(known[event], 1)
                held[event] = known[event]
            elif begin <= interval < end and (interval, event) not in given and event in held:
                events.add(known[event], count, deviation, held[event])
        if begin <= interval < end and len(held) == len(EVENTS):
            for name, rate in RATES.items():
                value, deviation = seen[name]
                # Without reads there is no share of reads.
                reads = sum(known[event] for event in READS) and sum(held[event] for event in READS)
                if value is not None and (name != "next" or reads):
                    rates[name].add(rate(known), value, deviation, rate(held))
    return exact, wrong, events, rates


def deviations(view, truths, begin, end):
    """Score of a viewer's deviations of the rates from the cluster's mean, in intervals where the truth of
    all nodes is known."""
    score, named = Score(), [0, 0]
    for interval in range(begin, end):
        known = [truths[node][0].get(interval) for node in range(NODES)]
        if interval not in view or not all(known):
            continue
        rates = [RATES["reads"](count) for count in known]
        mean = sum(rates) / NODES
        estimates = [difference(view[interval], node, "reads") for node in range(NODES)]
        for rate, (value, deviation) in zip(rates, estimates):
            score.add(rate - mean, value, deviation, 0)
        apart = [abs(rate - mean) for rate in rates]
        named[0] += 1
        named[1] += apart.index(max(apart)) == max(range(NODES), key=lambda node: abs(estimates[node][0]))
    return score, named


def agreement(views, begin, end):
    """The number of states of an event that all these views show for the same interval, and the number
    that agree to 1e-9."""
    same = all_of_them = 0
    for interval in set.intersection(*(set(view) for view in views)):
        if not begin <= interval < end:
            continue
        for node in range(NODES):
            for event in EVENTS:
                counts = [view[interval][node][event][0] for view in views]
                all_of_them += 1
                same += max(counts) - min(counts) <= 1e-9 * max(1, *map(abs, counts))
    return same, all_of_them


def is_read(view, interval, node):
    return interval in view and any(deviation == 0 for name, (_, deviation) in view[interval][node].items() if name in EVENTS)


def silence(view, node, begin, end):
    """The longest time without a reading of a node: its first interval, and the first interval after it."""
    read = [interval for interval in range(begin, end) if is_read(view, interval, node)]
    before, after = max(zip(read, read[1:]), key=lambda pair: pair[1] - pair[0])
    return before + 1, after


def mean_width(view, intervals, node, processes):
    """The mean band of a node's events, divided by the band without any reading; None if the view has none of the
    intervals."""
    bands = [view[interval][node][event][1] / processes[event]
             for interval in intervals if interval in view for event in EVENTS]
    return sum(bands) / len(bands) if bands else None


def silent_nodes(views, truths, processes, begin, end, text):
    """The values that each node shows of a silent node, and of the other nodes at that time. Return: the
    silences of both nodes."""
    later = (0, 2, 5, 10, 20, 40)
    found = []
    print("\nA node without readings, for so many intervals. Its band is the mean of its events' bands, in parts of that of no\n"
          "knowledge: in the 20 intervals before, so many intervals into the silence, at its end, and in the 20 intervals after;\n"
          "back = intervals after it until each event has been read again. The other nodes meanwhile: percent of the intervals\n"
          "that have a reading of them; unread events, and percent of these within their 95 % bands", file=text)
    print("viewer node silent  before " + " ".join(f"  +{step:<2}" for step in later) +
          "    end  after back  others   unread   band", file=text)
    for silent in (PAUSED, KILLED):
        first, after = silence(views[VIEWER], silent, begin, end)
        found.append((first, after))
        for viewer, view in enumerate(views):
            if viewer == silent:
                continue
            cells = [mean_width(view, range(first - 20, first), silent, processes)]
            cells += [mean_width(view, range(first + step, first + step + 1), silent, processes) for step in later]
            cells.append(mean_width(view, range(after - 1, after), silent, processes))
            cells.append(mean_width(view, range(after, after + 20), silent, processes))
            again, back = set(), after
            while len(again) < len(EVENTS) and back < end:
                again |= {event for event in EVENTS if back in view and view[back][silent][event][1] == 0}
                back += 1
            others = [node for node in range(NODES) if node != silent]
            read = sum(is_read(view, interval, node) for node in others for interval in range(first, after))
            score = Score()
            for node in others:
                score.join(scores(view, truths, node, first, after)[2])
            print(f"{viewer:6} {silent:4} {after - first:6}  ",
                  " ".join("   - " if cell is None else f"{cell:5.2f}" for cell in cells),
                  f"{back - after:5} {100 * read / len(others) / (after - first):7.1f} {score.n:8} {score.within_percent():6.1f}",
                  file=text)
    return found


def agreements(views, silences, text):
    """How the states of all nodes agree, before, in and after each silence; a silent node has no state."""
    (paused, resumed), (killed, back) = silences
    last = max(max(view) for view in views) + 1
    rows = []
    for what, first, after, silent in (
            ("before", 0, paused, None), (f"node {PAUSED} is paused", paused, resumed, PAUSED),
            ("it is back", resumed, killed, None), (f"node {KILLED} is killed", killed, back, KILLED),
            ("it is back", back, last, None)):
        same, states = agreement([view for viewer, view in enumerate(views) if viewer != silent], first, after)
        rows.append(100 * same / max(states, 1))
        print(f"{what:18} {states:7} states that all show, the same to 1e-9: {100 * same / max(states, 1):.1f} %", file=text)
    return rows


def tics(points):
    """A step that gives two to four tics: pictures are small."""
    values = [cell for point in points for cell in point[1:] if cell is not None]
    least = (max(values, default=1) - min(values, default=0)) / 4.5 or 1
    power = 10 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def draw(path, rows, columns, plots):
    """Pictures with a band, a line, and the truth: [(title, label of y, [(x, truth, value, low, high)])]."""
    script = [PREFIX % (160 * rows + 20, path, rows, columns)]
    for k, (title, label, points) in enumerate(plots):
        script.append(f"$data{k} << END\n" + "\n".join(
            " ".join("NaN" if cell is None else f"{cell:.9g}" for cell in point) for point in points) + "\nEND\n")
        script.append(f"set title '{title}' noenhanced; set ylabel '{label}'; set ytics {tics(points):g}; "
                      f"set format y '{'%g' if label == 'share' else '%.1s%c'}'\n"
                      f"plot $data{k} using 1:4:5 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.45, "
                      f"'' using 1:3 with lines lc rgb '#0072b2' lw 1.2, "
                      f"'' using 1:2 with lines lc rgb '#d55e00' dt 2\n")
    script.append("unset multiplot\n")
    subprocess.run(["gnuplot"], input="".join(script), text=True, check=True)


def pictures(out, view, truths, silences):
    begin = silences[0][0] - SHOWN

    def points(node, name, truth, estimate=lambda interval, node, name: view[interval][node][name],
               window=range(begin, begin + SHOWN)):
        rows = []
        for interval in window:
            if interval not in view:
                continue
            value, deviation = estimate(interval, node, name)
            band = (None, None) if value is None else (value - BAND * deviation, value + BAND * deviation)
            # No count is below 0.
            if name in EVENTS:
                band = max(band[0], 0), band[1]
            rows.append(((interval - window.start) * DT_S, truth(interval), value, *band))
        return rows

    def event_truth(node, event):
        return lambda interval: truths[node][0].get(interval, {}).get(event)

    def rate_truth(node, name):
        def of(interval):
            known = truths[node][0].get(interval)
            return RATES[name](known) if known and (name != "next" or sum(known[event] for event in READS)) else None
        return of

    def deviation_truth(node):
        def of(interval):
            rates = [rate_truth(other, "reads")(interval) for other in range(NODES)]
            return None if None in rates else rates[node] - sum(rates) / NODES
        return of

    for figure, first in (("8.2", 0), ("8.3", 2)):
        draw(out / f"figure-{figure}.svg", 6, 2, [
            (f"node {node}: {event}", f"in {1000 * DT_S:g} ms", points(node, event, event_truth(node, event)))
            for event in EVENTS for node in (first, first + 1)])
    draw(out / "figure-8.4.svg", NODES, 1, [
        (f"node {node}: share of its reads that are of the next node", "share",
         points(node, "next", rate_truth(node, "next"))) for node in range(NODES)])
    draw(out / "figure-8.5.svg", NODES, 2, [
        (f"node {node}: {name} of other nodes", "1/s", points(node, name, rate_truth(node, name)))
        for node in range(NODES) for name in ("reads", "writes")])
    draw(out / "figure-8.6.svg", NODES, 1, [
        (f"node {node}: reads of other nodes, less the mean of all nodes", "1/s",
         points(node, "reads", deviation_truth(node), lambda interval, node, name: difference(view[interval], node, name)))
        for node in range(NODES)])
    draw(out / "silent-nodes.svg", NODES, len(silences), [
        (f"node {node}: {EVENTS[0]}" + (f", {what} from {MARGIN * DT_S:g} to {(MARGIN + after - first) * DT_S:g} s"
                                        if node == silent else ""), f"in {1000 * DT_S:g} ms",
         points(node, EVENTS[0], event_truth(node, EVENTS[0]), window=range(first - MARGIN, after + MARGIN)))
        for node in range(NODES)
        for (first, after), silent, what in zip(silences, (PAUSED, KILLED), ("paused", "killed"))])


def main(run, out):
    global DT_S
    DT_S = float(next(csv.DictReader(open(run / "samples.csv", newline="")))["dt_s"])
    views = [view_read(run, viewer) for viewer in range(NODES)]
    truths = [truth_read(run, node) for node in range(NODES)]
    text = open(out / "chapter-8.txt", "w")
    exact = {(int(row["node"]), row["event"]): int(row["count"]) for row in csv.DictReader(open(run / "exact.csv"))}
    counted = [sum(truth[2].values()) for truth in truths]
    issued = [sum(count for (one, _), count in exact.items() if one == node) for node in range(NODES)]
    # The card of the node that is killed is not read while the node is down: accesses that are missing
    # in its counts were issued in that time.
    differ = [(node, event) for (node, event), count in exact.items()
              if (truths[node][2][event] >= count if node == KILLED else truths[node][2][event] != count)]
    print(f"Accesses to the {len(exact)} pages, of nodes 0 to {NODES - 1}, in a run in which the cards count each page:",
          *issued, "in this one:", *(f"{count:.0f}" for count in counted),
          f"Events whose counts differ, but for node {KILLED}, which is killed: {len(differ)}", sep="\n", file=text)
    # Only the iterations, in which all nodes have counts, without the intervals before and after
    # them.
    busy = [{interval for interval, counts in truth[0].items() if sum(counts.values())} for truth in truths]
    begin, end = max(min(one) for one in busy) + 10, min(max(one) for one in busy) - 5
    uneven = [sum(not 0.5 <= dt_s / DT_S <= 1.5 for dt_s in truth[3].values()) / len(truth[3]) for truth in truths]
    print(f"Intervals of {1000 * DT_S:g} ms: {end - begin}; uneven ones, which are left out, by node:",
          *(f"{100 * share:.1f} %" for share in uneven), file=text)
    rows = csv.DictReader(open(run / "p.csv", newline=""))
    processes = {row["event"]: math.sqrt(float(row["sigma"]) ** 2 + float(row["r"])) for row in rows}
    silences = silent_nodes(views, truths, processes, begin, end, text)
    print(file=text)
    agreed = agreements(views, silences, text)
    print("\nunread = intervals in which an event was not read; error = rms, in percent of the mean; hold = by that of\n"
          "holding the last reading; band = percent within the 95 % band. Of rates: all intervals.", file=text)
    print(f"{'':11} {'readings':17} {'events':31} {'reads/s':31} {'writes/s':31} {'share of the next node':31}", file=text)
    print("viewer node " + "   taken  wrong" + "   unread   error    hold    band" +
          3 * "       n   error    hold    band", file=text)
    bad, every = 0, []
    for viewer, view in enumerate(views):
        for node in range(NODES):
            read, wrong, events, rates = scores(view, truths, node, begin, end)
            bad += wrong
            every.append((events, rates))
            print(f"{viewer:6} {node:4} {read:8} {wrong:6}  {events.cells()} ",
                  " ".join(rates[name].cells() for name in RATES), file=text)
    print("\nReads/s less the mean of all nodes: rms error by that of taking 0, and percent within the 95 % band; intervals,\n"
          "and those in which the node that is furthest from the mean is the one that is shown so", file=text)
    for viewer, view in enumerate(views):
        score, named = deviations(view, truths, begin, end)
        print(f"viewer {viewer}: {math.sqrt(score.square / score.held):.2f}  {100 * score.within / score.n:.1f} %  "
              f"{named[0]}  {100 * named[1] / max(named[0], 1):.1f} %", file=text)
    text.close()
    whole = [node for node in range(NODES) if node != KILLED]
    print(f"figures 8.2 and 8.3: accesses of {len(whole)} nodes; in the run of exact counts,"
          f"{sum(counted[node] for node in whole):.0f}; {sum(issued[node] for node in whole)}")
    print("the same: unread intervals within their 95 % bands; least and most of 16 views,",
          span(events.within_percent() for events, _ in every), sep="")
    for figure, name, what in (("8.4", "next", "share of the next node"), ("8.5", "reads", "reads/s"),
                               ("8.5", "writes", "writes/s")):
        print(f"figure {figure}: {what}: within their 95 % bands,",
              span(rates[name].within_percent() for _, rates in every), sep="")
    print("figure 8.6: reads/s less the mean: within their 95 % bands,",
          span(deviations(view, truths, begin, end)[0].within_percent() for view in views), sep="")
    print(f"states that all nodes show of an interval: the same to 1e-9,{span(agreed)}")
    pictures(out, views[VIEWER], truths, silences)
    if bad or differ:
        sys.exit(f"{out / 'chapter-8.txt'}: that is not what was to be expected")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
