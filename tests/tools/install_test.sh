#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of the installed library as a program uses it: make install, pkg-config, README's example, shared and static;
# only symbols of the API are exported. Also for packagers: all files are installed below DESTDIR.
#
# usage: tests/tools/install_test.sh BUILD
set -u
built=$1
dir=$(realpath -m "$built/tests/tools/install")
# With another PREFIX, make builds the command again, so this suite uses a copy of the tree of its own.
B=$dir/build
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
scratch_make "$dir"

mkdir "$B"
for part in bin emu lib place tools tracer workload 'lib*.*' 'smile-*.so'; do
	# shellcheck disable=SC2086
	cp -a "$built"/$part "$B/"
done
prefix=$dir/usr
check "make install" make --no-print-directory install B="$B" PREFIX="$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"

# readme_block TEXT: prints the block of C in README that contains this text.
readme_block() {
	awk -v text="$1" '
		/^```c$/ { block = ""; inside = 1; next }
		/^```$/ { if (inside && index(block, text)) printf "%s", block; inside = 0 }
		inside { block = block $0 "\n" }' README.md
}
readme_block '#pragma omp' >"$dir/particles.c"
check "the program that README runs compiles without a warning" \
	gcc -O2 -g -fopenmp -Wall -Wextra -Werror "$dir/particles.c" -o "$dir/particles"
readme_block '<smile/monitor.h>' >"$dir/example.c"
check "README has an example of about ten lines" sh -c "
	lines=\$(grep -c ';' '$dir/example.c'); [ \$lines -ge 8 ] && [ \$lines -le 14 ]"
# shellcheck disable=SC2046
check "the example compiles without a warning" cc -Wall -Wextra -Werror "$dir/example.c" \
	-o "$dir/shared" $(pkg-config --cflags --libs libsmile-monitor)
# shellcheck disable=SC2046
check "and with the static library" cc "$dir/example.c" -o "$dir/static" \
	$(pkg-config --cflags libsmile-monitor) "$prefix/lib/libsmile-monitor.a" \
	-lpci -ldw -lelf -liberty
check "smile sim finds its workloads where they are installed" \
	"$prefix/bin/smile" sim sor --size 32 --iterations 2 --capture "$dir/sor"
check "the example prints pages" sh -c "
	cd '$dir' && LD_LIBRARY_PATH=usr/lib ./shared | grep -q '^page [0-9]* of node 0: [0-9]* accesses'"
check "shared and static print the same" sh -c "
	cd '$dir' && LD_LIBRARY_PATH=usr/lib ./shared >a && ./static >b && [ -s a ] && cmp a b"
check "smile run finds its tracer where it is installed" sh -c "
	'$prefix/bin/smile' run -o '$dir/true' -- true && [ -s '$dir/true-node0.rec' ]"
printf 'pages 16 node 0\nregion 0x10000+4096 named 0 none\n' >"$dir/none.place"
check "smile place finds its library where it is installed" \
	"$prefix/bin/smile" place --nodes 1 "$dir/none.place" -- true
check "the shared library exports the API alone" sh -c "
	nm -D --defined-only '$prefix/lib/libsmile-monitor.so.0' >'$dir/names' &&
		grep -q ' Monitor_open' '$dir/names' &&
		! grep -v -e ' Monitor_' -e ' A SMILE_MONITOR' '$dir/names'"
check "the static library defines the API alone" sh -c "
	nm -g --defined-only '$prefix/lib/libsmile-monitor.a' | grep ' [A-Z] ' >'$dir/names' &&
		grep -q ' Monitor_open' '$dir/names' && ! grep -v ' Monitor_' '$dir/names'"
check "the API's headers are C++, too" sh -c "
	echo '#include <smile/advise.h>' | c++ -Wall -Werror -x c++ -fsyntax-only \
		\$(pkg-config --cflags libsmile-monitor) -"
cat >"$dir/trace.c" <<END
#include <smile/trace.h>
int main(void)
{
	smile_phase("one");
	return smile_traced() || !smile_alloc(1, "region");
}
END
# shellcheck disable=SC2046
check "a program is linked with libsmile-trace, shared and static" sh -c "
	cc -Wall -Werror '$dir/trace.c' -o '$dir/trace' \
		\$(pkg-config --cflags --libs libsmile-trace) &&
	cc '$dir/trace.c' -o '$dir/trace-static' \$(pkg-config --cflags libsmile-trace) \
		'$prefix/lib/libsmile-trace.a' &&
	LD_LIBRARY_PATH='$prefix/lib' '$dir/trace' && '$dir/trace-static'"
check "every function of the header is exported" sh -c "
	sed -n 's/^[a-z].*[ *]\(Monitor_[a-z_]*\)(.*/\1/p' include/smile/monitor/*.h | sort -u >'$dir/api'
	nm -D --defined-only '$prefix/lib/libsmile-monitor.so.0' | grep -o 'Monitor_[a-z_]*' | sort -u |
		diff '$dir/api' - && [ \$(wc -l <'$dir/api') -gt 30 ]"

cat >"$dir/advise.c" <<END
#include <smile/advise.h>
int main(int argc, char **argv)
{
	struct Monitor_advise *advise;
	struct Monitor *mon;
	char text[MONITOR_SENTENCE_BYTES];

	if (argc < 2 || Monitor_open(&mon, argv[1]) < 0)
		return 2;
	while (Monitor_poll(mon, 0) > 0)
		continue;
	if (Monitor_advise_new(mon, NULL, &advise) < 0)
		return 1;
	for (size_t i = 0; i < Monitor_advise_figure(advise, MONITOR_FIGURE_DATA); i++)
		puts(Monitor_advise_sentence(advise, Monitor_advise_data_at(advise, i), text));
	Monitor_advise_free(advise);
	Monitor_close(mon);
}
END
# shellcheck disable=SC2046
check "a program is linked with libsmile-analysis, shared and static" sh -c "
	cc -Wall -Werror '$dir/advise.c' -o '$dir/advise' \
		\$(pkg-config --cflags --libs libsmile-analysis) &&
	cc '$dir/advise.c' -o '$dir/advise-static' \$(pkg-config --cflags libsmile-analysis) \
		'$prefix/lib/libsmile-analysis.a' '$prefix/lib/libsmile-monitor.a' \
		-ljansson -lpci -ldw -lelf -liberty -lm"
check "it advises on a recording" sh -c "
	cd '$dir' && usr/bin/smile sim sor --size 64 --iterations 2 -o advised --quiet &&
		LD_LIBRARY_PATH=usr/lib ./advise advised-node1.rec | grep 'lies* on the wrong node' &&
		LD_LIBRARY_PATH=usr/lib ./advise advised-node1.rec >a &&
		./advise-static advised-node1.rec | cmp a -"
check "libsmile-analysis exports its API alone" sh -c "
	sed -n 's/^[a-z].*[ *]\(Monitor_[a-z_]*\)(.*/\1/p' include/smile/advise.h | sort -u >'$dir/api'
	nm -D --defined-only '$prefix/lib/libsmile-analysis.so.0' | grep -v ' A ' |
		sed 's/.* //; s/@.*//' | sort -u | diff '$dir/api' - && [ -s '$dir/api' ] &&
	nm -g --defined-only '$prefix/lib/libsmile-analysis.a' | sed -n 's/.* [A-Z] //p' | sort -u |
		diff '$dir/api' -"

# The state's example as a separate program, with only the installed headers.
# shellcheck disable=SC2046
check "a program is linked with libsmile-estimate, shared and static" sh -c "
	cc -std=c11 -Wall -Werror docs/examples/state.c -o '$dir/state' \
		\$(pkg-config --cflags --libs libsmile-estimate) &&
	cc -std=c11 docs/examples/state.c -o '$dir/state-static' \
		\$(pkg-config --cflags libsmile-estimate) '$prefix/lib/libsmile-estimate.a' -lm"
check "it estimates what it did not read" sh -c "
	cd '$dir' && LD_LIBRARY_PATH=usr/lib ./state | grep '^loads a cycle 0.2' &&
		LD_LIBRARY_PATH=usr/lib ./state >a && ./state-static | cmp a -"
check "its headers are C++, too" sh -c "
	echo '#include <smile/estimate.h>' | c++ -Wall -Werror -x c++ -fsyntax-only \
		\$(pkg-config --cflags libsmile-estimate) -"
check "libsmile-estimate exports its API alone" sh -c "
	sed -n 's/^[a-z].*[ *]\(Estimate_[a-z_]*\)(.*/\1/p' include/smile/estimate/*.h | sort -u >'$dir/api'
	nm -D --defined-only '$prefix/lib/libsmile-estimate.so.0' | grep -v ' A ' |
		sed 's/.* //; s/@.*//' | sort -u | diff '$dir/api' - && [ \$(wc -l <'$dir/api') -gt 20 ] &&
	nm -g --defined-only '$prefix/lib/libsmile-estimate.a' | sed -n 's/.* [A-Z] //p' | sort -u |
		diff '$dir/api' -"

cat >"$dir/sisci.c" <<END
#include <sisci_api.h>
void SetSciMemCopyFunction(int function);

int main(void)
{
	sci_error_t error;
	sci_desc_t sd;

	SetSciMemCopyFunction(5);
	SCIOpen(&sd, 0, &error);
	return error != SCI_ERR_NOT_INITIALIZED;
}
END
# shellcheck disable=SC2046
check "a program is linked with libsisci, shared and static" sh -c "
	cc -Wall -Werror '$dir/sisci.c' -o '$dir/sisci' \$(pkg-config --cflags --libs sisci) &&
	cc '$dir/sisci.c' -o '$dir/sisci-static' \$(pkg-config --cflags sisci) \
		'$prefix/lib/libsisci.a' -lpthread &&
	LD_LIBRARY_PATH='$prefix/lib' '$dir/sisci' && '$dir/sisci-static'"
check "make install puts links where programs for Dolphin's adapters look" make --no-print-directory install-dis \
	B="$B" PREFIX="$prefix" DIS="$dir/DIS"
for lib in lib lib64; do
	check "a program finds libsisci there: include, $lib" sh -c "
		cc '$dir/sisci.c' -o '$dir/sisci-$lib' -I'$dir/DIS/include' -L'$dir/DIS/$lib' -lsisci \
			-Wl,-rpath,'$dir/DIS/$lib' && '$dir/sisci-$lib'"
done
check "libsisci exports each call by its three names" sh -c "
	nm -D --defined-only '$prefix/lib/libsisci.so.0' | grep -v ' A ' | sed 's/.* //; s/@.*//' |
		sort >'$dir/names'
	{ echo SetSciMemCopyFunction; awk -F', ' '/^CALL.*, SCI/ {
		print \$2; print \"_SISCI_PUBLIC_FUNC_ST_\" \$2; print \"_SISCI_PUBLIC_FUNC_MT_\" \$2
	}' include/sisci/sisci_api.h; } | sort | diff '$dir/names' - && [ -s '$dir/names' ]"

# shellcheck disable=SC2046
check "a program is linked with libsmile-gas, shared and static" sh -c "
	cc -std=c11 -Wall -Werror docs/examples/gas.c -o '$dir/gas' \$(pkg-config --cflags --libs libsmile-gas) &&
	cc -std=c11 docs/examples/gas.c -o '$dir/gas-static' \$(pkg-config --cflags libsmile-gas) \
		'$prefix/lib/libsmile-gas.a' '$prefix/lib/libsisci.a' -lpthread"
check "it runs alone" sh -c "
	cd '$dir' && LD_LIBRARY_PATH=usr/lib ./gas | grep -x '5000050000 on 1 nodes' && ./gas-static"
check "its header is C++, too" sh -c "
	echo '#include <smile/gas.h>' | c++ -Wall -Werror -x c++ -fsyntax-only \
		\$(pkg-config --cflags libsmile-gas) -"
check "libsmile-gas exports its API alone" sh -c "
	sed -n 's/^[a-z].*[ *]\(Gas_[a-z_]*\)(.*/\1/p' include/smile/gas.h | sort -u >'$dir/api'
	nm -D --defined-only '$prefix/lib/libsmile-gas.so.0' | grep -v ' A ' |
		sed 's/.* //; s/@.*//' | sort -u | diff '$dir/api' - && [ \$(wc -l <'$dir/api') -gt 15 ] &&
	nm -g --defined-only '$prefix/lib/libsmile-gas.a' | sed -n 's/.* [A-Z] //p' | sort -u | diff '$dir/api' -"

stage=$dir/stage
check "make install below DESTDIR" make --no-print-directory install B="$B" DESTDIR="$stage" \
	PREFIX=/usr LIBDIR=/usr/lib/x-y
{
	printf '%s\n' share/bash-completion/completions/smile share/zsh/vendor-completions/_smile \
		bin/smile lib/x-y/libsmile-monitor.a lib/x-y/libsmile-monitor.so \
		lib/x-y/libsmile-monitor.so.0 lib/x-y/pkgconfig/libsmile-monitor.pc \
		lib/python3/dist-packages/smile_monitor/__init__.py \
		lib/x-y/smile-monitor/smile-place.so lib/x-y/wireshark/plugins/smile.lua \
		share/wireshark/profiles/SMiLE/colorfilters \
		share/wireshark/profiles/SMiLE/preferences \
		lib/x-y/smile-monitor/build-qemu lib/x-y/smile-monitor/source.sh \
		lib/x-y/smile-monitor/smile-preload.so lib/x-y/smile-monitor/smile-tracer.so \
		lib/x-y/smile-monitor/workload/sor lib/x-y/smile-monitor/workload/fft \
		lib/x-y/smile-monitor/workload/radix lib/x-y/smile-monitor/workload/gauss \
		lib/x-y/smile-monitor/workload/water \
		lib/x-y/libsmile-trace.a lib/x-y/libsmile-trace.so lib/x-y/libsmile-trace.so.0 \
		lib/x-y/pkgconfig/libsmile-trace.pc include/smile-monitor/smile/trace.h \
		lib/x-y/libsmile-analysis.a lib/x-y/libsmile-analysis.so \
		lib/x-y/libsmile-analysis.so.0 lib/x-y/pkgconfig/libsmile-analysis.pc \
		include/smile-monitor/smile/advise.h \
		lib/x-y/libsmile-estimate.a lib/x-y/libsmile-estimate.so \
		lib/x-y/libsmile-estimate.so.0 lib/x-y/pkgconfig/libsmile-estimate.pc \
		include/smile-monitor/smile/estimate.h \
		lib/x-y/libsmile-gas.a lib/x-y/libsmile-gas.so lib/x-y/libsmile-gas.so.0 \
		lib/x-y/pkgconfig/libsmile-gas.pc include/smile-monitor/smile/gas.h \
		include/smile-monitor/smile/monitor.h include/smile-monitor/uapi/smile_monitor.h \
		include/smile-monitor/uapi/smile_trace.h include/smile-monitor/uapi/smile_adapter.h \
		lib/x-y/libsisci.a lib/x-y/libsisci.so lib/x-y/libsisci.so.0 lib/x-y/pkgconfig/sisci.pc \
		lib/udev/rules.d/70-smile-monitor.rules lib/sysusers.d/smile-monitor.conf
	for header in include/smile/monitor/*.h include/smile/estimate/*.h; do
		echo "include/smile-monitor/${header#include/}"
	done
	printf '%s\n' include/sisci/*.h
	find docs/man -type f | sed -E 's,.*/([^/]*)\.([0-9])([a-z]*)$,share/man/man\2/\1.\2\3,'
} | LC_ALL=C sort >"$dir/wanted"
check "it has library, command, headers, man pages, udev rule and group" sh -c "
	[ \$(wc -l <'$dir/wanted') -gt 18 ] && cd '$stage' &&
		find . ! -type d | sed 's,^\./usr/,,' | LC_ALL=C sort | diff '$dir/wanted' -"
check "a PREFIX in the environment changes nothing" sh -c "
	PREFIX=/elsewhere LIBDIR=/elsewhere PYTHONDIR=/elsewhere make --no-print-directory -n install \\
		B='$B' DESTDIR=/stage >'$dir/commands' &&
		grep -q ' /stage/usr/local/lib\$' '$dir/commands' && ! grep elsewhere '$dir/commands'"
check "nothing in it knows of DESTDIR" sh -c "! grep -r -e '$stage' '$stage'"
check "pkg-config knows LIBDIR" grep -x 'libdir=/usr/lib/x-y' \
	"$stage/usr/lib/x-y/pkgconfig/libsmile-monitor.pc"
check "the rules are for the groups that sysusers makes, each for another" test \
	"$(awk '$1 == "g" { print $2 }' "$stage/usr/lib/sysusers.d/smile-monitor.conf")" = \
	"$(sed -n 's/.*GROUP="\([^"]*\)".*/\1/p' "$stage/usr/lib/udev/rules.d/70-smile-monitor.rules")"

rm -rf "$dir"
suite_end
