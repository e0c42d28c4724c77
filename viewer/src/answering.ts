// A model that answers: parameters are moved, the server runs it anew, and the page shows the new motion beside the one
// before, which is kept faint.

import { App, type Remembered } from "./app";
import { ControlPanel } from "./controls";
import type { Column, Frames, KingpinData } from "./data";
import { installHooks } from "./hooks";
import { renew } from "./lifetime";
import { fetchData, isStudy } from "./load";
import { BEFORE } from "./runs";
import { at } from "./server";

export class Answering {
  private app: App;
  private readonly panel: ControlPanel;
  private loading = false;
  private again = false;

  constructor(
    private data: KingpinData,
    private readonly host: HTMLElement,
  ) {
    this.panel = new ControlPanel(data.controls ?? [], {
      set: (name, value) => this.ask({ set: { [name]: value } }),
      keep: (name) => this.ask({ keep: name }),
      back: (name) => this.ask({ back: name }),
      stop: () => this.ask({ stop: true }),
    });
    this.app = this.build(data, null);
    this.listen();
  }

  private build(data: KingpinData, remembered: Remembered | null): App {
    renew();
    const app = new App(data, this.host, remembered);
    app.motion.addControls(this.panel.element, this.panel.news);
    installHooks(app);
    app.answering("running");
    return app;
  }

  private async ask(wish: object): Promise<void> {
    let answer: Response;
    try {
      answer = await fetch(at("change"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) });
    } catch {
      return this.panel.trouble("No response from the server. Check that kingpin is still running.");
    }
    if (!answer.ok) this.panel.trouble(await answer.text());
  }

  private listen(): void {
    const source = new EventSource(at("live", { from: 0 }));
    const on = (name: string, action: (data: unknown) => void) => source.addEventListener(name, (e) => action(JSON.parse((e as MessageEvent<string>).data)));
    source.addEventListener("open", () => this.app.answering("running"));
    source.addEventListener("error", () => this.app.answering("waiting"));
    on("progress", (data) => this.panel.progress(data as { t: number; t_end: number } | null));
    on("trouble", (data) => this.panel.trouble(data as string | null));
    on("update", () => void this.update());
  }

  /** Loads what there is now; while that is under way, once more afterwards. */
  private async update(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      do {
        this.again = false;
        const data = await fetchData();
        if (!isStudy(data)) this.show(data);
      } while (this.again);
    } catch (error) {
      this.panel.trouble(error instanceof Error ? error.message : String(error));
    } finally {
      this.loading = false;
    }
  }

  /** What the user has chosen. Charts of the start alone were nobody's choice. */
  private remembered(data: KingpinData): Remembered {
    const chosen = this.app.remember();
    return this.app.store.count > 1 ? chosen : { ...chosen, charts: data.charts ?? chosen.charts };
  }

  private show(data: KingpinData): void {
    this.panel.show(data.controls ?? [], data.model.parameters);
    const before = this.data;
    const same = alike(before, data);
    if (!same || !sameFrames(before.frames, data.frames)) {
      // the start alone is no motion to compare with
      data.runs = before.frames.count > 1 ? [{ name: BEFORE, channels: before.channels.map(({ name, unit }) => ({ name, unit })), frames: before.frames }] : [];
      this.data = data;
      if (same) this.app.replace(data);
      else this.app = this.build(data, this.remembered(data));
    } else this.app.reword(data);
    this.panel.settled();
  }
}

/** Whether two pictures have the same things in them, whatever their numbers are. */
function alike(a: KingpinData, b: KingpinData): boolean {
  const names = (list: { name: string }[] | undefined) => list?.map((item) => item.name);
  const joined = (list: { name: string; type?: string; bodies: unknown }[] | undefined) => list?.map(({ name, type, bodies }) => [name, type, bodies]);
  const shape = ({ model: m, channels, topology, solution }: KingpinData) =>
    JSON.stringify([
      m.name,
      m.description,
      m.space,
      m.bodies.map(({ name, pose, point }) => [name, pose, point]),
      joined(m.joints),
      joined(m.drivers),
      joined(m.forces),
      m.beams?.map(({ name, nodes, order }) => [name, nodes, order]),
      m.meshes?.map(({ name, nodes, count }) => [name, nodes, count]),
      names(m.roads),
      channels,
      topology,
      solution === undefined,
    ]);
  return shape(a) === shape(b);
}

/** Whether two motions are the same to the last bit. */
function sameFrames(a: Frames, b: Frames): boolean {
  const same = (p: Column, q: Column) => {
    const [x, y] = [Object.entries(p), Object.entries(q)];
    return (
      x.length === y.length &&
      x.every(([key, value], k) => y[k][0] === key && (value === y[k][1] || (Array.isArray(value) && String(value) === String(y[k][1]))))
    );
  };
  return a.count === b.count && same(a.times, b.times) && a.columns.length === b.columns.length && a.columns.every((column, k) => same(column, b.columns[k]));
}
