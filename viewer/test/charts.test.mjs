// What charts can do: units, derivative and integral, differences, statistics, x–y, spectra, boxes, files; channels by
// body. One page for most of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { copyOf, settle } from "./browser.mjs";
import { report, shots } from "./report.mjs";

const openMenu = async (page, chart = 0) => {
  const menu = page.locator(".chart").nth(chart).locator("details.menu");
  if ((await menu.getAttribute("open")) === null) await menu.locator("summary").click();
  return menu;
};
const shut = async (page) => {
  await page.keyboard.press("Escape");
  await settle(page);
};
const chips = (page) => page.locator(".chart").first().locator(".chip").allInnerTexts();
/** The numbers of the first chart as a table: names, rows. */
async function table(page, kind = "Data (CSV)") {
  const menu = await openMenu(page);
  const [download] = await Promise.all([page.waitForEvent("download"), menu.getByRole("button", { name: kind }).click()]);
  const text = readFileSync(await copyOf(download), "utf8");
  await settle(page);
  return { name: download.suggestedFilename(), text };
}
const rows = ({ text }) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
const add = async (page, operation, second) => {
  const menu = await openMenu(page);
  await menu.getByLabel("Operation").selectOption(operation);
  if (second) await menu.getByLabel("Second curve").selectOption({ label: second });
  await menu.getByRole("button", { name: "Add", exact: true }).click();
  await settle(page);
};
/** Charts with some channels and no others. */
const only = async (page, ...names) => {
  await page.evaluate((wanted) => {
    for (const name of window.kingpin.plottedChannels()) window.kingpin.plot(name);
    for (const name of wanted) window.kingpin.plot(name);
  }, names);
  await settle(page);
};

test("curves: derivative, integral, difference; units; statistics; x–y; spectrum; files", async () => {
  await report("four_bar", {}, async (page) => {
    await only(page, "crank.angle", "crank.omega");
    await add(page, "derivative");
    assert.match((await chips(page)).join(), /d\(crank\.angle\)\/dt[^]*rad\/s/);
    await add(page, "integral");
    let data = rows(await table(page));
    assert.deepEqual(data[0].slice(0, 4), ["time [s]", "crank.angle [rad]", "crank.omega [rad/s]", "d(crank.angle)/dt [rad/s]"]);
    assert.match(data[0][4], /∫ crank\.angle dt \[rad·s\]/);
    const [t, angle, omega, slope, sum] = [0, 1, 2, 3, 4].map((k) => data.slice(1).map((r) => Number(r[k])));
    for (let i = 2; i + 2 < t.length; i++) assert.ok(Math.abs(slope[i] - omega[i]) < 2e-3 * Math.abs(omega[i]) + 1e-3, `${i}: ${slope[i]}, not ${omega[i]}`);
    const exact = t.reduce((s, x, i) => (i === 0 ? 0 : s + 0.5 * (angle[i] + angle[i - 1]) * (x - t[i - 1])), 0);
    assert.ok(Math.abs(sum[sum.length - 1] - exact) < 1e-6 * Math.abs(exact));

    // degrees in this chart alone, then everywhere
    let menu = await openMenu(page);
    await menu.getByLabel("Unit of rad", { exact: true }).selectOption("deg");
    await shut(page);
    data = rows(await table(page));
    assert.equal(data[0][1], "crank.angle [deg]");
    assert.ok(Math.abs(Number(data[10][1]) - (angle[9] * 180) / Math.PI) < 1e-6);
    await page.click('[aria-label="Units"]');
    await page.getByLabel("Angular velocity").selectOption("rpm");
    await page.keyboard.press("Escape");
    await settle(page);
    assert.match((await chips(page)).join(), /crank\.omega[^]*rpm/);
    await page.locator(".channels input").fill("crank.omega");
    await settle(page);
    assert.match(await page.locator(".channel-row:not(.heading):visible").first().innerText(), /rpm/);
    await page.locator(".channels input").fill("");
    await page.click('[aria-label="Units"]');
    await page.getByLabel("Angular velocity").selectOption("rad/s");
    await page.keyboard.press("Escape");

    // curves on each other are marked
    await page.locator('[aria-label="Remove ∫ crank.angle dt"]').click({ force: true });
    assert.match((await chips(page))[2], /= crank\.omega/);

    menu = await openMenu(page);
    await menu.getByLabel("Statistics of visible range").check();
    await shut(page);
    const cells = await page.locator(".statistics tbody tr").nth(1).locator("td").allInnerTexts();
    const number = (text) => Number(text.replace("−", "-"));
    assert.ok(
      Math.abs(number(cells[0]) - Math.min(...omega)) < 1e-3 * Math.abs(number(cells[0])) &&
        Math.abs(number(cells[1]) - Math.max(...omega)) < 1e-3 * Math.abs(number(cells[1])),
      cells.join(),
    );
    assert.match(await page.locator(".statistics caption").innerText(), /from 0/);
    await page.screenshot({ path: `${shots}charts_statistics.png` });

    menu = await openMenu(page);
    await menu.getByLabel("Show", { exact: true }).selectOption("xy");
    await menu.getByLabel("Horizontal axis").selectOption({ label: "crank.angle" });
    await shut(page);
    const svg = page.locator(".still svg");
    assert.equal(await svg.locator("path[clip-path]").count(), 2);
    assert.equal(await svg.locator("circle.now").count(), 2);
    assert.match(await svg.textContent(), /crank\.angle, deg/);
    const before = await svg.locator("circle.now").first().getAttribute("cx");
    await page.evaluate(() => window.kingpin.setTime(0.7));
    await settle(page);
    assert.notEqual(await svg.locator("circle.now").first().getAttribute("cx"), before, "the dot stays");
    await page.screenshot({ path: `${shots}charts_xy.png` });
    const box = await page.locator(".still").first().boundingBox();
    const marks = await svg.textContent();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.3 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.6 * box.height, { steps: 3 });
    assert.ok(await page.locator(".still .zoom-box").first().isVisible());
    await page.mouse.up();
    await settle(page);
    assert.notEqual(await svg.textContent(), marks, "the box has not zoomed");

    const drawing = await table(page, "Vector graphics (SVG)");
    assert.match(drawing.name, /^four_bar-crank\.angle-.*\.svg$/);
    assert.match(drawing.text, /^<svg [^>]*>.*<\/svg>$/s);
    const picture = await openMenu(page);
    const [download] = await Promise.all([page.waitForEvent("download"), picture.getByRole("button", { name: "Image (PNG)" }).click()]);
    const bytes = readFileSync(await copyOf(download));
    assert.ok(bytes.subarray(1, 4).toString() === "PNG" && bytes.length > 5000, `${bytes.length} bytes`);
  });
});

test("sums and differences of curves, and what they are plotted over is saved with them", async () => {
  await report("four_bar", {}, async (page) => {
    await only(page, "crank.angle", "rocker.angle");
    await add(page, "difference", "rocker.angle");
    await add(page, "sum", "rocker.angle");
    assert.match((await chips(page)).join(), /crank\.angle − rocker\.angle[^]*crank\.angle \+ rocker\.angle/);
    const data = rows(await table(page))
      .slice(1)
      .map((r) => r.map(Number));
    assert.ok(data.length > 100);
    for (const [, a, b, difference, sum] of data) {
      assert.ok(Math.abs(difference - (a - b)) < 1e-12 && Math.abs(sum - (a + b)) < 1e-12, `${a}, ${b}: ${difference}, ${sum}`);
    }
  });
});

test("the spectrum of a chart: frequencies across, and its numbers as a file", async () => {
  await report("four_bar", {}, async (page) => {
    await only(page, "crank.omega");
    const menu = await openMenu(page);
    await menu.getByLabel("Show", { exact: true }).selectOption("spectrum");
    await shut(page);
    const svg = page.locator(".still svg").first();
    assert.match(await svg.textContent(), /frequency, Hz/);
    assert.equal(await svg.locator("path[clip-path]").count(), 1);
    await page.screenshot({ path: `${shots}charts_spectrum.png` });
    const data = rows(await table(page));
    assert.match(data[0].join(), /frequency.*Hz.*crank\.omega/);
    assert.ok(data.length > 20 && data.slice(1).every((r, k, all) => k === 0 || Number(r[0]) > Number(all[k - 1][0])), "frequencies do not rise");
  });
});

test("a spectrum has its peak where the oscillation is, as high as its amplitude", async () => {
  await report("rough", {}, async (page) => {
    // a window of its own, so that what it draws is known
    const peak = await page.evaluate(() => {
      const t = Float64Array.from({ length: 2000 }, (_, i) => i * 0.005);
      return window.kingpin.spectrum(
        t,
        t.map((x) => 4 + 0.3 * Math.sin(2 * Math.PI * 7 * x)),
      );
    });
    assert.ok(Math.abs(peak.frequency - 7) < 0.06 && Math.abs(peak.amplitude - 0.3) < 0.005, JSON.stringify(peak));
  });
});

test("a box and the wheel with Ctrl zoom in height, a double click brings all of it back", async () => {
  await report("four_bar", {}, async (page) => {
    await only(page, "crank.angle", "crank.omega");
    const heights = () => page.evaluate(() => window.kingpin.heights());
    const [whole] = await heights();
    const over = await page.locator(".chart .u-over").first().boundingBox();
    const at = (fx, fy) => [over.x + fx * over.width, over.y + fy * over.height];
    await page.keyboard.press("z");
    await page.mouse.move(...at(0.2, 0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.6, 0.5), { steps: 4 });
    await page.mouse.up();
    await settle(page);
    const range = await page.evaluate(() => window.kingpin.range());
    const [zoomed] = await heights();
    const close = (a, b, size) => assert.ok(Math.abs(a - b) < 0.02 * size, `${a}, not ${b}`);
    const span = whole[1] - whole[0];
    close(zoomed[1], whole[1] - 0.25 * span, span);
    close(zoomed[0], whole[1] - 0.5 * span, span);
    assert.ok(range[0] > 0.1 && range[1] > range[0]);
    await page.keyboard.press("z");
    await page.mouse.dblclick(...at(0.5, 0.5));
    await settle(page);
    close((await heights())[0][0], whole[0], span);
    await page.mouse.move(...at(0.5, 0.5));
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await settle(page);
    const [near] = await heights();
    assert.ok(near[1] - near[0] < 0.75 * span, "the wheel has not zoomed");
    // names in the box beside the pointer
    await page.mouse.move(...at(0.4, 0.4));
    await settle(page);
    assert.match(await page.locator(".plot-tip:visible").first().innerText(), /crank\.angle[^]*crank\.omega/);
  });
});

test("channels stand under their body, measures first; a search inside of a selection says so", async () => {
  await report("vehicle", {}, async (page) => {
    const headings = () => page.locator(".channel-row.heading:visible .name").allInnerTexts();
    assert.deepEqual((await headings()).slice(0, 2), ["Measures", "chassis"]);
    await page.evaluate(() => window.kingpin.select("chassis"));
    await page.locator(".channels input").fill("vz");
    await settle(page);
    assert.match(await page.locator(".elsewhere").innerText(), /^1 in chassis, \d+ elsewhere/);
    await page.locator(".channels input").fill("nowhere");
    await settle(page);
    assert.equal(await page.locator(".elsewhere").innerText(), "No channel name contains “nowhere”.");
    await page.locator(".channels input").fill("vz");
    await settle(page);
    await page.getByRole("button", { name: "Search everywhere" }).click();
    await settle(page);
    assert.equal(await page.locator(".elsewhere").isVisible(), false);
    assert.ok((await page.locator(".channel-row:not(.heading):visible").count()) > 3);
    await page.locator(".channels input").fill("");
    await page.getByLabel("Grouping of channels").selectOption("kind");
    await settle(page);
    assert.ok((await headings()).includes("Bodies"), (await headings()).join());
  });
});
