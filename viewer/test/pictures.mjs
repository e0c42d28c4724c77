// Pictures of the documentation: `npm run pictures`, after `cargo build`.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, ready, settle, startBrowser } from "./browser.mjs";
import { kingpin, view } from "./kingpin.mjs";

/** Models, when they are shown, and keys that are pressed before: colours and magnification of beams. */
const PICTURES = [
  { model: "hmmwv14_stiff", picture: "hmmwv", time: 0.57, keys: "" },
  { model: "cable_swing", picture: "cable_swing", time: 0.43, keys: "d" },
  { model: "robot_arm_flexible", picture: "robot_arm_flexible", time: 0.11, keys: "ddmmm" },
  { model: "stewart", picture: "stewart", time: 0.4, keys: "", size: { width: 960, height: 540 } },
  { model: "slider_crank_flexible", picture: "slider_crank_flexible", time: 0.0055, keys: "dddmm" },
];

/** Machines of the gallery, and when they are shown; in smaller pictures. */
const GALLERY = [
  ["quarter_car", 0.38],
  ["quick_return", 0.3],
  ["wiper", 0.4],
  ["scissor_lift", 3],
  ["crane", 4],
  ["excavator", 4],
  ["motorcycle", 0.36],
  ["hexapod_leg", 0.5],
  ["robot_pid", 0.5],
  ["door_closer", 1],
  ["clock_escapement", 0.6],
].map(([name, time]) => ({
  model: `../docs/gallery/${name}`,
  picture: name,
  time,
  keys: "",
  size: { width: 960, height: 540 },
}));

/** Pages that answer: how they are served, and what is done before the picture. */
const SERVED = [
  {
    picture: "answering",
    serve: () => "models/hmmwv14_stiff.toml",
    act: async (page) => {
      await page.waitForFunction(() => window.kingpin?.frames() > 1 && document.querySelector(".controls-pane")?.dataset.updates);
      await page.evaluate(() => window.kingpin.setTime(0.57));
      await page.locator('.control input[aria-label="c_front"]').evaluate((e) => {
        e.closest(".control").scrollIntoView({ block: "center" });
        e.value = "150";
        e.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await page.waitForFunction(() => document.querySelector(".control.changed"));
    },
  },
  {
    picture: "study",
    serve: () => {
      const folder = fileURLToPath(new URL("data/runs/picture-study", import.meta.url));
      rmSync(folder, { recursive: true, force: true });
      kingpin(
        "sweep",
        "docs/gallery/quarter_car.toml",
        "--vary",
        "spring=10..40 kN/m",
        "--vary",
        "damper=0.4..3 kN*s/m",
        "--samples",
        "24",
        "--latin-hypercube",
        "--metric",
        "top=max(body_y)",
        "--metric",
        "travel=max(strut_length) - min(strut_length)",
        "--metric",
        "shake=rms(body.ay)",
        "--channels",
        "body_y",
        "--output",
        folder,
        "--quiet",
      );
      return folder;
    },
    act: async (page) => {
      await page.locator(".study-curve").nth(20).waitFor({ state: "attached" });
      await page.locator('circle[data-point="7"]').dispatchEvent("click");
    },
    size: { width: 1360, height: 1000 },
  },
];

const pictures = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
mkdirSync(pictures, { recursive: true });
const wanted = process.argv.slice(2);
const browser = await startBrowser();
try {
  const asked = (p) => wanted.length === 0 || wanted.includes(p.picture);
  for (const { picture, serve, act, size = { width: 1360, height: 800 } } of SERVED.filter(asked)) {
    const served = await view(serve());
    const { page, context } = await open(browser, served.address, size);
    await act(page);
    await settle(page);
    await page.screenshot({ path: `${pictures}${picture}.png` });
    await context.close();
    await served.stop();
  }
  const all = [...PICTURES, ...GALLERY];
  for (const { model, picture, time, keys, size = { width: 1360, height: 800 } } of all.filter(asked)) {
    const folder = fileURLToPath(new URL(`data/runs/picture-${picture}`, import.meta.url));
    kingpin("run", `models/${model}.toml`, "-o", folder, "--force", "--quiet");
    const { page, context } = await open(browser, `file://${folder}/report.html`, size);
    await ready(page);
    await page.evaluate((t) => window.kingpin.setTime(t), time);
    for (const key of keys) await page.keyboard.press(key);
    await settle(page);
    const path = `${pictures}${picture}.png`;
    await page.screenshot({ path });
    await context.close();
    const bytes = statSync(path).size;
    if (bytes > 400e3) throw new Error(`docs/pictures/${picture}.png has ${bytes} bytes`);
  }
} finally {
  await browser.close();
}
