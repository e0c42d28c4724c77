// Several runs in one page: curves beside each other, mechanisms in one scene; the Model tab shows what there is.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { copyOf, settle } from "./browser.mjs";
import { embed } from "./generate/all.mjs";
import { data, report } from "./report.mjs";

/** The four-bar beside the same in slow motion: its times are twice as large. */
function write() {
  const d = JSON.parse(readFileSync(new URL("four_bar.json", data), "utf8"));
  const bytes = Buffer.from(d.frames.times.f64, "base64");
  const times = Array.from({ length: d.frames.count }, (_, i) => 2 * bytes.readDoubleLE(8 * i));
  d.runs = [{ name: "slow", channels: d.channels.map(({ name, unit }) => ({ name, unit })), frames: { ...d.frames, times: { values: times } } }];
  d.model.description = "A crank turns, a coupler follows, and a rocker swings to and fro between the ends of its way";
  d.model.text = 'name = "four_bar"\n# a comment with <b>markup</b>\n';
  d.model.roads = [
    {
      name: "lane",
      points: [
        [0, 0],
        [1, 0.1],
        [2, 0],
      ],
    },
  ];
  writeFileSync(new URL("runs.html", data), embed(readFileSync(new URL("../dist/index.html", import.meta.url), "utf8"), d));
}

test("curves and mechanisms of another run stand beside those of the run shown", async () => {
  write();
  await report("runs", {}, async (page) => {
    const beside = page.locator(".brand .given");
    assert.equal(await beside.innerText(), "compared with slow");
    assert.ok(await beside.evaluate((e) => e.scrollWidth <= e.clientWidth), "what is compared is cut off");
    const plotted = await page.evaluate(() => window.kingpin.plottedChannels());
    assert.ok(plotted.includes("kinetic") && plotted.includes("kinetic (slow)"), plotted.join());
    const [, end] = await page.evaluate(() => window.kingpin.range());
    await page.evaluate(() => window.kingpin.setTime(1e9));
    const last = await page.evaluate(() => window.kingpin.time());
    assert.ok(Math.abs(end - 2 * last) < 1e-9, `charts end at ${end} s, the longer run at ${2 * last} s`);
    await page.evaluate(() => window.kingpin.setTime(0.8));
    await settle(page);
    const other = await page.evaluate(() => window.kingpin.otherPosition(0, "coupler"));
    const own = await page.evaluate(() => (window.kingpin.setTime(0.4), window.kingpin.bodyPosition("coupler")));
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(other[k] - own[k]) < 1e-6, `${other}, not ${own}`);
    // a drawing tells the runs apart as the page does
    const saved = async () => {
      await page.locator(".chart details.menu summary").first().click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Vector graphics (SVG)" }).click()]);
      const text = readFileSync(await copyOf(download), "utf8");
      return [...text.matchAll(/<path [^>]*clip-path[^>]*><title>([^<]*)/g)].map(([path, name]) => [name, path.includes("stroke-dasharray")]);
    };
    for (const [name, dashed] of await saved()) assert.equal(dashed, name.includes("(slow)"), name);
    // over another curve, each run over its own: the same way at another speed is the same curve
    await page.evaluate(() => {
      for (const name of window.kingpin.plottedChannels()) window.kingpin.plot(name);
      for (const name of ["crank.angle", "rocker.angle"]) window.kingpin.plot(name);
    });
    const menu = page.locator(".chart details.menu").first();
    await menu.locator("summary").click();
    await menu.getByLabel("Show", { exact: true }).selectOption("xy");
    await menu.getByLabel("Horizontal axis").selectOption({ label: "crank.angle" });
    await page.keyboard.press("Escape");
    await settle(page);
    const drawn = await page.locator(".still svg path[clip-path]").evaluateAll((all) => all.map((p) => p.getAttribute("d")));
    assert.equal(drawn.length, 2);
    assert.equal(drawn[0], drawn[1]);
    assert.deepEqual(await saved(), [
      ["rocker.angle", false],
      ["rocker.angle (slow)", true],
    ]);
    await page.evaluate(() => window.kingpin.plot("kinetic"));
    // taken out together
    await page.evaluate(() => window.kingpin.plot("kinetic"));
    const left = await page.evaluate(() => window.kingpin.plottedChannels());
    assert.ok(!left.some((name) => name.startsWith("kinetic")), left.join());
  });
});

test("the Model tab shows measures, positions, roads and the file", async () => {
  write();
  await report("runs", {}, async (page) => {
    await page.click("#tab-model");
    await settle(page);
    const titles = await page.locator(".contents button").allInnerTexts();
    for (const title of ["Measures", "Positions", "Roads", "Model file"])
      assert.ok(
        titles.some((t) => t.startsWith(title)),
        `${title} is not among ${titles.join()}`,
      );
    assert.match(await page.locator(".model-text pre").innerText(), /# a comment with <b>markup<\/b>/);
    const row = await page.locator("section[aria-label=Roads] tbody tr").first().locator("td, th").allInnerTexts();
    assert.deepEqual(row, ["lane", "3", "0", "2", "0", "0.1"]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".model-text button").click()]);
    assert.equal(download.suggestedFilename(), "four_bar.toml");
  });
});
