// The page of a study: dots, lines, curves, table; points opened as runs.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe, look } from "./axe.mjs";
import { PATIENCE, open, startBrowser } from "./browser.mjs";
import { kingpin, start, view } from "./kingpin.mjs";

const runs = fileURLToPath(new URL("data/runs/", import.meta.url));
const SIZE = { width: 1200, height: 800 };
let browser;

before(async () => {
  mkdirSync(runs, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

/** A study of a copy of the pendulum, whose file may be changed; its folder and the file. */
function studied(name) {
  const [folder, file] = [`${runs}study-${name}`, `${runs}study-${name}.toml`];
  writeFileSync(file, readFileSync(new URL("../../models/pendulum.toml", import.meta.url), "utf8"));
  rmSync(folder, { recursive: true, force: true });
  kingpin(
    "sweep",
    file,
    "--vary",
    "l=[1, 1.5, 2, 0] m",
    "--metric",
    "max(bob_x)",
    "--metric",
    "min(bob_y)",
    "--channels",
    "bob_*",
    "--t-end",
    "1",
    "--output",
    folder,
    "--quiet",
  );
  return { folder, file };
}

async function shown(folder, options, act) {
  const served = await view(folder);
  try {
    const { page, problems, context } = await open(browser, served.address, { ...SIZE, ...options });
    await page.locator(".study-line").first().waitFor({ state: "attached", timeout: PATIENCE });
    await act(page, context);
    assert.deepEqual(
      problems.filter((p) => !/422/.test(p)),
      [],
    );
    await context.close();
  } finally {
    await served.stop();
  }
}

const openRun = async (page, context) => {
  const [opened] = await Promise.all([context.waitForEvent("page"), page.getByRole("button", { name: "Open run" }).click()]);
  return opened;
};
const chosen = (page) => page.evaluate(() => [...document.querySelectorAll(".chosen")].map((e) => e.dataset.point ?? e.dataset.row));

test("dots, lines, curves and rows show the same point; it is opened as the run that it was", async () => {
  const { folder } = studied("looked-at");
  await shown(folder, {}, async (page, context) => {
    await page.locator(".study-curve").nth(2).waitFor({ state: "attached", timeout: PATIENCE });
    assert.match(await page.locator(".brand").innerText(), /4 of 4 points; 1 failed/);
    assert.equal(await page.locator("circle.study-point").count(), 3);
    assert.equal(await page.locator(".study-line").count(), 4);
    assert.equal(await page.locator("tbody tr").count(), 4);
    await page.locator('circle[data-point="1"]').click();
    assert.match(await page.locator(".study-picked").innerText(), /^Point 1: l = 1.5 m, max\(bob_x\) = /);
    assert.deepEqual(await chosen(page), ["1", "1", "1", "1"], "not the same point everywhere");
    await page.locator('.study-curve[data-point="2"]').dispatchEvent("click");
    assert.deepEqual(await chosen(page), ["2", "2", "2", "2"]);
    await page.locator('.study-line[data-point="0"]').dispatchEvent("click");
    assert.deepEqual(await chosen(page), ["0", "0", "0", "0"]);

    // other quantities, other channels, other colours
    const axis = () => page.locator("section[aria-label=Scatter] svg").getAttribute("aria-label");
    assert.equal(await axis(), "max(bob_x) [m] over l [m]");
    await page.getByLabel("y axis", { exact: true }).selectOption({ label: "min(bob_y) [m]" });
    assert.equal(await axis(), "min(bob_y) [m] over l [m]");
    const marks = await page.locator("section[aria-label=Scatter] svg > text").allTextContents();
    assert.ok(marks.filter((m) => m.startsWith("−")).length > 2 && !marks.some((m) => /^-/.test(m)), marks.join());
    const colour = () => page.locator('circle[data-point="2"]').getAttribute("style");
    const was = await colour();
    await page.getByLabel("Colour", { exact: true }).selectOption({ label: "min(bob_y) [m]" });
    assert.notEqual(await colour(), was);
    await page.getByLabel("Channel", { exact: true }).selectOption({ label: "bob_y [m]" });
    assert.match(await page.locator("section[aria-label=Curves] svg").getAttribute("aria-label"), /^bob_y \[m\] of 3 points$/);
    await page.evaluate(axe);
    await look(page, "study");

    // by keys alone
    await page.getByRole("button", { name: "Point 1", exact: true }).focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await chosen(page), ["1", "1", "1", "1"]);
    await page.getByRole("button", { name: "Next point" }).press("Enter");
    assert.match(await page.locator(".study-picked").innerText(), /^Point 2/);
    await page.getByRole("button", { name: "Previous point" }).press("Enter");
    const opened = await openRun(page, context);
    await opened.waitForFunction(() => window.kingpin?.frames() > 1, undefined, { timeout: PATIENCE });
    assert.match(await opened.locator(".brand").innerText(), /l = \(1.5\) m/);
    assert.equal((await opened.evaluate(() => window.kingpin.range()))[1], 1, "it does not end where the study did");
    assert.equal(await page.locator(".study-said").isVisible(), false);
  });
});

test("a model that was changed or is gone is told", async () => {
  const { folder, file } = studied("changed");
  await shown(folder, { dark: true }, async (page, context) => {
    await page.evaluate(axe);
    await look(page, "study in the dark");
    await page.locator('circle[data-point="2"]').click();
    writeFileSync(file, readFileSync(file, "utf8").replace('point_mass = "1 kg"', 'point_mass = "3 kg"'));
    const opened = await openRun(page, context);
    await opened.waitForFunction(() => window.kingpin?.frames() > 1, undefined, { timeout: PATIENCE });
    for (const where of [page.locator(".study-said"), opened.locator(".controls-trouble")]) {
      await where.waitFor({ state: "visible", timeout: PATIENCE });
      assert.match(await where.innerText(), /has changed since the study, so this run may differ from point 2/);
    }
    await look(page, "a notice");
    rmSync(file);
    await page.getByRole("button", { name: "Open run" }).click();
    await page.waitForFunction(() => /in which the study was run/.test(document.querySelector(".study-said")?.textContent ?? ""), undefined, {
      timeout: PATIENCE,
    });
  });
});

test("a study under way grows in place", async () => {
  const folder = `${runs}study-growing`;
  rmSync(folder, { recursive: true, force: true });
  const sweep = start(
    "sweep",
    "models/pendulum.toml",
    "--vary",
    "l=0.5..2 m:20000",
    "--metric",
    "max(bob_x)",
    "--t-end",
    "5",
    "--threads",
    "1",
    "--output",
    folder,
    "--quiet",
  );
  try {
    for (let lines = 0; lines < 3; await new Promise((d) => setTimeout(d, 50))) {
      try {
        lines = readFileSync(`${folder}/table.csv`, "utf8").split("\n").length - 2;
      } catch {
        // not there yet
      }
    }
    await shown(folder, {}, async (page) => {
      const dots = () => page.locator("circle.study-point").count();
      const first = await dots();
      await page.locator('circle[data-point="1"]').dispatchEvent("click");
      await page.waitForFunction((n) => document.querySelectorAll("circle.study-point").length > n, first, { timeout: PATIENCE });
      assert.match(await page.locator(".study-picked").innerText(), /^Point 1:/);
      assert.ok((await chosen(page)).every((k) => k === "1"));
    });
  } finally {
    await sweep.stop("SIGINT");
  }
});
