// Puts the page together and keeps everything at the same time.

import type { Frames, KingpinData, Parameter } from "./data";
import { TimeRange } from "./charts/axis";
import { FrameStore } from "./frames";
import { lifetime } from "./lifetime";
import { followLive, type LiveState } from "./live";
import { Playback } from "./playback";
import { Poses } from "./poses";
import { BEFORE } from "./runs";
import { Scales, residualsOf } from "./scales";
import type { Surface } from "./scene/surface";
import { MotionTab } from "./tabs/motion";
import { modelTab } from "./tabs/model";
import { SolutionTab } from "./tabs/solution";
import { TopologyTab } from "./tabs/topology";
import { h, setText } from "./ui/dom";
import { helpDialog } from "./ui/help";
import { icon } from "./ui/icons";
import { choice, heading, menu } from "./ui/menu";
import { keyboard } from "./ui/keyboard";
import { onTheme, theme, toggleTheme } from "./ui/theme";
import { Transport } from "./ui/transport";
import { WarningBar } from "./ui/warnings";
import { CHOICES, prefer, preference, type Quantity } from "./units";

const TABS = ["motion", "model", "topology", "solution"] as const;
type TabName = (typeof TABS)[number];

/** What the user has chosen, kept where the page is put together anew. */
export interface Remembered {
  tab: TabName;
  time: number;
  playing: boolean;
  speed: number;
  charts: string[][];
  selected: string | null;
  camera: number[];
  surface: Surface | null;
}

export class App {
  readonly store: FrameStore;
  readonly playback: Playback;
  readonly poses: Poses;
  readonly motion: MotionTab;
  private readonly topology: TopologyTab | null;
  readonly solution: SolutionTab | null;
  private readonly transport: Transport;
  private readonly range: TimeRange;
  private readonly buttons = new Map<TabName, HTMLButtonElement>();
  private readonly panels = new Map<TabName, HTMLElement>();
  private readonly badge = h("span.badge", { hidden: true, role: "status" });
  private readonly warnings = new WarningBar(() => this.open("solution"));
  /** What the user has set, beside the name. */
  private readonly given = h("div.given-list");
  /** Whether the tables of the model are to be made anew before they are shown. */
  private staleModel = true;
  private tab: TabName = "motion";

  constructor(
    public data: KingpinData,
    host: HTMLElement,
    remembered: Remembered | null = null,
  ) {
    if (remembered) data.charts = remembered.charts;
    this.store = new FrameStore(
      data.frames,
      data.channels.map((c) => c.name),
    );
    this.poses = new Poses(data.model.bodies, this.store);
    this.playback = new Playback(this.store, data.modes !== undefined);
    this.range = new TimeRange(this.store.start, this.store.end);
    this.motion = new MotionTab(
      data,
      this.store,
      new Scales(data.model, data.channels, this.store, residualsOf(data.solution)),
      this.poses,
      this.playback,
      this.range,
      remembered?.surface ?? null,
    );
    this.reach();
    this.topology = data.topology ? new TopologyTab(data.topology) : null;
    this.solution = data.solution ? this.makeSolution() : null;
    this.transport = new Transport(this.store, this.playback);
    this.transport.events(data.solution?.events ?? []);
    this.warnings.show(data.solution?.warnings ?? []);

    const panel = (name: TabName, content: HTMLElement | undefined, missing: string) => {
      const e = h(
        "section.panel",
        { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, hidden: name !== this.tab },
        content ?? h("p.missing", {}, missing),
      );
      this.panels.set(name, e);
      return e;
    };
    const help = helpDialog(this.motion.beams !== null, this.motion.modes !== null);
    host.replaceChildren(
      h("div.top", {}, this.header(help), this.warnings.element),
      h(
        "main",
        {},
        panel("motion", this.motion.element, ""),
        panel("model", undefined, ""),
        panel("topology", this.topology?.element, "These results contain no topology."),
        panel("solution", this.solution?.element, "These results contain no solution history."),
      ),
      this.transport.element,
      help,
    );

    document.title = `${data.model.name} · Kingpin`;
    this.playback.onTime(() => this.showTime());
    onTheme(() => {
      this.motion.theme();
      this.topology?.redraw();
      this.solution?.theme();
    });
    this.motion.onMode = (mode) => this.showFrames(mode.frames);
    this.keys(help);
    const named = location.hash.slice(1) as TabName;
    if (TABS.includes(named)) this.open(named);
    this.motion.stage?.resize();
    this.motion.stage?.fit("home");
    this.showTime();
    lifetime().addEventListener("abort", () => this.playback.pause());
    if (remembered) this.recall(remembered);
    // a mode at rest shows nothing
    if (this.motion.modes && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) this.playback.play();
  }

  /** The tables of the model, as it is now. */
  private fillModel(): void {
    const panel = this.panels.get("model");
    if (!panel || !this.staleModel) return;
    const top = panel.firstElementChild?.scrollTop ?? 0;
    panel.replaceChildren(modelTab(this.data));
    if (panel.firstElementChild) panel.firstElementChild.scrollTop = top;
    this.staleModel = false;
  }

  open(name: TabName): void {
    this.tab = name;
    if (name === "model") this.fillModel();
    for (const [key, panel] of this.panels) panel.hidden = key !== name;
    for (const [key, button] of this.buttons) {
      button.setAttribute("aria-selected", String(key === name));
      button.tabIndex = key === name ? 0 : -1;
    }
    this.showTime();
  }

  /** Charts reach as far as the longest of the runs that are compared. */
  private reach(): void {
    const all = [this.store, ...this.motion.compared()];
    this.range.extend(Math.min(...all.map((s) => s.start)), Math.max(...all.map((s) => s.end)));
  }

  /** What the user has chosen. */
  remember(): Remembered {
    const { motion, playback, tab } = this;
    const selected = this.data.model.bodies[motion.selected]?.name ?? null;
    const { playing, time, speed } = playback;
    return {
      tab,
      time,
      playing,
      speed,
      selected,
      charts: motion.panel.names(),
      camera: motion.stage?.view.pose() ?? [],
      surface: motion.stage?.surface ?? null,
    };
  }

  private recall({ tab, time, playing, speed, selected, camera }: Remembered): void {
    this.open(tab);
    this.playback.setSpeed(speed);
    this.playback.set(time);
    const body = this.data.model.bodies.findIndex((b) => b.name === selected);
    if (body >= 0) this.motion.select(body);
    if (camera.length > 0) this.motion.stage?.view.take(camera);
    if (playing) this.playback.play();
    this.showTime();
  }

  /** Another motion of the same mechanism, whose numbers may be others; all that the user has chosen stays. */
  replace(data: KingpinData): void {
    const { time } = this.playback;
    this.data = data;
    this.store.replace(data.frames);
    this.reach();
    this.motion.answer(data);
    this.staleModel = true;
    this.given.replaceChildren(givenText(data.model.parameters ?? []) ?? "");
    if (this.tab === "model") this.fillModel();
    this.transport.grown();
    this.transport.events(data.solution?.events ?? []);
    this.warnings.show(data.solution?.warnings ?? []);
    if (data.solution) this.solution?.replace(data.solution);
    this.playback.set(Math.min(time, this.store.end));
    this.showTime();
  }

  /** The same motion of a file that says something else, such as a value that was written into it. */
  reword(data: KingpinData): void {
    this.data = { ...data, runs: this.data.runs };
    this.staleModel = true;
    this.given.replaceChildren(givenText(data.model.parameters ?? []) ?? "");
    if (this.tab === "model") this.fillModel();
  }

  /** Whether the server is there. */
  answering(state: LiveState): void {
    this.badge.hidden = state === "running";
    this.badge.dataset.state = state;
    setText(this.badge, { running: "", waiting: "reconnecting", done: "finished" }[state]);
  }

  /** Follows a run on the server. */
  live(reload: () => void): void {
    this.playback.follow(true);
    this.transport.liveMode(true);
    followLive(this.store, {
      frames: () => {
        this.reach();
        this.motion.panel.refresh();
        this.transport.grown();
        this.playback.grown();
        this.motion.grown();
      },
      solution: (part) => {
        this.solution?.replace(part);
        if (part.events) this.transport.events(part.events);
        if (part.warnings) this.warnings.show(part.warnings);
      },
      state: (state) => this.showLive(state),
      reload,
    });
  }

  /** Other frames of the same mechanism. */
  private showFrames(frames: Frames): void {
    this.store.replace(frames);
    this.reach();
    this.range.reset();
    this.playback.replaced();
    this.motion.replaced();
    this.transport.grown();
    this.showTime();
  }

  private showLive(state: LiveState): void {
    this.badge.hidden = false;
    this.badge.dataset.state = state;
    setText(this.badge, { running: "live", waiting: "reconnecting", done: "finished" }[state]);
    if (state !== "done") return;
    this.transport.liveMode(false);
    if (this.playback.following) this.playback.follow(false);
  }

  private makeSolution(): SolutionTab {
    return new SolutionTab(this.data.solution ?? {}, this.range, this.playback, (t) => {
      this.playback.pause();
      this.playback.set(t);
      this.open("motion");
    });
  }

  private showTime(): void {
    this.store.seek(this.playback.time);
    this.transport.showTime();
    if (this.tab === "motion") {
      this.poses.update();
      this.motion.showTime();
    } else if (this.tab === "solution") this.solution?.showTime();
  }

  private header(help: HTMLDialogElement): HTMLElement {
    const { model, generator } = this.data;
    this.given.append(givenText(model.parameters ?? []) ?? "");
    const labels: Record<TabName, string> = { motion: "Motion", model: "Model", topology: "Topology", solution: "Solution" };
    const tabs = h(
      "div.tabs",
      { role: "tablist", "aria-label": "Sections of the report", onkeydown: (e: KeyboardEvent) => this.tabKey(e) },
      ...TABS.map((name) => {
        const b = h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            "aria-controls": `panel-${name}`,
            "aria-selected": String(name === this.tab),
            tabindex: name === this.tab ? 0 : -1,
            onclick: () => this.open(name),
          },
          labels[name],
        );
        this.buttons.set(name, b);
        return b;
      }),
    );
    const themeButton = h("button.tool", { type: "button", title: "Light or dark theme (T)", "aria-label": "Light or dark theme", onclick: toggleTheme });
    const paint = () => themeButton.replaceChildren(icon(theme() === "dark" ? "sun" : "moon"));
    onTheme(paint);
    paint();
    return h(
      "header.bar",
      {},
      h(
        "div.brand",
        { title: generator ?? "Kingpin" },
        h("strong", {}, model.name),
        this.given,
        besideText((this.data.runs ?? []).filter((r) => r.name !== BEFORE)),
        model.description ? h("span", {}, model.description) : null,
      ),
      tabs,
      h(
        "div.bar-tools",
        {},
        this.badge,
        unitsMenu(),
        themeButton,
        h("button.tool", { type: "button", title: "Keyboard and mouse (?)", "aria-label": "Help", onclick: () => help.showModal() }, icon("help")),
      ),
    );
  }

  /** Arrows go from tab to tab. */
  private tabKey(e: KeyboardEvent): void {
    const here = TABS.indexOf(this.tab);
    const last = TABS.length - 1;
    const to = { ArrowLeft: here === 0 ? last : here - 1, ArrowRight: here === last ? 0 : here + 1, Home: 0, End: last }[e.key];
    if (to === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    this.open(TABS[to]);
    this.buttons.get(TABS[to])?.focus();
    e.preventDefault();
  }

  private keys(help: HTMLDialogElement): void {
    const { playback, motion } = this;
    keyboard({
      " ": () => playback.toggle(),
      ArrowLeft: (e) => playback.step(e.shiftKey ? -10 : -1),
      ArrowRight: (e) => playback.step(e.shiftKey ? 10 : 1),
      Home: () => playback.set(this.store.start),
      End: () => playback.set(this.store.end),
      "+": () => playback.notch(1),
      "=": () => playback.notch(1),
      "-": () => playback.notch(-1),
      l: () => playback.setLoop(!playback.loop),
      f: () => motion.stage?.fit(this.data.model.space === "planar" ? "home" : "keep"),
      c: () => motion.toggleFollow(),
      j: () => motion.toggleLayer("joints"),
      k: () => motion.toggleLayer("forces"),
      g: () => motion.toggleLayer("grid"),
      d: (e) => motion.beams?.nextColour(e.shiftKey ? -1 : 1),
      n: (e) => motion.modes?.next(e.shiftKey ? -1 : 1),
      m: (e) => motion.beams?.magnify(e.shiftKey ? -1 : 1),
      t: toggleTheme,
      z: () => motion.panel.toggleBoxing(),
      "/": () => {
        this.open("motion");
        motion.element.dataset.below = "channels";
        motion.list.search.focus();
      },
      "1": () => this.open("motion"),
      "2": () => this.open("model"),
      "3": () => this.open("topology"),
      "4": () => this.open("solution"),
      "?": () => help.showModal(),
      b: (e) => motion.nextBody(e.shiftKey ? -1 : 1),
      Escape: () => void (motion.tools?.end() || motion.select(-1)),
    });
  }
}

/** What the run shown is compared with. */
function besideText(runs: { name: string }[]): HTMLElement | null {
  return runs.length > 0
    ? h("span.given", { title: "Dashed curves and transparent mechanisms belong to these runs" }, `compared with ${runs.map((r) => r.name).join(", ")}`)
    : null;
}

/** Units that the whole page shows. */
function unitsMenu(): HTMLElement {
  const row = (q: Quantity) =>
    choice(
      `${q[0].toUpperCase()}${q.slice(1)} unit`,
      CHOICES[q].map((u): [string, string] => [u, u]),
      preference(q),
      (unit) => prefer(q, unit),
    );
  return menu("Units", "sliders", () => [heading("Units"), ...(Object.keys(CHOICES) as Quantity[]).map(row)]);
}

/** Parameters that the user gave other values, so that runs can be told apart. */
function givenText(parameters: Parameter[]): HTMLElement | null {
  const given = parameters.filter((p) => p.set !== undefined).map((p) => `${p.name} = ${p.set}`);
  return given.length > 0 ? h("span.given", { title: `Modified for this run: ${given.join(", ")}` }, `modified: ${given.join(", ")}`) : null;
}
