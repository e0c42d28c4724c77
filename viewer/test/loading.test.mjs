// Where data come from and what the page says when they are wrong; runs that are still going.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { open, ready, startBrowser } from "./browser.mjs";
import { embed } from "./generate/all.mjs";
import { fourBar } from "./generate/four_bar.mjs";

const folder = new URL("data/", import.meta.url);
const template = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
let browser;

before(async () => {
  mkdirSync(folder, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

/** Opens a report made of changed data. */
async function changed(change, action) {
  const data = structuredClone(fourBar());
  change(data);
  const file = new URL("changed.html", folder);
  writeFileSync(file, embed(template, data));
  const { page, problems, context } = await open(browser, file.href);
  try {
    await action(page, problems);
  } finally {
    await context.close();
  }
}
const failure = async (page) => {
  await page.waitForSelector(".failure");
  return page.locator(".failure").innerText();
};

test("the page is one file that asks for nothing", () => {
  assert.ok(!/<(script|link|img)[^>]+(src|href)=["'](?!data:)/.test(template), "something is not inline");
  assert.equal(template.split('<script type="application/json" id="kingpin-data"></script>').length, 2);
});

test("a template without data says so", async () => {
  const file = new URL("empty.html", folder);
  writeFileSync(file, template);
  const { page, context } = await open(browser, file.href);
  assert.match(await failure(page), /contains no data/);
  await context.close();
});

test("missing and wrong fields are named", async () => {
  await changed(
    (d) => {
      delete d.model.bodies[1].mass;
      d.model.space = "flat";
      d.model.bodies[0].shapes[0].type = "pyramid";
    },
    async (page) => {
      const text = await failure(page);
      assert.match(text, /model\.bodies\[1\]\.mass a number is missing/);
      assert.match(text, /model\.space one of planar, spatial expected, found "flat"/);
      assert.match(text, /model\.bodies\[0\]\.shapes\[0\]\.type one of box, sphere, cylinder, tube, cone, rod, mesh expected/);
    },
  );
});

test("wrong indices and lengths are named", async () => {
  await changed(
    (d) => (d.model.bodies[2].pose[1] = 999),
    async (page) => {
      assert.match(await failure(page), /model\.bodies\[2\]\.pose there is no channel 999; there are 25/);
    },
  );
  await changed(
    (d) => (d.frames.columns[3] = { f32: "AAAA" }),
    async (page) => {
      assert.match(await failure(page), /frames\.columns\[3\] \(crank\.vx\): 401 numbers expected, found 0/);
    },
  );
  const none = { values: [0, 0, 0] };
  const mesh = { name: "m", body: 0, nodes: [9], count: 1, points: none, triangles: [0, 0, 1], amplitudes: [0], shapes: [none, none] };
  await changed(
    (d) => (d.model.meshes = [mesh]),
    async (page) => {
      const text = await failure(page);
      assert.match(text, /model\.meshes\[0\] there is no body 9/);
      assert.match(text, /model\.meshes\[0\]\.shapes one for each amplitude is needed/);
      assert.match(text, /model\.meshes\[0\]\.triangles three indices below 1 for each are needed/);
    },
  );
  await changed(
    (d) => (d.version = 7),
    async (page) => {
      assert.match(await failure(page), /the data are newer than this page/);
    },
  );
});

test("only what is required is required", async () => {
  await changed(
    (d) => {
      for (const key of ["topology", "solution", "charts", "tables", "generator"]) delete d[key];
      delete d.model.description;
      delete d.model.gravity;
      delete d.model.ground;
      for (const b of d.model.bodies) delete b.shapes;
    },
    async (page, problems) => {
      await ready(page);
      assert.equal((await page.evaluate(() => window.kingpin.plottedChannels())).length, 1);
      await page.click("#tab-topology");
      assert.match(await page.locator("#panel-topology").innerText(), /contain no topology/);
      assert.deepEqual(problems, []);
    },
  );
});

test("a single frame, no bodies, gaps and names with markup are no problem", async () => {
  await changed(
    (d) => {
      d.model.name = "</script><b>odd</b>";
      d.frames.count = 1;
      d.frames.times = { values: [0] };
      d.frames.columns = d.frames.columns.map(() => ({ values: [0.5] }));
      d.frames.columns[20] = { values: [null] };
    },
    async (page, problems) => {
      await ready(page);
      assert.equal(await page.locator(".brand strong").innerText(), "</script><b>odd</b>");
      assert.deepEqual(problems, []);
    },
  );
  await changed(
    (d) => {
      d.model.bodies = [];
      d.model.joints = [];
    },
    async (page, problems) => {
      await ready(page);
      assert.deepEqual(problems, []);
    },
  );
});

test("a live run: frames are appended, followed, and the end is told", async () => {
  const whole = fourBar();
  const start = 101;
  const numbers = whole.frames.columns.map((c) => {
    if ("constant" in c) return () => c.constant;
    const bytes = Buffer.from(c.f32, "base64");
    return (k) => bytes.readFloatLE(4 * k);
  });
  const row = (k) => [0.005 * k, ...numbers.map((n) => n(k))];
  const rows = (from, to) => {
    const list = [];
    for (let k = from; k < to; k++) list.push(...row(k));
    return { first: from, count: to - from, rows: { f64: Buffer.from(Float64Array.from(list).buffer).toString("base64") } };
  };
  const first = {
    ...whole,
    live: true,
    frames: {
      count: start,
      times: { values: Array.from({ length: start }, (_, k) => 0.005 * k) },
      columns: numbers.map((n) => ({ values: Array.from({ length: start }, (_, k) => n(k)) })),
    },
  };
  let stream = null;
  let asked = "";
  const server = createServer((request, response) => {
    if (request.url === "/") return response.end(template);
    if (request.url === "/data.json") return response.end(JSON.stringify(first));
    if (request.url.startsWith("/live")) {
      asked = request.url;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(":\n\n");
      stream = response;
      return undefined;
    }
    response.statusCode = 404;
    return response.end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const send = (event, data) => stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const { page, problems, context } = await open(browser, `http://127.0.0.1:${server.address().port}/`);
  try {
    await ready(page);
    await page.waitForSelector('.badge[data-state="running"]');
    assert.equal(asked, "/live?from=101");
    send("frames", rows(101, 150));
    await page.waitForFunction(() => window.kingpin.frames() === 150);
    // what the page has already is left out
    send("frames", rows(140, 201));
    await page.waitForFunction(() => window.kingpin.frames() === 201);
    assert.ok(Math.abs((await page.evaluate(() => window.kingpin.time())) - 1) < 1e-9, "the newest frame is not shown");
    const x = await page.evaluate(() => window.kingpin.bodyPosition("coupler")[0]);
    assert.ok(Math.abs(x - numbers[whole.channels.findIndex((c) => c.name === "coupler.x")](200)) < 1e-6);
    assert.deepEqual(await page.evaluate(() => window.kingpin.range()), [0, 1]);
    // whoever looks back is not torn away
    await page.evaluate(() => window.kingpin.setTime(0.3));
    send("solution", { outcome: { state: "running", message: "At 1.25 s." } });
    send("frames", rows(201, 251));
    await page.waitForFunction(() => window.kingpin.frames() === 251);
    assert.ok(Math.abs((await page.evaluate(() => window.kingpin.time())) - 0.3) < 1e-9);
    send("end", null);
    await page.waitForSelector('.badge[data-state="done"]');
    await page.click("#tab-solution");
    assert.match(await page.locator(".outcome").innerText(), /At 1\.25 s/);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    stream?.end();
    server.closeAllConnections();
    server.close();
  }
});
