// On top of the mechanism: traces, distances, names, frames, reactions with values, transparency, sections; pictures
// and films of it. One page for most of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { copyOf, settle } from "./browser.mjs";
import { decodePng, differing } from "./pixels.mjs";
import { report, shots } from "./report.mjs";

const at = async (page, t) => {
  await page.evaluate((t) => window.kingpin.setTime(t), t);
  await settle(page);
};
const image = async (page) => decodePng(await page.locator(".stage canvas").first().screenshot());
const draw = async (page) => {
  const menu = page.locator('details.menu:has([aria-label="Display"])');
  if ((await menu.getAttribute("open")) === null) await page.click('[aria-label="Display"]');
  return menu;
};
const shut = async (page) => {
  await page.keyboard.press("Escape");
  await settle(page);
};
const tool = async (page, name) => {
  await page.click('[aria-label="Measure, trace, save"]');
  await page.getByRole("button", { name }).click();
  await settle(page);
};
/** The place of a point of the mechanism in the page. */
const seen = (page, point) => page.evaluate((p) => window.kingpin.onScreen(p), point);

test("traces follow a point, distances are those of the results, names and frames are drawn", async () => {
  await report("four_bar", {}, async (page) => {
    // the far end of the crank, where it meets the coupler
    const pin = await page.evaluate(() => window.kingpin.bodyPosition("coupler"));
    const crank = await page.evaluate(() => window.kingpin.bodyPosition("crank"));
    await tool(page, "Trace a point");
    assert.match(await page.locator(".stage-hint").innerText(), /Click on a point of a body/);
    await page.mouse.click(...(await seen(page, pin)));
    await settle(page);
    const [trace] = await page.evaluate(() => window.kingpin.traces());
    assert.equal(trace.length, 3 * 401);
    const radius = Math.hypot(pin[0] - crank[0], pin[1] - crank[1]);
    for (let k = 0; k < trace.length; k += 30) {
      const r = Math.hypot(trace[k] - crank[0], trace[k + 1] - crank[1]);
      assert.ok(Math.abs(r - radius) < 0.05 * radius, `${r}, not ${radius}`);
    }
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".stage-hint").isVisible(), false);

    await tool(page, "Distance between two points");
    for (const p of [crank, pin]) await page.mouse.click(...(await seen(page, p)));
    await settle(page);
    const apart = await page.evaluate(() => window.kingpin.distance());
    assert.ok(Math.abs(apart - radius) < 0.05 * radius, `${apart}, not ${radius}`);
    assert.match(await page.locator('.scene-label[data-kind="distance"]').innerText(), /^0\.\d+ m$/);
    await page.keyboard.press("Escape");
    await at(page, 0.37);

    const before = await image(page);
    let menu = await draw(page);
    await menu.getByLabel("Body names").check();
    await menu.getByLabel("Body frames").check();
    await shut(page);
    assert.deepEqual((await page.locator('.scene-label[data-kind="name"]:visible').allInnerTexts()).sort(), ["coupler", "crank", "rocker"]);
    const framed = await image(page);
    assert.ok(differing(before, framed) > 100, "no frames are drawn");
    menu = await draw(page);
    await menu.getByLabel("Opacity of bodies", { exact: true }).selectOption("0.3");
    await shut(page);
    const pale = await image(page);
    assert.ok(differing(framed, pale) > 500, "bodies are as solid as before");
    menu = await draw(page);
    await menu.getByLabel("Section normal to").selectOption("x");
    await shut(page);
    assert.ok(differing(pale, await image(page)) > 300, "nothing is cut off");
    await page.screenshot({ path: `${shots}scene_overlay.png` });

    await page.click('[aria-label="Measure, trace, save"]');
    const [picture] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Image (PNG)" }).click()]);
    const bytes = readFileSync(await copyOf(picture));
    assert.equal(picture.suggestedFilename(), "four_bar.png");
    const saved = decodePng(bytes);
    assert.ok(new Set(saved.data).size > 20, "the picture is empty");
    // as the page shows it: a ground behind it, and words on it
    for (let k = 3; k < saved.data.length; k += 4 * 97) assert.equal(saved.data[k], 255, "the picture can be looked through");
    await page.keyboard.press("Escape");
    menu = await draw(page);
    await menu.getByLabel("Body names").uncheck();
    await shut(page);
    await page.click('[aria-label="Measure, trace, save"]');
    const [plain] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Image (PNG)" }).click()]);
    assert.ok(differing(saved, decodePng(readFileSync(await copyOf(plain)))) > 60, "names are not in the picture");
    await page.keyboard.press("Escape");

    // at ten times the speed the film is short
    await page.evaluate(() => window.kingpin.setSpeed(5));
    await page.click('[aria-label="Measure, trace, save"]');
    const [film] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Video (WebM)" }).click()]);
    const video = readFileSync(await copyOf(film));
    assert.equal(film.suggestedFilename(), "four_bar.webm");
    assert.ok(video.readUInt32BE(0) === 0x1a45dfa3 && video.length > 2000, `${video.length} bytes`);
    // players know how long it is, and go to its end
    const [long, end] = await page.evaluate(async (text) => {
      const player = document.createElement("video");
      player.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: "video/webm" }));
      await new Promise((done, fail) => Object.assign(player, { onloadeddata: done, onerror: () => fail(new Error(player.error?.message)) }));
      const { duration } = player;
      player.currentTime = 1e6;
      await new Promise((done) => (player.onseeked = done));
      return [duration, player.currentTime];
    }, video.toString("base64"));
    assert.ok(long > 0.1 && Number.isFinite(long) && end > 0.5 * long, `${long} s long, seen to ${end} s`);

    await page.click('[aria-label="Measure, trace, save"]');
    const [animation] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Animation (GIF)" }).click()]);
    assert.equal(animation.suggestedFilename(), "four_bar.gif");
    const gif = readFileSync(await copyOf(animation));
    // as another decoder reads it: pictures that differ, in the colours of the page
    const read = await page.evaluate(async (text) => {
      const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: "image/gif" });
      await decoder.tracks.ready;
      await decoder.completed;
      const count = decoder.tracks.selectedTrack.frameCount;
      const pixels = async (frameIndex) => {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const to = canvas.getContext("2d");
        to.drawImage(image, 0, 0);
        return to.getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const [a, b] = [await pixels(0), await pixels(Math.floor(count / 2))];
      return { count, differing: a.filter((v, k) => k % 4 === 0 && v !== b[k]).length, corner: [...a.slice(0, 4)] };
    }, gif.toString("base64"));
    const lasts = await page.evaluate(() => window.kingpin.range()).then(([a, b]) => (b - a) / 5);
    assert.ok(Math.abs(read.count - 20 * lasts) <= 1, `${read.count} pictures of ${lasts} s`);
    assert.ok(read.differing > 100, "nothing moves");
    for (const [k, v] of [0xf9, 0xfb, 0xfc].entries()) assert.ok(Math.abs(read.corner[k] - v) <= 6, `the ground is ${read.corner}`);
  });
});

test("forces and reactions have arrows with values, as long as wanted", async () => {
  await report("vehicle", {}, async (page) => {
    await at(page, 0.6);
    let menu = await draw(page);
    await menu.getByLabel("Arrow values").check();
    await shut(page);
    const values = await page.locator('.scene-label[data-kind="value"]:visible').allInnerTexts();
    assert.ok(values.length >= 4 && values.every((v) => /^[−\d.·⁰-⁹]+ N$/.test(v)), values.join());
    // none lies on another, none is cut off
    menu = await draw(page);
    await menu.getByLabel("Body names").check();
    await shut(page);
    const room = await page.locator(".scene-labels").boundingBox();
    const boxes = await page
      .locator(".scene-label:visible")
      .evaluateAll((all) => all.map((e) => ({ text: e.textContent, ...e.getBoundingClientRect().toJSON() })));
    assert.ok(boxes.length > values.length, "names are missing");
    boxes.forEach((a, k) => {
      assert.ok(a.left >= room.x && a.right <= room.x + room.width && a.top >= room.y && a.bottom <= room.y + room.height, `${a.text} is cut off`);
      for (const b of boxes.slice(0, k))
        assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, `${a.text} lies on ${b.text}`);
    });
    menu = await draw(page);
    await menu.getByLabel("Body names").uncheck();
    await shut(page);
    const usual = await image(page);
    menu = await draw(page);
    await menu.getByLabel("Arrow scale", { exact: true }).selectOption("5");
    await shut(page);
    assert.ok(differing(usual, await image(page)) > 200, "arrows are no longer");
  });
});
