// Motion: channels, mechanism and charts side by side.

import { BeamNodes } from "../beams";
import type { Frames, KingpinData, Mode } from "../data";
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
import { cellText } from "../ui/numbers";
import { BeamControls } from "./beams";
import { ModeChooser } from "./modes";
import { StageTools } from "./tools";

export class MotionTab {
  readonly element: HTMLElement;
  readonly panel: ChartPanel;
  readonly list: ChannelList;
  readonly stage: Stage | null;
  /** Only where there are beams. */
  readonly beams: BeamControls | null;
  readonly tools: StageTools | null;
  /** Only where there are modes. */
  readonly modes: ModeChooser | null;
  /** Called with a mode to show. */
  onMode: (mode: Mode) => void = () => {};
  private readonly nodes: BeamNodes;
  selected = -1;
  private readonly layers = new Map<Layer, HTMLInputElement>();
  private readonly followButton: HTMLButtonElement;
  private readonly tip = h("div.body-tip", { hidden: true });

  constructor(
    private readonly data: KingpinData,
    store: FrameStore,
    scales: Scales,
    poses: Poses,
    playback: Playback,
    range: TimeRange,
    surface: Surface | null,
  ) {
    const { model, channels } = data;
    const runs = otherRuns(data);
    this.panel = new ChartPanel(new Signals(channels, store, scales, runs), playback, range, model.name);
    this.nodes = new BeamNodes(model);
    this.list = new ChannelList(model, this.nodes, this.panel.signals, (c) => this.panel.colour(c), (c) => this.panel.toggle(c));
    this.list.onBody = (b) => this.select(b);
    this.panel.onChange = () => this.list.mark();
    this.stage = makeStage(data, poses, store, runs, surface);
    this.beams = this.stage && (model.beams?.length ?? 0) + (model.meshes?.length ?? 0) > 0 ? new BeamControls(this.stage) : null;
    this.tools = this.stage ? new StageTools(this.stage, model.name, playback) : null;
    this.modes = data.modes && data.modes.length > 0 ? new ModeChooser(data.modes, (m) => this.onMode(m)) : null;
    this.followButton = this.tool("Camera goes along (C)", "follow", () => this.toggleFollow());
    const stagePane = this.stage ? this.stagePane(this.stage) : noStage();
    const which = h("div.which", { role: "group", "aria-label": "Below the mechanism" });
    this.element = h("div.motion", { "data-below": "charts" }, this.list.element, stagePane, splitter(() => this.element, "--charts"), which, this.panel.element);
    for (const [key, label] of [["charts", "Charts"], ["channels", "Channels"]] as const) {
      which.append(h("button", { type: "button", "aria-pressed": String(key === "charts"), onclick: (e: MouseEvent) => {
        this.element.dataset.below = key;
        for (const b of which.children) b.setAttribute("aria-pressed", String(b === e.currentTarget));
      } }, label));
    }
    this.panel.start(data.charts);
  }

  /** Something beside the mechanism. */
  addPanel(element: HTMLElement): void {
    this.element.querySelector(".stage")?.append(element);
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
    this.stage?.replaced();
    this.beams?.describe();
    this.panel.refresh();
  }

  /** Other frames of the run before. */
  earlier(frames: Frames): void {
    this.panel.signals.runs.find((r) => r.name === BEFORE)?.store.replace(frames);
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
    stage.canvas.setAttribute("aria-label", `Mechanism of ${model.name}: ${this.nodes.things()} bodies, ${model.joints.length} joints`);
    stage.onSelect = (b) => this.select(b);
    stage.onHover = (b, x, y) => {
      this.tip.hidden = b < 0;
      if (b < 0) return;
      setText(this.tip, this.nodes.label(b));
      this.tip.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
    };
    this.followButton.setAttribute("aria-pressed", String(stage.following));
    const upIsZ = stage.view.up.z > 0.5;
    const views = model.space === "planar" ? null : menu("View", "view", () => (["home", "front", "side", "top"] as const).map((v) =>
      h("button.menu-item", { type: "button", onclick: () => stage.fit(v) }, { home: "Overall", front: `Side, along ${upIsZ ? "y" : "z"}`, side: "Front, along x", top: `Top, along ${upIsZ ? "z" : "y"}` }[v])));
    const layer = (key: Layer, label: string, on: boolean, many: number) => {
      const box = h("input", { type: "checkbox", onchange: () => stage.show(key, box.checked) });
      box.checked = on;
      this.layers.set(key, box);
      return many > 0 && h("label.menu-item", {}, box, label);
    };
    const drawn = [
      layer("joints", "Joints", true, model.joints.length), layer("forces", "Forces", true, model.forces.length),
      layer("centres", "Centres of mass", false, model.bodies.length), layer("grid", "Grid", true, 1),
      ...(this.beams?.items ?? []),
    ];
    const layers = menu("What to draw", "layers", () => [...drawn, ...(this.tools?.rows() ?? [])]);
    const pane = h("div.stage", {}, stage.canvas,
      h("div.stage-tools", {}, this.tool("Fit (F)", "fit", () => stage.fit(model.space === "planar" ? "home" : "keep")), this.followButton, views, layers, ...(this.tools?.menus ?? [])),
      stage.overlay.labels.element, this.tools?.hint,
      h("div.stage-note", {}, frames.note ? h("span", {}, frames.note) : null, h("span.grid-note", {}, `grid ${cellText(stage.cell)} m`)),
      h("div.stage-left", {}, this.modes?.element, this.beams?.legend), stage.triad.element, this.tip);
    const resized = new ResizeObserver(() => stage.resize());
    resized.observe(pane);
    lifetime().addEventListener("abort", () => resized.disconnect());
    return pane;
  }
}

/** Without WebGL the rest of the page still has its worth. */
function makeStage(data: KingpinData, poses: Poses, store: FrameStore, runs: OtherRun[], surface: Surface | null): Stage | null {
  const there = surface ?? (hasSurface() ? new Surface() : null);
  return there && new Stage(data.model, poses, store, data.channels, runs, there);
}

function noStage(): HTMLElement {
  return h("div.stage.stage-missing", {}, h("p", {}, "This browser has no WebGL 2, so the mechanism cannot be drawn. Charts and tables work."));
}
