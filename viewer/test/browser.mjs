// Finds Chromium and opens pages in it; collects everything the console complains about.
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** Longest wait for anything, ms (KINGPIN_PATIENCE): only a page that hangs takes so long, however busy the machine is. */
export const PATIENCE = Number(process.env.KINGPIN_PATIENCE) || 600000;

/** Path of a browser: KINGPIN_CHROMIUM or CHROMIUM, then the search path, then the usual places. */
export function findChromium() {
  for (const name of ["KINGPIN_CHROMIUM", "CHROMIUM"]) {
    const given = process.env[name];
    if (given && existsSync(given)) return given;
    if (given) throw new Error(`${name} says ${given}, but there is no such file.`);
  }
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((n) => join(folder, n)));
  const found = [...onPath, ...PLACES].find((p) => existsSync(p));
  if (found) return found;
  throw new Error(
    "The browser tests need Chromium or Chrome, and none was found on the search path or in the usual places.\n" +
      "Install it (Debian: apt-get install chromium), or set KINGPIN_CHROMIUM to the path of its executable.",
  );
}

const launch = () => ({
  executablePath: findChromium(),
  args: [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
  ],
});

/** A browser: the one that is shared (KINGPIN_BROWSER, its address), or one of its own. */
export async function startBrowser() {
  const shared = process.env.KINGPIN_BROWSER;
  return shared ? chromium.connect(shared) : chromium.launch(launch());
}

/** A browser that several programs share. */
export async function startServer() {
  return chromium.launchServer(launch());
}

/** Opens a page and waits until it is drawn. `problems` fills with errors of page and console. */
export async function open(browser, url, { width = 1200, height = 760, dark = false, phone = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    deviceScaleFactor: phone ? 2 : 1,
    hasTouch: phone,
    isMobile: phone,
  });
  context.setDefaultTimeout(PATIENCE);
  context.setDefaultNavigationTimeout(PATIENCE);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (m) => {
    // software rendering is slow to read back, and says so
    if (["error", "warning"].includes(m.type()) && !/GPU stall|swiftshader|software/i.test(m.text())) problems.push(m.text());
  });
  page.on("pageerror", (e) => problems.push(String(e)));
  page.on("request", (r) => {
    if (!/^(file|data|blob):|^http:\/\/127\.0\.0\.1/.test(r.url())) problems.push(`asked the network for ${r.url()}`);
  });
  await page.goto(url);
  // a token is exchanged for a cookie, and the page follows
  if (new URL(url).searchParams.has("token")) await page.waitForURL((now) => !now.searchParams.has("token"));
  return { page, problems, context };
}

export async function ready(page) {
  await page.waitForFunction(() => window.kingpin?.ready === true, undefined, { timeout: PATIENCE });
  await settle(page);
}

/** Path of a copy of what was downloaded; a shared browser does not tell where it has it. */
export async function copyOf(download) {
  const path = join(mkdtempSync(join(tmpdir(), "kingpin-download-")), "file");
  await download.saveAs(path);
  return path;
}

/** Two frames, so that everything asked for is drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))));
}

// `node test/browser.mjs`: whether there is a browser to test with
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    findChromium();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
