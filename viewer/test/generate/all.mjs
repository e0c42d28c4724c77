// Writes the test data, as JSON and as reports: `node test/generate/all.mjs`.
// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { beams, planarBeam } from "./beam.mjs";
import { chain } from "./chain.mjs";
import { fourBar } from "./four_bar.mjs";
import { mesh } from "./mesh.mjs";
import { modes } from "./modes.mjs";
import { rough } from "./rough.mjs";
import { sheet } from "./sheet.mjs";
import { solids } from "./solids.mjs";
import { vehicle } from "./vehicle.mjs";

export const MODELS = {
  beam: beams,
  beam_planar: planarBeam,
  mesh,
  modes,
  four_bar: fourBar,
  rough: () => rough(),
  sheet,
  solids,
  vehicle,
  chain200: () => chain(200, 251, 5),
  chain2000: () => chain(2000, 200, 4),
};

const BLOCK = '<script type="application/json" id="kingpin-data"></script>';

/** A report: the page with data inside, as the command writes it. @param {string} page @param {object} data */
export function embed(page, data) {
  const at = page.indexOf(BLOCK);
  if (at < 0 || page.indexOf(BLOCK, at + 1) >= 0) throw new Error("the page must hold the empty data block exactly once");
  // `<` must not appear, or `</script>` in a name would end the block
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return page.slice(0, at) + BLOCK.replace("></", `>${json}</`) + page.slice(at + BLOCK.length);
}

/** @param {URL} folder @param {string} page */
export function writeAll(folder, page) {
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(MODELS)) {
    const data = make();
    writeFileSync(new URL(`${name}.json`, folder), JSON.stringify(data));
    writeFileSync(new URL(`${name}.html`, folder), embed(page, data));
  }
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split("/").pop() ?? "")) {
  writeAll(new URL("../data/", import.meta.url), readFileSync(new URL("../../dist/index.html", import.meta.url), "utf8"));
}
