// SPDX-License-Identifier: GPL-2.0 OR MIT
// A smile serve for the tests of its page, and a recording that grows, as in tests/serve/serving.py for the
// tests of its HTTP. Node's own library only.
import {spawn} from "node:child_process";
import {once} from "node:events";
import {connect, createServer} from "node:net";
import {createInterface} from "node:readline";
import path from "node:path";
import {fileURLToPath} from "node:url";

/** The maximum time of any operation, ms: no test depends on it, but a test that hangs must end. */
export const LIMIT = 300000;

/** The limit of every wait. */
export async function inTime(what, promise) {
	let timer;
	const late = new Promise((_, fail) => {
		timer = setTimeout(() => fail(new Error(`${what}: not within ${LIMIT / 1000} s`)), LIMIT);
	});
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** A child process that communicates by lines; it ends with the test, however the test ends. */
class Lines {
	constructor(command, args) {
		this.name = path.basename(command);
		this.process = spawn("setpriv", ["--pdeathsig", "KILL", command, ...args], {stdio: ["pipe", "pipe", "inherit"]});
		process.on("exit", () => this.process.kill("SIGKILL"));
		this.ended = once(this.process, "exit");
		this.lines = createInterface({input: this.process.stdout})[Symbol.asyncIterator]();
	}

	async line() {
		const {value} = await inTime(`a line of ${this.name}`, this.lines.next());
		return value;
	}

	/** Wait for its end. */
	async over() {
		await inTime(`the end of ${this.name}`, this.ended);
	}
}

/** A smile serve; url is its address. */
export class Server extends Lines {
	static async start(build, ...args) {
		const server = new Server(path.join(build, "bin/smile"), ["serve", "--listen", "127.0.0.1:0", ...args]);
		server.url = await server.line();
		if (!/^http:\/\/127\.0\.0\.1:\d+\/$/.test(server.url)) throw new Error(`no address: ${server.url}`);
		return server;
	}

	async end() {
		this.process.kill("SIGTERM");
		await this.over();
	}
}

/** A port that stays open while the server behind it ends and another one starts: no other process can use it. */
export class Front {
	static async start(server) {
		const front = new Front();
		front.sockets = new Set();
		front.listening = createServer(socket => front.connect(socket)).listen(0, "127.0.0.1");
		await once(front.listening, "listening");
		front.url = `http://127.0.0.1:${front.listening.address().port}/`;
		front.lead(server);
		return front;
	}

	/** Forward to this server from now on; null: to none. */
	lead(server) {
		this.port = server && Number(new URL(server.url).port);
		for (const socket of this.sockets) socket.destroy();
	}

	connect(socket) {
		const ends = this.port ? [socket, connect(this.port, "127.0.0.1")] : [socket];
		for (const end of ends) {
			this.sockets.add(end);
			end.on("error", () => {});
			end.on("close", () => {
				this.sockets.delete(end);
				ends.forEach(other => other.destroy());
			});
		}
		if (ends.length === 1) return socket.destroy();
		ends[0].pipe(ends[1]);
		ends[1].pipe(ends[0]);
	}

	end() {
		this.lead(null);
		this.listening.close();
	}
}

/** A state file that grows: rows without blanks. */
export class States extends Lines {
	static async start(file) {
		const writer = fileURLToPath(new URL("../harness/state_writer.py", import.meta.url)),
			states = new States("python3", [writer, file]);
		await states.line();
		return states;
	}

	async add(...rows) {
		this.process.stdin.write(`${rows.join(" ")}\n`);
		await this.line();
	}

	async end() {
		this.process.stdin.end();
		await this.over();
	}
}

/** Runs BUILD/tests/serve/feeder (feeder.c), whose head lists the commands. */
export class Feeder extends Lines {
	static async start(build, file, node = 0) {
		const feeder = new Feeder(path.join(build, "tests/serve/feeder"), [file, "records", `${node}`]);
		await feeder.heed();
		return feeder;
	}

	async heed() {
		const said = await this.line();
		if (said !== "ok") throw new Error(`the feeder says ${said}`);
	}

	async do(line) {
		this.process.stdin.write(`${line}\n`);
		await this.heed();
	}

	async end() {
		this.process.stdin.end();
		await this.over();
	}
}
