# SPDX-License-Identifier: GPL-2.0 OR MIT
# Prints the reports of each thread, a line for each thread, in the order of their keys.
#
# Input: the names ("address name"), then the observer's lines. Threads are main, T1, T2... A lock
# that was requested and acquired immediately is +lock, its release is -lock; PAUSE and RESUME
# without another report between them are wait.
function hex(text,   i, n) {
	n = 0
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
function object(id) { return id in name ? name[id] : "other" }
function thread(key) { return key in number ? "T" number[key] : "T?" }
function say(who, what,   last) {
	last = tail[who]
	if (what == "RESUME" && last == "PAUSE")
		what = "wait"
	else if (substr(what, 1, 9) == "ACQUIRED:" && last ~ /^ACQUIRE[^D]/ &&
			substr(what, 10) == substr(last, 9, length(what) - 9))
		what = "+" substr(last, 9)
	else {
		said[who] = said[who] " " last
		tail[who] = what
		return
	}
	tail[who] = what
}
NF == 2 { if (!($1 in name)) name[$1] = $2; next }
NF == 8 { lines[++count] = $0; if ($3 == 1) keys[++known] = $4; next }
{ print "not understood: " $0 }
END {
	# A simple sort is sufficient for few keys.
	if (known > 64)
		exit
	for (i = 1; i <= known; i++) {
		rank = 1
		for (j = 1; j <= known; j++)
			rank += hex(keys[j]) < hex(keys[i])
		number[keys[i]] = rank
	}
	for (i = 1; i <= count; i++) {
		split(lines[i], f, " ")
		if (f[3] == 1)
			who[f[2]] = thread(f[4])
		t = f[2] in who ? who[f[2]] : "main"
		# The report of the call site precedes the report of the lock immediately.
		if (site[f[2]] && f[3] != 8) say(t, "SITE without ACQUIRE")
		# This report names the program; no record follows it.
		if (f[3] == 28) continue
		site[f[2]] = f[3] == 25
		if (f[3] == 25 && hex(f[4]) == 0) say(t, "SITE:0")
		if (f[3] == 25) continue
		if (f[3] == 0) say(t, "START")
		else if (f[3] == 1) say(t, "BEGIN")
		else if (f[3] == 2) say(t, (f[5] == 1 ? "FORK:" : "CREATE:") thread(f[4]))
		else if (f[3] == 3) say(t, "JOIN:" thread(f[4]))
		else if (f[3] == 4) say(t, "PHASE:" f[4])
		else if (f[3] == 5) say(t, "NAME:" f[4] "," f[5] "," f[6])
		else if (f[3] == 6) say(t, "PLACE:" f[5] "," f[6])
		else if (f[3] == 7) say(t, object(f[4]) "/" hex(f[5]))
		else if (f[3] == 8) say(t, "ACQUIRE:" object(f[4]) (f[5] % 2 ? "/shared" : ""))
		else if (f[3] == 9) say(t, "ACQUIRED:" object(f[4]))
		else if (f[3] == 10) say(t, "-" object(f[4]))
		else if (f[3] == 11) say(t, "PAUSE")
		else if (f[3] == 12) say(t, "RESUME")
		else if (f[3] == 13) say(t, "ALLOCATE:" hex(f[5]))
		else if (f[3] == 14) say(t, "FREE")
		else if (f[3] == 15) continue # reports whether there are turns: here there are none
		else if (f[3] == 26) continue # the number of processors, which depends on the host
		else if (f[3] == 29) continue # the function that calls the handlers of signals
		else say(t, "?" f[3])
	}
	for (i = 0; i <= known; i++) {
		t = i ? "T" i : "main"
		text = said[t] " " tail[t]
		gsub(/ +/, " ", text)
		print t ":" text
	}
}
