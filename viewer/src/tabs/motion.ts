// Motion: channels, mechanism and charts side by side.

import { BeamNodes } from "../beams";
import type { KingpinData, Mode, Model } from "../data";
import type { FrameStore } from "../frames";
import { lifetime } from "../lifetime";
import type { Scales } from "../scales";
import type { Playback } from "../playback";
import type { Poses } from "../poses";
import type { TimeRange } from "../charts/axis";
import { ChannelList } from "../charts/channels";
import { ChartPanel } from "../charts/panel";
import { Signals } from "../charts/signals";
import { BEFORE, otherRuns, type OtherRun } from "../runs";
import { Stage, type Layer } from "../scene/stage";
import { Surface, hasSurface } from "../scene/surface";
import { h, setText } from "../ui/dom";
import { icon, type IconName } from "../ui/icons";
import { menu } from "../ui/menu";
import { splitter } from "../ui/splitter";
import { cellText, many } from "../ui/numbers";
import { BeamControls } from "./beams";
import { ModeChooser } from "./modes";
import { StageTools } from "./tools";

export class MotionTab {
  readonly element: HTMLElement;
  readonly panel: ChartPanel;
  readonly list: ChannelList;
  /** Another one when the mechanism has other shapes. */
  stage: Stage | null;
  /** Only where there are beams. */
  readonly beams: BeamControls | null;
  readonly tools: StageTools | null;
  /** Only where there are modes. */
  readonly modes: ModeChooser | null;
  /** Called with a mode to show. */
  onMode: (mode: Mode) => void = () => {};
  private nodes: BeamNodes;
  private runs: OtherRun[];
  selected = -1;
  private readonly layers = new Map<Layer, HTMLInputElement>();
  private readonly followButton: HTMLButtonElement;
  private readonly tip = h("div.body-tip", { hidden: true });
  private readonly side: HTMLElement;
  private readonly which: HTMLElement;
  private readonly grid = h("span.grid-note");

  constructor(
    private data: KingpinData,
    private readonly store: FrameStore,
    private readonly scales: Scales,
    private readonly poses: Poses,
    private readonly playback: Playback,
    range: TimeRange,
    surface: Surface | null,
  ) {
    const { model, channels } = data;
    const runs = (this.runs = otherRuns(data));
    this.panel = new ChartPanel(new Signals(channels, store, scales, runs), playback, range, model.name);
    this.nodes = new BeamNodes(model);
    this.list = new ChannelList(
      model,
      this.nodes,
      this.panel.signals,
      (c) => this.panel.colour(c),
      (c) => this.panel.toggle(c),
    );
    this.list.onBody = (b) => this.select(b);
    this.panel.onChange = () => this.list.mark();
    this.stage = makeStage(data, poses, store, runs, surface);
    this.beams = this.stage && (model.beams?.length ?? 0) + (model.meshes?.length ?? 0) > 0 ? new BeamControls(this.stage) : null;
    this.tools = this.stage ? new StageTools(this.stage, model.name, playback) : null;
    this.modes = data.modes && data.modes.length > 0 ? new ModeChooser(data.modes, (m) => this.onMode(m)) : null;
    this.followButton = this.tool("Follow with camera (C)", "follow", () => this.toggleFollow());
    const stagePane = this.stage ? this.stagePane(this.stage) : noStage();
    const which = h("div.which", { role: "group", "aria-label": "Lower panel" });
    this.side = h("div.side", {}, this.list.element);
    this.element = h(
      "div.motion",
      { "data-below": "charts" },
      this.side,
      stagePane,
      splitter(() => this.element, "--charts"),
      which,
      this.panel.element,
    );
    this.which = which;
    this.choose("charts", "Charts");
    this.choose("channels", "Channels");
    this.panel.start(data.charts);
  }

  /** Parameters above the channels, and what is said of runs on the mechanism. */
  addControls(element: HTMLElement, news: HTMLElement): void {
    this.side.prepend(element);
    this.element.classList.add("answers");
    this.element.querySelector(".stage")?.append(news);
    if (!element.hidden) this.choose("parameters", "Parameters");
  }

  /** A button for what small windows show below the mechanism. */
  private choose(key: string, label: string): void {
    const { which } = this;
    which.append(
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(key === this.element.dataset.below),
          onclick: (e: MouseEvent) => {
            this.element.dataset.below = key;
            for (const b of which.children) b.setAttribute("aria-pressed", String(b === e.currentTarget));
          },
        },
        label,
      ),
    );
  }

  select(body: number): void {
    this.selected = body;
    this.stage?.select(body);
    this.list.select(body);
  }

  /** The body or beam after the selected one, in the order of the model. */
  nextBody(by: 1 | -1): void {
    const n = this.data.model.bodies.length;
    if (n === 0) return;
    const beam = this.nodes.named(this.selected);
    let at = beam ? beam.nodes[0] : this.selected < 0 && by < 0 ? n : this.selected;
    do at = (at + by + n) % n;
    while (!this.nodes.leads(at));
    this.select(at);
  }

  toggleLayer(layer: Layer): void {
    const box = this.layers.get(layer);
    if (!box) return;
    box.checked = !box.checked;
    this.stage?.show(layer, box.checked);
  }

  toggleFollow(): void {
    if (!this.stage) return;
    this.stage.follow(!this.stage.following);
    this.followButton.setAttribute("aria-pressed", String(this.stage.following));
  }

  /** Frames have come. */
  grown(): void {
    const changed = this.stage?.grown();
    this.beams?.describe();
    if (this.stage && changed) this.followButton.setAttribute("aria-pressed", String(this.stage.following));
  }

  /** Other frames are there instead. */
  replaced(): void {
    this.scales.forget();
    this.stage?.replaced();
    this.beams?.describe();
    this.panel.refresh();
  }

  /** Another motion, perhaps of other shapes; what was shown before is kept to compare with. */
  answer(data: KingpinData): void {
    const known = this.runs.find((r) => r.name === BEFORE);
    const before = (data.runs ?? []).find((r) => r.name === BEFORE);
    const drawn = !known === !before && sameShapes(this.data.model, data.model);
    this.data = data;
    if (known && before) known.store.replace(before.frames);
    else if (before) {
      this.runs.push(...otherRuns({ ...data, runs: [before] }));
      this.panel.compare();
    }
    if (drawn) return this.replaced();
    this.scales.forget(data.model);
    this.reshape();
    this.panel.refresh();
  }

  /** Frames of other runs that were asked for. */
  compared(): FrameStore[] {
    return this.runs.filter((r) => r.name !== BEFORE).map((r) => r.store);
  }

  /** The mechanism anew, seen as before. */
  private reshape(): void {
    const { stage: old, data, store, poses } = this;
    if (!old) return;
    const stage = new Stage(data.model, poses, store, data.channels, this.runs, old.surface);
    this.nodes = new BeamNodes(data.model);
    stage.succeed(old, this.playback.time);
    this.stage = stage;
    this.wire(stage);
    old.overlay.labels.element.replaceWith(stage.overlay.labels.element);
    old.triad.element.replaceWith(stage.triad.element);
    for (const [layer, box] of this.layers) stage.show(layer, box.checked);
    this.tools?.use(stage);
    this.beams?.use(stage);
  }

  /** What the stage tells, and what is told of it. */
  private wire(stage: Stage): void {
    stage.onSelect = (b) => this.select(b);
    stage.onHover = (b, x, y) => {
      this.tip.hidden = b < 0;
      if (b < 0) return;
      setText(this.tip, this.nodes.label(b));
      this.tip.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
    };
    setText(this.grid, `grid ${cellText(stage.cell)} m`);
  }

  /** Poses and values at the time sought last. */
  showTime(): void {
    this.stage?.update();
    this.panel.showTime();
    this.list.showTime();
  }

  theme(): void {
    this.stage?.theme();
    this.panel.theme();
  }

  private tool(label: string, name: IconName, action: () => void): HTMLButtonElement {
    return h("button.tool", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
  }

  private stagePane(stage: Stage): HTMLElement {
    const { model, frames } = this.data;
    stage.canvas.setAttribute("role", "img");
    stage.canvas.tabIndex = 0;
    stage.canvas.setAttribute(
      "aria-label",
      `Mechanism of ${model.name}: ${many(this.nodes.things(), "body", "bodies")}, ${many(model.joints.length, "joint")}. Arrow keys rotate the view, with Shift they pan, Page Up and Page Down zoom.`,
    );
    this.wire(stage);
    this.followButton.setAttribute("aria-pressed", String(stage.following));
    const upIsZ = stage.view.up.z > 0.5;
    const views =
      model.space === "planar"
        ? null
        : menu("View", "view", () =>
            (["home", "front", "side", "top"] as const).map((v) =>
              h(
                "button.menu-item",
                { type: "button", onclick: () => this.stage?.fit(v) },
                { home: "Isometric", front: `Side, along ${upIsZ ? "y" : "z"}`, side: "Front, along x", top: `Top, along ${upIsZ ? "z" : "y"}` }[v],
              ),
            ),
          );
    const layer = (key: Layer, label: string, on: boolean, many: number) => {
      const box = h("input", { type: "checkbox", onchange: () => this.stage?.show(key, box.checked) });
      box.checked = on;
      this.layers.set(key, box);
      return many > 0 && h("label.menu-item", {}, box, label);
    };
    const drawn = [
      layer("joints", "Joints", true, model.joints.length),
      layer("forces", "Forces", true, model.forces.length),
      layer("centres", "Centres of mass", false, model.bodies.length),
      layer("grid", "Grid", true, 1),
      ...(this.beams?.items ?? []),
    ];
    const layers = menu("Display", "layers", () => [...drawn, ...(this.tools?.rows() ?? [])]);
    const pane = h(
      "div.stage",
      {},
      stage.canvas,
      h(
        "div.stage-tools",
        {},
        this.tool("Fit (F)", "fit", () => this.stage?.fit(model.space === "planar" ? "home" : "keep")),
        this.followButton,
        views,
        layers,
        ...(this.tools?.menus ?? []),
      ),
      stage.overlay.labels.element,
      this.tools?.hint,
      h("div.stage-note", {}, frames.note ? h("span", {}, frames.note) : null, this.grid),
      h("div.stage-left", {}, this.modes?.element, this.beams?.legend),
      stage.triad.element,
      this.tip,
    );
    const resized = new ResizeObserver(() => this.stage?.resize());
    resized.observe(pane);
    lifetime().addEventListener("abort", () => resized.disconnect());
    return pane;
  }
}

/** Whether two models are drawn alike: their numbers that nothing shows may differ. */
function sameShapes(a: Model, b: Model): boolean {
  const drawn = ({ bodies, forces, joints, drivers, beams, meshes, ground, roads, gravity }: Model) =>
    JSON.stringify([
      bodies.map(({ com, shapes, mass }) => [com, shapes ?? mass]),
      forces.map(({ stiffness, damping, ...rest }) => [rest, !stiffness, !damping]),
      joints,
      drivers,
      beams,
      meshes,
      ground,
      roads,
      gravity,
    ]);
  return drawn(a) === drawn(b);
}

/** Without WebGL the rest of the page still has its worth. */
function makeStage(data: KingpinData, poses: Poses, store: FrameStore, runs: OtherRun[], surface: Surface | null): Stage | null {
  const there = surface ?? (hasSurface() ? new Surface() : null);
  return there && new Stage(data.model, poses, store, data.channels, runs, there);
}

function noStage(): HTMLElement {
  return h(
    "div.stage.stage-missing",
    {},
    h("p", {}, "This browser does not support WebGL 2, so the mechanism cannot be drawn. Charts and tables are available."),
  );
}
