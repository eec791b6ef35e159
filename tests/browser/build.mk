# A browser for the tests: playwright-core, which drives the distribution's Chromium. Debian has no
# package of it, so npm fetches it into $(B)/browser: the version and the hash of package-lock.json, and
# nothing else; no browser, and nothing of it is run meanwhile. The lock file names no registry, so that
# npm asks the one that it is configured for. For another version: change package.json, and
#
#	npm install --package-lock-only --omit-lockfile-registry-resolved --prefix tests/browser
BROWSER_CLIENT := $(B)/browser/installed

$(BROWSER_CLIENT): tests/browser/package.json tests/browser/package-lock.json
	@mkdir -p $(@D)
	@cp $^ $(@D)
	@cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund || { \
		echo 'npm cannot fetch playwright-core for the tests of the page: is there a network?' >&2; \
		exit 1; }
	@touch $@

.PHONY: deps-browser
deps-browser: $(BROWSER_CLIENT)
	@:
