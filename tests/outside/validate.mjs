// The validator of Khronos: no errors and no warnings.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(modules) + "/")("gltf-validator");
let bad = 0;
for (const file of files) {
  const { issues, info } = await validator.validateBytes(new Uint8Array(await readFile(file)));
  console.log(`${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ` +
    `${info.totalTriangleCount} triangles, ${info.animationCount} animation`);
  for (const message of issues.messages.filter((m) => m.severity < 2)) console.log("  ", message.code, message.pointer);
  bad += issues.numErrors + issues.numWarnings;
}
process.exit(bad ? 1 : 0);
