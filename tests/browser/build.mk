# A browser for the tests: playwright-core, which drives the distribution's Chromium. Debian has no
# package of it, so npm fetches it into $(B)/browser: the version and the hash of package-lock.json, and
# nothing else; no browser, and nothing of it is run meanwhile. What npm has in its cache it does not
# fetch again. The lock file names no registry, so that npm asks the one that it is configured for. For
# another version: change package.json, and
#
#	npm install --package-lock-only --omit-lockfile-registry-resolved --prefix tests/browser
BROWSER := $(B)/browser
BROWSER_CLIENT := $(BROWSER)/node_modules/playwright-core/package.json

# The limit for the download: npm's own time-outs do not apply while it connects, nor does
# it then heed a signal that can be ignored.
NPM := npm

$(BROWSER_CLIENT): tests/browser/package.json tests/browser/package-lock.json
	@mkdir -p $(BROWSER)
	@cp $^ $(BROWSER)
	@cd $(BROWSER) && $(NPM) ci --prefer-offline --ignore-scripts --no-audit --no-fund || { \
		echo 'npm cannot fetch playwright-core for the tests of the page: is there a network?' >&2; \
		exit 1; }
	@touch $@

.PHONY: deps-browser
deps-browser: $(BROWSER_CLIENT)
	@:
