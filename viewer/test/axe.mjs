// What axe-core complains of in a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** To be evaluated in a page before it is looked at. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Violations of WCAG 2.1 A and AA and of good practice, with the first places. */
async function violations(page) {
  return page.evaluate(async () => {
    const found = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
    return found.violations.map(
      (v) =>
        `${v.id}: ${v.help} (${v.nodes
          .slice(0, 3)
          .map((n) => `${n.target.join(" ")}: ${n.failureSummary?.split("\n").pop()}`)
          .join("; ")})`,
    );
  });
}

/** There are none. */
export const look = async (page, what) => assert.deepEqual(await violations(page), [], what);
