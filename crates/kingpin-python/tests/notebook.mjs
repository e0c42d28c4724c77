// The page in JupyterLab, in a real browser: the mechanism moves, after a run and while it goes on.
//
//   VENV=target/python node crates/kingpin-python/tests/notebook.mjs [PICTURE.png]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PATIENCE, startBrowser } from "../../../viewer/test/browser.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const venv = process.env.VENV;
const picture = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "kingpin-notebook-"));
const cell = (source) => ({ cell_type: "code", execution_count: null, id: String(Math.random()).slice(2, 10), metadata: {}, outputs: [], source });
const notebook = {
  cells: [
    cell(`import kingpin as kp\nmechanism = kp.load(${JSON.stringify(root + "models/four_bar.toml")}).build()\nresults = mechanism.run()\nresults.view()`),
    cell(`slow = kp.load(${JSON.stringify(root + "models/hmmwv14_stiff.toml")}).build()\nlive = slow.run(t_end=3, method="adams", tol=1e-3, view=True)`),
  ],
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } },
  nbformat: 4,
  nbformat_minor: 5,
};
writeFileSync(join(folder, "view.ipynb"), JSON.stringify(notebook));

const server = spawn(
  join(venv, "bin/jupyter-lab"),
  ["--no-browser", "--allow-root", "--ServerApp.port=0", "--IdentityProvider.token=", "--ServerApp.root_dir=" + folder],
  { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, JUPYTER_CONFIG_DIR: folder, HOME: folder } },
);
const address = await new Promise((found, failed) => {
  let said = "";
  const listen = (bytes) => {
    said += bytes;
    const url = said.match(/http:\/\/(?:localhost|127\.0\.0\.1):\d+\/lab/);
    if (url) found(url[0].replace("localhost", "127.0.0.1"));
  };
  server.stderr.on("data", listen);
  server.stdout.on("data", listen);
  server.on("exit", () => failed(new Error(`JupyterLab has ended:\n${said}`)));
});

/** The frame of the page that has a given kind of address, once it is ready. */
async function shown(page, is) {
  for (const until = Date.now() + PATIENCE; Date.now() < until; await page.waitForTimeout(200)) {
    for (const frame of page.frames().filter((frame) => frame !== page.mainFrame() && is(frame.url()))) {
      if (await frame.evaluate(() => window.kingpin?.ready === true).catch(() => false)) return frame;
    }
  }
  if (picture) await page.screenshot({ path: picture });
  throw new Error(`no page was shown: ${page.frames().map((frame) => frame.url().slice(0, 60)).join(", ")}`);
}

/** Plays a page until a body has moved. */
async function moves(frame, body) {
  const from = await frame.evaluate((name) => window.kingpin.bodyPosition(name), body);
  await frame.click('button[aria-label^="Play"]');
  await frame.waitForFunction(
    ([name, at]) => Math.hypot(...window.kingpin.bodyPosition(name).map((x, k) => x - at[k])) > 1e-3,
    [body, from],
    { timeout: PATIENCE },
  );
  await frame.click('button[aria-label^="Pause"]');
}

const browser = await startBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1300, height: 1000 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.goto(`${address}/tree/view.ipynb?reset`);
  await page.locator(".jp-Notebook .jp-CodeCell").first().waitFor();
  await page.getByText("| Idle").first().waitFor();
  await page.locator(".jp-Notebook .jp-CodeCell").first().locator(".cm-content").click();
  await page.keyboard.press("Shift+Enter");
  const still = await shown(page, (url) => url.startsWith("about:srcdoc"));
  await moves(still, "coupler");
  console.log("results.view(): the mechanism moves in JupyterLab");
  if (picture) await page.screenshot({ path: picture });
  await page.locator(".jp-Notebook .jp-CodeCell").nth(1).locator(".cm-content").click();
  await page.keyboard.press("Shift+Enter");
  const live = await shown(page, (url) => url.startsWith("http://127.0.0.1") && !url.startsWith(address));
  const range = () => live.evaluate(() => window.kingpin.range()[1]);
  const before = await range();
  await live.waitForFunction((end) => window.kingpin.range()[1] > end, before, { timeout: PATIENCE });
  console.log(`run(view=True): the page grows while the run goes on, from t = ${before.toFixed(3)} s`);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
