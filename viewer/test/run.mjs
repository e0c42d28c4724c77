// Runs test files side by side in one Chromium: `node test/run.mjs [FILE…]`, all of them by default.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { startServer } from "./browser.mjs";
import { writeAll } from "./generate/all.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const named = process.argv.slice(2);
const files =
  named.length > 0
    ? named
    : readdirSync(here)
        .filter((name) => name.endsWith(".test.mjs"))
        .map((name) => here + name);
mkdirSync(here + "screenshots", { recursive: true });
mkdirSync(here + "data/runs", { recursive: true });
writeAll(new URL("data/", import.meta.url), readFileSync(new URL("../dist/index.html", import.meta.url), "utf8"));
const server = await startServer();
const child = spawn(process.execPath, ["--test", "--test-reporter=spec", `--test-concurrency=${availableParallelism()}`, ...files], {
  stdio: "inherit",
  env: { ...process.env, KINGPIN_BROWSER: server.wsEndpoint() },
});
child.on("close", async (code) => {
  await server.close();
  process.exitCode = code ?? 1;
});
