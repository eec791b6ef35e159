# The Python package smile_monitor, which uses the library through ctypes. It is installed in the directory in
# which Python searches for packages of this prefix; Debian's own packages are in one directory for all versions.
PYTHON ?= python3
PYTHON_VERSION = $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
PYTHONDIR = $(PREFIX)/lib/python$(if $(filter /usr,$(PREFIX)),3,$(PYTHON_VERSION))/dist-packages

install: install-python
.PHONY: install-python
install-python:
	install -d $(DESTDIR)$(PYTHONDIR)/smile_monitor
	install -m 644 lib/python/smile_monitor/__init__.py $(DESTDIR)$(PYTHONDIR)/smile_monitor
