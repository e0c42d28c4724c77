// Pictures of the documentation: `npm run pictures`, after `cargo build`.
import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, ready, settle, startBrowser } from "./browser.mjs";
import { kingpin } from "./kingpin.mjs";

const folder = fileURLToPath(new URL("data/runs/pictures", import.meta.url));
const pictures = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
mkdirSync(pictures, { recursive: true });
kingpin("run", "models/hmmwv14_stiff.toml", "-o", folder, "--force", "--quiet");
const browser = await startBrowser();
try {
  const { page } = await open(browser, `file://${folder}/report.html`, { width: 1360, height: 800 });
  await ready(page);
  await page.evaluate(() => window.kingpin.setTime(0.57));
  await settle(page);
  await page.screenshot({ path: `${pictures}hmmwv.png` });
  const size = statSync(`${pictures}hmmwv.png`).size;
  if (size > 300e3) throw new Error(`docs/pictures/hmmwv.png has ${size} bytes`);
} finally {
  await browser.close();
}
