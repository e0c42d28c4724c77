// The page in a real browser: loading, motion, charts, channels, themes, sizes, keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PATIENCE, settle } from "./browser.mjs";
import { brightness, colours, decodePng, differing, near } from "./pixels.mjs";
import { data, report, shots } from "./report.mjs";

const MODELS = ["four_bar", "vehicle", "chain2000"];
const BODY = { four_bar: "coupler", vehicle: "spindle_fl", chain2000: "link40" };
const shot = async (page, name) => page.screenshot({ path: `${shots}${name}.png` });
const stageImage = async (page) => decodePng(await page.locator(".stage").screenshot());
const position = (page, name) => page.evaluate((n) => window.kingpin.bodyPosition(n), name);
const time = (page) => page.evaluate(() => window.kingpin.time());

/** A column of the generated file, decoded without the page's own code. */
function column(file, name) {
  const i = file.channels.findIndex((c) => c.name === name);
  const c = file.frames.columns[i];
  if ("constant" in c) return () => c.constant;
  const bytes = Buffer.from(c.f32, "base64");
  return (k) => bytes.readFloatLE(4 * k);
}

for (const name of MODELS) {
  test(`${name}: loads, draws, and moves when played`, async () => {
    await report(name, {}, async (page) => {
      const first = await stageImage(page);
      assert.ok(colours(first) > 25, `only ${colours(first)} colours: the mechanism is not drawn`);
      const from = await position(page, BODY[name]);
      await page.click('button[aria-label^="Play"]');
      await page.waitForFunction(([name, at]) => Math.hypot(...window.kingpin.bodyPosition(name).map((x, k) => x - at[k])) > 1e-3, [BODY[name], from], {
        timeout: PATIENCE,
      });
      await page.click('button[aria-label^="Pause"]');
      // a mechanism that turns comes back to where it was: the picture is of an instant of our choice
      await page.evaluate(() => window.kingpin.setTime(0.25));
      await settle(page);
      assert.ok(differing(first, await stageImage(page)) > 60, "the picture has not changed");
      await shot(page, `${name}_motion`);
      for (const tab of ["model", "topology", "solution"]) {
        await page.click(`#tab-${tab}`);
        await settle(page);
        assert.ok((await page.locator(`#panel-${tab} .card`).count()) > 0, `${tab} is empty`);
        await shot(page, `${name}_${tab}`);
      }
    });
  });
}

test("dragging in a chart moves cursor, bodies and slider together", async () => {
  const file = JSON.parse(readFileSync(new URL("vehicle.json", data), "utf8"));
  const x = column(file, "spindle_fl.x");
  const z = column(file, "spindle_fl.z");
  await report("vehicle", {}, async (page) => {
    const box = await page.locator(".u-over").first().boundingBox();
    await page.mouse.move(box.x + 0.1 * box.width, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    const t = await time(page);
    assert.ok(Math.abs(t - 1.6) < 0.02, `t = ${t}`);
    const cursor = await page.evaluate(() => window.kingpin.chartCursor());
    assert.ok(Math.abs(cursor - 0.4 * box.width) < 1.5, "the cursor is not under the pointer");
    const line = await page.locator(".plot-now").first().boundingBox();
    assert.ok(Math.abs(line.x + line.width / 2 - box.x - 0.4 * box.width) < 6, "the line is not under the pointer");
    const k = t / 0.01;
    const i = Math.floor(k);
    const mix = (c) => c(i) + (k - i) * (c(i + 1) - c(i));
    const p = await position(page, "spindle_fl");
    assert.ok(Math.abs(p[0] - mix(x)) < 1e-5 && Math.abs(p[2] - mix(z)) < 1e-5, "the body is not where the data say");
    const slider = Number(await page.locator(".scrub input").inputValue()) / 100000;
    assert.ok(Math.abs(slider * 4 - t) < 1e-3, "the slider is elsewhere");
    assert.match(await page.locator(".readout").innerText(), new RegExp(t.toFixed(3)));
  });
});

test("the slider moves the cursor of every chart", async () => {
  await report("vehicle", {}, async (page) => {
    const before = await page.evaluate(() => window.kingpin.chartCursor());
    const s = await page.locator(".scrub").boundingBox();
    await page.mouse.click(s.x + 0.75 * s.width, s.y + s.height / 2);
    await settle(page);
    assert.ok(Math.abs((await time(page)) - 3) < 0.05);
    assert.ok((await page.evaluate(() => window.kingpin.chartCursor())) > before + 100);
    const lines = await page.locator(".motion .plot-now").evaluateAll((list) => list.map((e) => e.getBoundingClientRect().x));
    assert.equal(lines.length, 2);
    assert.ok(Math.abs(lines[0] - lines[1]) < 1, "charts do not line up");
  });
});

test("zooming with the wheel narrows the time, a double click brings it back", async () => {
  await report("vehicle", {}, async (page) => {
    const range = () => page.evaluate(() => window.kingpin.range());
    const box = await page.locator(".u-over").first().boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 60);
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -200);
    const [a, b] = await range();
    assert.ok(b - a < 1.5 && a < 1 && b > 1, `${a} to ${b}`);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(box.x + 0.05 * box.width, box.y + 60, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const [c] = await range();
    assert.ok(c > a + 0.1, "panning did nothing");
    await shot(page, "vehicle_zoomed");
    await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 60);
    assert.deepEqual(await range(), [0, 4]);
  });
});

test("a channel found by typing is drawn, and taken out again", async () => {
  await report("vehicle", {}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("uca_rl vz");
    const row = page.locator(".channel-row:not(.heading):visible", { hasText: "uca_rl.vz" });
    await row.click();
    assert.ok((await page.evaluate(() => window.kingpin.plottedChannels())).includes("uca_rl.vz"));
    await settle(page);
    const colour = await row.evaluate((e) => getComputedStyle(e).getPropertyValue("--swatch"));
    const rgb = [1, 3, 5].map((k) => parseInt(colour.trim().slice(k, k + 2), 16));
    const chart = decodePng(await page.locator(".chart .plot").first().screenshot());
    assert.ok(near(chart, rgb) > 150, "no curve in the colour of the channel");
    // a unit of its own has an axis of its own: m, rad and m/s
    assert.equal(await page.locator(".chart").first().locator(".u-axis").count(), 4);
    await shot(page, "vehicle_channel");
    await row.click();
    assert.ok(!(await page.evaluate(() => window.kingpin.plottedChannels())).includes("uca_rl.vz"));
  });
});

test("thousands of channels stay quick: few rows in the page, every one can be found", async () => {
  await report("chain2000", {}, async (page) => {
    await page.fill(".search input", "link1987.z");
    assert.equal(await page.locator(".channels .count").innerText(), "1 of 14002");
    await page.keyboard.press("Enter");
    assert.ok((await page.evaluate(() => window.kingpin.plottedChannels())).includes("link1987.z"));
    await page.fill(".search input", "");
    // what belongs to no body is on top, bodies are folded below
    assert.ok(await page.locator(".channel-row", { hasText: "tip_z" }).isVisible());
    await page.locator(".channel-rows").evaluate((e) => (e.scrollTop = e.scrollHeight));
    await settle(page);
    assert.ok((await page.locator(".channel-row").count()) < 80);
    assert.ok(await page.locator(".channel-row.heading.closed", { hasText: "link2000" }).isVisible());
  });
});

test("turns are interpolated as turns", async () => {
  await report("chain200", {}, async (page) => {
    const at = (t) => page.evaluate((s) => (window.kingpin.setTime(s), window.kingpin.bodyMatrix("link3")), t);
    const [a, m, b] = [await at(1.0), await at(1.01), await at(1.02)];
    const angle = (q) => Math.atan2(q[2], q[0]);
    assert.ok(Math.abs(angle(a) - angle(b)) > 1e-3, "the link does not turn here: choose another time");
    assert.ok(Math.abs(angle(m) - (angle(a) + angle(b)) / 2) < 1e-6);
    for (const r of [0, 4, 8]) assert.ok(Math.abs(Math.hypot(m[r], m[r + 1], m[r + 2]) - 1) < 1e-12);
  });
});

test("a click on a body selects it and lists its channels", async () => {
  await report("vehicle", {}, async (page) => {
    const box = await page.locator(".stage").boundingBox();
    let name = null;
    for (let k = 0; k < 60 && !name; k++) {
      await page.mouse.move(box.x + box.width * (0.2 + 0.01 * k), box.y + box.height * 0.52);
      await settle(page);
      if (await page.locator(".stage .body-tip").isVisible()) name = await page.locator(".stage .body-tip").innerText();
    }
    assert.ok(name, "no body found under the pointer");
    await page.mouse.down();
    await page.mouse.up();
    assert.equal(await page.evaluate(() => window.kingpin.selected()), name);
    const rows = await page.locator(".channel-row:not(.heading) .name").allInnerTexts();
    assert.ok(rows.filter(Boolean).some((r) => r.startsWith(`${name}.`)));
    assert.match(await page.locator(".channels .count").innerText(), /of 148/);
    await shot(page, "vehicle_selected");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.kingpin.selected()), null);
  });
});

test("joints, forces and grid can be left out", async () => {
  for (const [name, keys] of [
    ["four_bar", ["j", "g"]],
    ["vehicle", ["k", "j"]],
  ]) {
    await report(name, {}, async (page) => {
      for (const key of keys) {
        const a = await stageImage(page);
        await page.keyboard.press(key);
        await settle(page);
        assert.ok(differing(a, await stageImage(page)) > 20, `${key} changes nothing in ${name}`);
      }
    });
  }
});

test("keys: play, frames, ends, speed, tabs, help", async () => {
  await report("four_bar", {}, async (page) => {
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await time(page)) - 0.005) < 1e-9);
    await page.keyboard.press("Shift+ArrowRight");
    assert.ok(Math.abs((await time(page)) - 0.055) < 1e-9);
    await page.keyboard.press("ArrowLeft");
    assert.ok(Math.abs((await time(page)) - 0.05) < 1e-9);
    await page.keyboard.press("End");
    assert.equal(await time(page), 2);
    await page.keyboard.press("Home");
    assert.equal(await time(page), 0);
    const speed = () => page.locator(".transport select").inputValue();
    const before = Number(await speed());
    await page.keyboard.press("-");
    assert.ok(Number(await speed()) < before);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.kingpin.time() > 0.02);
    await page.keyboard.press("Space");
    await page.keyboard.press("4");
    assert.ok(await page.locator("#panel-solution").isVisible());
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog.help").isVisible());
    await shot(page, "help");
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("dialog.help").isVisible()));
  });
});

test("an event of the solution leads to its time", async () => {
  await report("vehicle", {}, async (page) => {
    await page.click("#tab-solution");
    await page.click(".events button >> nth=2");
    assert.ok(await page.locator("#panel-motion").isVisible());
    assert.ok(Math.abs((await time(page)) - 1.238) < 1e-9);
  });
});

test("dark by the system's wish, light by the button", async () => {
  for (const name of ["vehicle", "four_bar"]) {
    await report(name, { dark: true }, async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      const dark = decodePng(await page.screenshot());
      assert.ok(brightness(dark) < 70, `brightness ${brightness(dark)}`);
      await shot(page, `${name}_dark`);
      await page.click("#tab-solution");
      await settle(page);
      await shot(page, `${name}_solution_dark`);
      await page.click("#tab-motion");
      await page.click('button[aria-label="Light or dark theme"]');
      await settle(page);
      assert.ok(brightness(decodePng(await page.screenshot())) > 190);
    });
  }
});

test("a phone shows everything without scrolling sideways", async () => {
  await report("vehicle", { phone: true, width: 390, height: 844 }, async (page) => {
    for (const tab of ["motion", "model", "topology", "solution"]) {
      await page.tap(`#tab-${tab}`);
      await settle(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${tab} is ${wide} wide`);
      await shot(page, `phone_${tab}`);
    }
    await page.tap("#tab-motion");
    for (const e of [".stage", ".charts", ".transport", ".stage-tools"]) {
      const b = await page.locator(e).boundingBox();
      assert.ok(b && b.x >= 0 && b.x + b.width <= 390.5 && b.y + b.height <= 844.5 && b.height > 20, `${e} is out of sight`);
    }
    await page.tap(".which button >> nth=1");
    assert.ok(await page.locator(".channels").isVisible());
    await shot(page, "phone_channels");
    await page.locator(".channel-row", { hasText: "chassis.z" }).tap();
    assert.ok((await page.evaluate(() => window.kingpin.plottedChannels())).includes("chassis.z"));
  });
});

test("a laptop of 1280 by 720 has room for all panes", async () => {
  await report("chain200", { width: 1280, height: 720 }, async (page) => {
    for (const e of [".channels", ".stage", ".charts", ".transport"]) {
      const b = await page.locator(e).boundingBox();
      assert.ok(b && b.width > 200 && b.x + b.width <= 1280.5 && b.y + b.height <= 720.5, `${e} is out of sight`);
    }
    await shot(page, "laptop");
  });
});
