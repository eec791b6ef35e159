// SPDX-License-Identifier: GPL-2.0 OR MIT
// A headless Chromium for the tests, driven by playwright-core.
//
// What lives here: where both programs are found, how the browser is started, and the operations on a
// page that playwright does not have. All messages on the page's console, all errors and all requests
// are kept, so that a test can check that there were none.
import {createRequire} from "node:module";
import {accessSync, constants, existsSync} from "node:fs";
import path from "node:path";
import {check, equal} from "../harness/test.mjs";

/** The time limit of each operation: no test depends on time, but a test that hangs must end. */
const LIMIT = 300000;

/** The path of the distribution's browser; undefined if it is not installed. */
function chromiumPath() {
	for (const name of ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])
		for (const directory of (process.env.PATH || "").split(path.delimiter)) {
			const file = path.join(directory, name);
			try {
				accessSync(file, constants.X_OK);
				return file;
			} catch {
				continue;
			}
		}
	return undefined;
}

const clientPath = build => path.resolve(build, "browser/node_modules/playwright-core");
const clientIsThere = build => existsSync(path.join(clientPath(build), "package.json"));

/** The reason why no page can be driven, and the remedy; "" if a page can be driven. */
export function browserMissing(build) {
	if (!chromiumPath()) return "no chromium: apt-get install chromium-headless-shell, or make deps";
	return clientIsThere(build) ? "" : "no playwright-core: make deps";
}

/** A browser with one page; @build has playwright-core. */
export async function browserStart(build) {
	const {chromium} = createRequire(import.meta.url)(clientPath(build));
	const browser = await chromium.launch({
		executablePath: chromiumPath(),
		// In a container, tests run as root, and Chromium's sandbox is not available to root.
		chromiumSandbox: false,
		args: ["--disable-gpu"],
		timeout: LIMIT,
	});
	const context = await browser.newContext({viewport: {width: 1400, height: 900}});
	context.setDefaultTimeout(LIMIT);
	return new Shown(browser, await context.newPage());
}

/** The shown page. */
export class Shown {
	constructor(browser, page) {
		Object.assign(this, {browser, page, complaints: [], requests: []});
		page.on("console", message => this.complaints.push(message.text()));
		page.on("pageerror", error => this.complaints.push(String(error.stack)));
		page.on("request", request => {
			const own = request.isNavigationRequest() && request.frame() === page.mainFrame();
			if (!own && !request.url().startsWith("data:")) this.requests.push(request.url());
		});
	}

	async close() {
		await this.browser.close();
	}

	/**
	 * Open an address in an empty page, and wait until the page reports that it is complete.
	 */
	async open(url) {
		await this.page.goto("about:blank");
		this.complaints.length = this.requests.length = 0;
		await this.page.goto(url);
		return this.becomes(() => document.documentElement.dataset.ready === "1");
	}

	/** Does @condition, evaluated in the page, become true within the time limit? */
	async becomes(condition, argument) {
		try {
			await this.page.waitForFunction(condition, argument);
			return true;
		} catch (error) {
			if (error.name === "TimeoutError") return false;
			throw error;
		}
	}

	/**
	 * A check that @what, a locator or a condition in the page, becomes true within the time
	 * limit.
	 */
	async shows(name, what, argument) {
		const is =
			typeof what === "function"
				? await this.becomes(what, argument)
				: await what.first().waitFor().then(() => true, () => false);
		check(name, is, is ? "" : (await this.page.locator("body").innerText()).slice(0, 800));
	}

	/** The text of the first element; null if no element matches. */
	async text(selector) {
		const found = this.page.locator(selector).first();
		return (await found.count()) ? found.innerText() : null;
	}

	/** The cells of the rows that @locator finds, as they are shown. */
	cells(locator) {
		return locator.evaluateAll(rows =>
			rows.map(row => [...row.cells].map(cell => cell.innerText.trim())),
		);
	}

	/** The cells of the first table of a window. */
	rows(window) {
		const table = this.page.locator(`#window-${window} table`).first();
		return this.cells(table.locator("tbody").first().locator("tr:not(.spacer)"));
	}

	/** The part of the address that holds the state of the page. */
	state() {
		return this.page.evaluate(() => location.hash);
	}

	/** Drag within an element; @begin and @end are shares of its width. */
	async drag(selector, begin, end) {
		const element = this.page.locator(selector).first(),
			mouse = this.page.mouse;
		await element.scrollIntoViewIfNeeded();
		const {x, y, width, height} = await element.boundingBox();
		await mouse.move(x + begin * width, y + height / 2);
		await mouse.down();
		await mouse.move(x + end * width, y + height / 2);
		await mouse.up();
	}

	/** Wait until pending changes of the page are on the screen. */
	async drawn() {
		await this.page.evaluate(
			() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
		);
	}

	/** Take a picture after pending changes are drawn. */
	async picture(file) {
		await this.drawn();
		await this.page.screenshot({path: file});
	}

	/** Checks that the page logged nothing and requested nothing. */
	quiet(name) {
		equal(`${name}: no complaint on the console`, [], this.complaints);
		equal(`${name}: no request`, [], this.requests);
	}
}
