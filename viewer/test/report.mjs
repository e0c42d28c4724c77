// Reports of generated data in a browser that all tests of a file share.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { open, ready, startBrowser } from "./browser.mjs";
import { writeAll } from "./generate/all.mjs";

export const data = new URL("data/", import.meta.url);
export const shots = fileURLToPath(new URL("screenshots/", import.meta.url));
let browser;

before(async () => {
  mkdirSync(shots, { recursive: true });
  // test files that run side by side find the pages written
  if (!process.env.KINGPIN_BROWSER) writeAll(data, readFileSync(new URL("../dist/index.html", import.meta.url), "utf8"));
  browser = await startBrowser();
});
after(() => browser?.close());

/** A report of a model, ready; checks at the end that nothing complained. */
export async function report(name, options, action) {
  const { page, problems, context } = await open(browser, new URL(`${name}.html`, data).href, options);
  try {
    await ready(page);
    await action(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}
