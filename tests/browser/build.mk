# A browser for the tests: playwright-core, which drives the distribution's Chromium. Debian has no
# package of it, so npm fetches it into $(B)/browser, with the version and the hash of package-lock.json.
# It fetches no browser, and runs no code of the package. npm does not fetch packages in its cache again.
# The lock file names no registry, so npm uses the registry that it is configured for. For another
# version: change package.json, and
#
#	npm install --package-lock-only --omit-lockfile-registry-resolved --prefix tests/browser
BROWSER := $(B)/browser
BROWSER_CLIENT := $(BROWSER)/node_modules/playwright-core/package.json

# The time limit of the download: npm's own time-outs do not apply while it connects, and it then
# ignores all signals that can be ignored.
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
