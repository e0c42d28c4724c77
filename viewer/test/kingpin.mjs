// The command itself: runs models into folders of results, and serves them.
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/** Path of the command: KINGPIN, or what cargo has built. */
function command() {
  const name = process.platform === "win32" ? "kingpin.exe" : "kingpin";
  const built = ["debug", "release"].map((profile) => fileURLToPath(new URL(`target/${profile}/${name}`, root)));
  const found = [process.env.KINGPIN, ...built].find((path) => path && existsSync(path));
  if (!found) throw new Error("The kingpin command is not there: run `cargo build` first, or set KINGPIN to its path.");
  return found;
}

const options = { cwd: fileURLToPath(root), encoding: "utf8" };

/** Runs the command to its end; its output. */
export function kingpin(...args) {
  return execFileSync(command(), args, { ...options, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

/** Starts the command; `said(pattern)` waits for a line of its output. */
export function start(...args) {
  const child = spawn(command(), args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const listeners = new Set();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (part) => {
      text += part;
      for (const l of listeners) l();
    });
  }
  const ended = new Promise((done) => child.on("close", done));
  const said = (pattern) =>
    new Promise((done, fail) => {
      const look = () => {
        const found = pattern.exec(text);
        if (!found) return;
        listeners.delete(look);
        done(found);
      };
      listeners.add(look);
      look();
      ended.then(() => fail(new Error(`kingpin ${args.join(" ")} has ended: ${text}`)));
    });
  return { said, ended, stop: (signal = "SIGTERM") => (child.kill(signal), ended), output: () => text };
}

/** Serves results or a model; its address, how to ask without a page, and how to stop. */
export async function view(...paths) {
  const served = start("view", ...paths, "--no-open");
  const [address] = await served.said(/http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]+/);
  const { origin, search } = new URL(address);
  return { ...served, address, origin, ask: (path, options) => fetch(`${origin}/${path}${search}`, options) };
}
