// Numbers that are hard to show, warnings, parameters, and the whole page by keys alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./browser.mjs";
import { TABS, bounded, heap } from "./drawn.mjs";
import { report, shots } from "./report.mjs";

test("zeros, gaps and numbers below all bounds are drawn with few points and marks", async () => {
  await report("rough", {}, async (page) => {
    for (const tab of TABS) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      await page.screenshot({ path: `${shots}rough_${tab}.png` });
    }
    const list = await page.evaluate(() => window.kingpin.drawn());
    assert.equal(list.length, 8);
    bounded(list);
    assert.ok((await heap(page)) < 40e6, "40,000 steps take less than 40 MB");
  });
});

test("round-off is shown as zero in lists, legends, tips, axes and tables", async () => {
  await report("rough", {}, async (page) => {
    await page.evaluate(() => window.kingpin.setTime(31));
    await settle(page);
    const row = (name) => page.locator(".channel-row:not(.heading)", { has: page.locator(`.name:text-is("${name}")`) }).locator(".value");
    assert.equal(await row("rod.x").innerText(), "0.0000");
    assert.equal(await row("twist").innerText(), "0.0000");
    assert.equal(await row("gap").innerText(), "3.10e−8");
    assert.equal(await page.locator(".chip", { hasText: "twist" }).locator(".value").innerText(), "0.0000");
    const box = await page.locator(".u-over").first().boundingBox();
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.5 * box.height);
    await settle(page);
    assert.match(await page.locator(".plot-tip:visible").first().innerText(), /twist\s*0\.0000 rad/);
    await page.click("#tab-model");
    const cells = await page.locator("section[aria-label=Points] td").allInnerTexts();
    assert.deepEqual(cells, ["tip", "1", "0", "pin", "0", "0"]);
  });
});

test("warnings stand above every tab, and the parameters of the run beside its name", async () => {
  await report("rough", {}, async (page) => {
    for (const tab of TABS) {
      await page.click(`#tab-${tab}`);
      assert.match(await page.locator(".warning-bar").innerText(), /energy of the run is not balanced.*\s*and 1 more/);
    }
    await page.click("#tab-model");
    assert.match(await page.locator(".brand").innerText(), /modified: speed = 0\.5 rad\/s/);
    const cells = await page.locator("section[aria-label=Parameters] td").allInnerTexts();
    assert.deepEqual(cells, ["speed", "0.5", "rad/s", "0.5 rad/s", "length", "1", "m", ""]);
    await page.click(".warning-bar button");
    assert.ok(await page.locator("#panel-solution").isVisible());
    assert.match(await page.locator(".card.warnings").innerText(), /tolerance of rod is coarse\s+Advice run it with --tol 1e-7\s+a second one/);
  });
  await report("four_bar", {}, async (page) => {
    assert.equal(await page.locator(".warning-bar").isVisible(), false);
    assert.equal(await page.locator(".brand .given").count(), 0);
  });
});

/** What has the focus, by the mark that `wanted` gave it: places in the page change while charts are drawn. */
const focused = (page) => page.evaluate(() => document.activeElement?.dataset.wanted ?? null);

/** What the keyboard ought to reach, marked: everything in sight that takes clicks or text, tabs as one. */
const wanted = (page) =>
  page.evaluate(() => {
    const takes = [...document.querySelectorAll("button, input, select, summary, [tabindex]")].filter(
      (e) => e.checkVisibility() && !e.disabled && e.getAttribute("tabindex") !== "-1",
    );
    return takes.map((e, k) => {
      e.dataset.wanted = String(k);
      return { at: String(k), what: e.getAttribute("aria-label") ?? e.textContent.slice(0, 30) };
    });
  });

for (const [name, tabs] of [
  ["rough", TABS],
  ["vehicle", ["motion"]],
]) {
  test(`${name}: Tab goes through all controls and leaves every one of them, forwards and backwards`, async () => {
    await report(name, {}, async (page) => {
      for (const tab of tabs) {
        await page.click(`#tab-${tab}`);
        const list = await wanted(page);
        for (const key of ["Tab", "Shift+Tab"]) {
          await page.evaluate(() => document.activeElement?.blur());
          const seen = new Set();
          for (let k = 0; k < list.length + 12; k++) {
            await page.keyboard.press(key);
            seen.add(await focused(page));
          }
          const missed = list.filter((e) => !seen.has(e.at)).map((e) => e.what);
          assert.deepEqual(missed, [], `${key} in ${tab} does not reach`);
        }
      }
    });
  });
}

test("the slider goes by frames, and lets other keys pass", async () => {
  await report("four_bar", {}, async (page) => {
    const slider = page.locator(".scrub input");
    const time = () => page.evaluate(() => window.kingpin.time());
    await slider.focus();
    for (const [key, t] of [
      ["ArrowUp", 0.005],
      ["ArrowRight", 0.01],
      ["PageUp", 0.06],
      ["ArrowDown", 0.055],
      ["ArrowLeft", 0.05],
      ["PageDown", 0],
      ["End", 2],
      ["Home", 0],
    ]) {
      await page.keyboard.press(key);
      assert.ok(Math.abs((await time()) - t) < 1e-9, `${key}: ${await time()}`);
    }
    await page.keyboard.press("Tab");
    assert.equal(await slider.evaluate((e) => e === document.activeElement), false);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await slider.evaluate((e) => e === document.activeElement), true);
  });
});

test("tabs, channels, bodies and menus by keys", async () => {
  await report("four_bar", {}, async (page) => {
    await page.focus("#tab-motion");
    for (const tab of ["model", "topology", "solution", "motion"]) {
      await page.keyboard.press("ArrowRight");
      assert.ok(await page.locator(`#panel-${tab}`).isVisible(), tab);
      assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${tab}`);
    }
    assert.equal(await page.evaluate(() => window.kingpin.time()), 0, "the keys of the tabs moved the time");

    const plotted = () => page.evaluate(() => window.kingpin.plottedChannels());
    const before = await plotted();
    await page.focus(".channel-rows");
    for (let k = 0; k < 9; k++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const added = (await plotted()).filter((c) => !before.includes(c));
    assert.deepEqual(added, ["crank.x"]);
    assert.equal(await page.locator(".channel-row.current .name").innerText(), "crank.x");
    await page.keyboard.press("Space");
    assert.deepEqual(await plotted(), before);
    await page.keyboard.press("End");
    assert.equal(await page.locator(".channel-row.current .name").innerText(), "rocker.omega");
    assert.ok(await page.locator(".channel-row.current").isVisible());

    await page.keyboard.press("b");
    assert.equal(await page.evaluate(() => window.kingpin.selected()), "crank");
    await page.keyboard.press("Shift+B");
    assert.equal(await page.evaluate(() => window.kingpin.selected()), "rocker");

    await page.focus(".menu summary");
    await page.keyboard.press("Enter");
    assert.ok(await page.locator(".menu-list").first().isVisible());
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu-list").first().isVisible(), false);
    assert.equal(await page.evaluate(() => window.kingpin.selected()), "rocker", "escape closed more than the menu");
  });
});

test("what is held by the ground stays in the picture, what drives is followed", async () => {
  for (const [name, follows] of [
    ["rough", false],
    ["four_bar", false],
    ["vehicle", true],
  ]) {
    await report(name, {}, async (page) => {
      assert.equal(await page.evaluate(() => window.kingpin.following()), follows, name);
      for (let k = 0; k <= 20; k++) {
        const seen = await page.evaluate((f) => {
          const [a, b] = window.kingpin.range();
          window.kingpin.setTime(a + f * (b - a));
          return window.kingpin.inView();
        }, k / 20);
        assert.equal(seen, 1, `${name} leaves the picture at ${5 * k} %`);
      }
    });
  }
});

test("a small window, and one zoomed to 200 %, show mechanism and charts without scrolling sideways", async () => {
  for (const [width, height] of [
    [400, 800],
    [640, 400],
  ]) {
    await report("rough", { width, height }, async (page) => {
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        await settle(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${tab} is ${wide} wide of ${width}`);
      }
      await page.click("#tab-motion");
      for (const e of [".stage", ".plot >> nth=0"]) {
        const b = await page.locator(e).boundingBox();
        assert.ok(b && b.height > 120 && b.width > 200 && b.y + b.height <= height, `${e} is out of sight`);
      }
      assert.ok(await page.locator(".brand .given").isVisible(), "the parameters of the run are hidden");
    });
  }
});
