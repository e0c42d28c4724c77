// `kingpin view`: runs under way, and models while they are written.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PATIENCE, open, ready, startBrowser } from "./browser.mjs";
import { kingpin, start, view } from "./kingpin.mjs";

const runs = fileURLToPath(new URL("data/runs/", import.meta.url));
const SMALL = { width: 900, height: 600 };
let browser;

before(async () => {
  mkdirSync(runs, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

const until = async (what, time = PATIENCE) => {
  for (const end = Date.now() + time; !(await what()); await new Promise((d) => setTimeout(d, 100))) {
    if (Date.now() > end) throw new Error("it has not happened");
  }
};

test("a run under way is followed to its end", async () => {
  const model = `${runs}long.toml`;
  const folder = `${runs}long`;
  writeFileSync(model, kingpin("generate", "chain", "--size", "40"));
  rmSync(folder, { recursive: true, force: true });
  const run = start("run", model, "-o", folder, "--t-end", "100000", "--frame", "0.3", "--quiet");
  let served;
  try {
    await until(() => existsSync(`${folder}/channels.json`));
    served = await view(folder);
    const { page, problems, context } = await open(browser, served.address, SMALL);
    await ready(page);
    // a page that has fallen behind loads itself anew
    const steady = async (what) => {
      for (;;) {
        try {
          return await page.evaluate(what);
        } catch (error) {
          if (!/context was destroyed|navigation|undefined/i.test(String(error))) throw error;
          await ready(page);
        }
      }
    };
    const frames = () => steady(() => window.kingpin.frames());
    assert.equal(await page.locator(".badge").innerText(), "live");
    const first = await frames();
    const at = () => steady(() => window.kingpin.time());
    const shown = await at();
    await page.waitForFunction((n) => window.kingpin.frames() > n, first, { timeout: PATIENCE });
    assert.ok((await at()) > shown, "the page does not go along");
    // the user ends it
    await run.stop("SIGINT");
    await page.waitForFunction(() => document.querySelector(".badge")?.textContent === "finished", undefined, { timeout: PATIENCE });
    assert.ok((await frames()) > first);
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await run.stop("SIGKILL");
    await served?.stop();
  }
});

test("a model is shown, and again when it is saved", async () => {
  const file = `${runs}edited.toml`;
  const text = readFileSync(new URL("../../models/four_bar.toml", import.meta.url), "utf8");
  writeFileSync(file, text);
  const served = await view(file);
  try {
    const { page, context } = await open(browser, served.address, SMALL);
    await ready(page);
    await page.waitForFunction(() => window.kingpin?.frames() > 1, undefined, { timeout: PATIENCE });
    const name = () => page.locator(".brand strong").innerText();
    const said = async () => page.locator(".controls-trouble").innerText();
    assert.equal(await name(), "four_bar");

    writeFileSync(file, text.replace(/^name = .*$/m, 'name = "mended"').replace(/^space = .*$/m, 'space = "flat"'));
    await until(async () => /flat/.test((await said().catch(() => "")) || ""));

    writeFileSync(file, text.replace(/^name = .*$/m, 'name = "mended"'));
    await until(async () => (await name().catch(() => "")) === "mended");
    await context.close();
  } finally {
    await served.stop();
  }
});

test("finished results are served whole, and to this address only", async () => {
  const folder = `${runs}viewed`;
  kingpin("run", "models/four_bar.toml", "-o", folder, "--force", "--quiet", "--t-end", "0.5");
  const served = await view(folder);
  try {
    const { page, problems, context } = await open(browser, served.address, SMALL);
    await ready(page);
    assert.ok((await page.evaluate(() => window.kingpin.frames())) > 10);
    assert.equal(await page.locator(".badge").isVisible(), false);
    assert.deepEqual(problems, []);
    await context.close();
    const status = async (path, options) => (await served.ask(path, options)).status;
    assert.equal(await status("channels.json"), 404);
    assert.equal(await status("..%2f..%2fCargo.toml"), 404);
    assert.equal(await status("", { method: "POST" }), 405);
  } finally {
    await served.stop();
  }
});

test("an address copied from the page opens nothing elsewhere", async () => {
  const served = await view("models/four_bar.toml");
  try {
    const { page, problems, context } = await open(browser, served.address, SMALL);
    await ready(page);
    assert.equal(page.url(), `${served.origin}/`);
    // neither the page nor its scripts know the token, and the way back does not lead to it
    const token = new URL(served.address).searchParams.get("token");
    assert.ok(!(await page.content()).includes(token));
    assert.equal(await page.evaluate(() => document.cookie), "");
    assert.deepEqual(problems, []);
    await page.reload();
    await ready(page);
    const kept = await page.evaluate(() => performance.getEntriesByType("navigation").length + history.length);
    assert.ok(kept <= 3, "the address with the token is in the history");
    const copied = page.url();
    await context.close();
    const stranger = await browser.newContext();
    const other = await stranger.newPage();
    const answer = await other.goto(copied);
    assert.equal(answer.status(), 403);
    assert.match(await other.locator("body").innerText(), /the complete address printed by `kingpin view`/);
    await stranger.close();
  } finally {
    await served.stop();
  }
});

test("a page in a frame works without cookies, where that was asked for", async () => {
  for (const [options, shown] of [
    [["--embed"], true],
    [[], false],
  ]) {
    const served = await view("models/four_bar.toml", ...options);
    // the frame stands in a page of another name
    const outer = createServer((_, response) => response.end(`<iframe src="${served.address}" width="800" height="500"></iframe>`));
    await new Promise((done) => outer.listen(0, "127.0.0.1", done));
    const context = await browser.newContext();
    const page = await context.newPage();
    try {
      await page.goto(`http://localhost:${outer.address().port}/`);
      const frame = page.frames()[1];
      if (shown) await frame.waitForFunction(() => window.kingpin?.ready === true, undefined, { timeout: PATIENCE });
      else assert.equal(await frame.locator("#app").count(), 0);
    } finally {
      await context.close();
      outer.close();
      await served.stop();
    }
  }
});

test("two runs in one page", async () => {
  const folders = ["first", "second"].map((name) => `${runs}compared-${name}`);
  folders.forEach((folder, k) => kingpin("run", "models/four_bar.toml", "-o", folder, "--force", "--quiet", "--t-end", k === 0 ? "1" : "0.5"));
  const served = await view(...folders);
  try {
    const { page, problems, context } = await open(browser, served.address, SMALL);
    await ready(page);
    const plotted = await page.evaluate(() => window.kingpin.plottedChannels());
    assert.ok(plotted.includes("crank_angle") && plotted.includes("crank_angle (compared-second)"), plotted.join());
    const apart = await page.evaluate(() => {
      window.kingpin.setTime(0.25);
      return new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done([window.kingpin.bodyPosition("coupler"), window.kingpin.otherPosition(0, "coupler")]))),
      );
    });
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(apart[0][k] - apart[1][k]) < 1e-3, JSON.stringify(apart));
    await page.click("#tab-model");
    assert.match(await page.locator(".model-text pre").innerText(), /name = "four_bar"/);
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    await served.stop();
  }
});
