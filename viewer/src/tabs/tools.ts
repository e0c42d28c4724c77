// Tools of the mechanism: what is drawn on top of it, looking inside, points that are picked, pictures and films.

import { asPng, fileName, save } from "../files";
import type { Playback } from "../playback";
import type { CutAxis } from "../scene/overlay/cut";
import { Film } from "../scene/overlay/film";
import type { Stage } from "../scene/stage";
import { h, setText } from "../ui/dom";
import { action, choice, heading, menu, option } from "../ui/menu";

type Mode = "select" | "trace" | "measure";

const HINTS: Record<Mode, string> = {
  select: "",
  trace: "Click on a point of a body to draw its path. Press Escape to stop.",
  measure: "Click on two points to measure their distance. Press Escape to stop.",
};

export class StageTools {
  readonly hint = h("div.stage-hint", { hidden: true, role: "status" });
  readonly menus: HTMLElement[];
  private mode: Mode = "select";
  private readonly film: Film;
  private readonly state = { scale: "1", opacity: "1", axis: "none" as CutAxis, part: 0.5 };

  constructor(
    private stage: Stage,
    private readonly model: string,
    playback: Playback,
  ) {
    this.film = new Film(stage.canvas, playback, (onto) => this.stage.paint(onto));
    this.film.onState = (on) => {
      this.hint.hidden = !on;
      if (on) setText(this.hint, "Recording one playback of the motion. Press Escape to stop.");
    };
    const tools: HTMLDetailsElement = menu("Measure, trace, save", "ruler", () => [
      ...this.picking(() => (tools.open = false)),
      heading("Save"),
      action("Image (PNG)", () => void this.picture()),
      action("Video (WebM)", () => {
        tools.open = false;
        void this.film.record().then((film) => save(`${fileName(this.model)}.webm`, film));
      }),
      action("Animation (GIF)", () => {
        tools.open = false;
        void this.film.pictures(this.stage.store.start, this.stage.store.end).then((film) => save(`${fileName(this.model)}.gif`, film));
      }),
    ]);
    this.menus = [tools];
  }

  /** Another stage that shows what the one before did. */
  use(stage: Stage): void {
    const { scale, opacity, axis, part } = this.state;
    this.stage = stage;
    stage.overlay.scale = Number(scale);
    if (opacity !== "1") stage.cut.opacity(Number(opacity));
    if (axis !== "none") stage.cut.section(axis, part);
    this.pick(this.mode);
  }

  /** Rows of what is drawn. */
  rows(): HTMLElement[] {
    const { stage, state } = this;
    const { overlay, cut } = stage;
    const redraw = () => stage.update();
    const flag = (label: string, on: boolean, set: (on: boolean) => void) =>
      option(label, on, (v) => {
        set(v);
        redraw();
      });
    const slider = h("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.005,
      value: state.part,
      "aria-label": "Position of the section",
      hidden: state.axis === "none",
      oninput: () => {
        state.part = Number(slider.value);
        cut.section(state.axis, state.part);
        redraw();
      },
    });
    const reactions = overlay.reactions.count > 0;
    return [
      flag("Body names", overlay.names, (on) => (overlay.names = on)),
      flag("Body frames", overlay.frames, (on) => (overlay.frames = on)),
      ...(reactions ? [flag("Joint reactions", overlay.reactions.group.visible, (on) => (overlay.reactions.group.visible = on))] : []),
      ...(stage.ghosts.group.children.length > 0
        ? [flag("Mechanisms of other runs", stage.ghosts.group.visible, (on) => (stage.ghosts.group.visible = on))]
        : []),
      flag("Arrow values", overlay.values, (on) => (overlay.values = on)),
      choice(
        "Arrow scale",
        ["0.2", "0.5", "1", "2", "5"].map((v): [string, string] => [v, `×${v}`]),
        state.scale,
        (v) => {
          state.scale = v;
          overlay.scale = Number(v);
          redraw();
        },
      ),
      choice(
        "Opacity of bodies",
        [
          ["1", "solid"],
          ["0.6", "60 %"],
          ["0.3", "30 %"],
          ["0.12", "12 %"],
        ],
        state.opacity,
        (v) => {
          state.opacity = v;
          cut.opacity(Number(v));
          redraw();
        },
      ),
      choice(
        "Section normal to",
        [
          ["none", "none"],
          ["x", "x"],
          ["y", "y"],
          ["z", "z"],
        ],
        state.axis,
        (v) => {
          state.axis = v as CutAxis;
          slider.hidden = v === "none";
          cut.section(state.axis, state.part);
          redraw();
        },
      ),
      h("div.menu-item", {}, slider),
    ];
  }

  /** Clicks select bodies again; whether they did not. */
  end(): boolean {
    if (this.film.recording) {
      this.film.stop();
      return true;
    }
    const busy = this.mode !== "select" || !this.hint.hidden;
    this.pick("select");
    return busy;
  }

  private picking(close: () => void): HTMLElement[] {
    const start = (mode: Mode) => () => {
      close();
      this.pick(mode);
    };
    return [
      action("Trace a point", start("trace")),
      action("Trace the centre of the selected body", () => {
        close();
        if (!this.traceCentre()) {
          setText(this.hint, "Select a body first: click it, or press B.");
          this.hint.hidden = false;
        }
      }),
      action("Distance between two points", start("measure")),
      action("Remove traces and distances", () => {
        this.stage.overlay.marks.clear();
        this.stage.update();
        close();
      }),
    ];
  }

  /** The way of the centre of mass of the body chosen, for those without a mouse; false if there is none. */
  private traceCentre(): boolean {
    const { stage } = this;
    const body = stage.model.bodies[stage.chosen];
    if (!body) return false;
    stage.overlay.marks.trace({ slot: stage.chosen, local: body.com });
    stage.update();
    return true;
  }

  private pick(mode: Mode): void {
    const { stage } = this;
    this.mode = mode;
    setText(this.hint, HINTS[mode]);
    this.hint.hidden = mode === "select";
    stage.onPick =
      mode === "select"
        ? null
        : (at) => {
            if (mode === "trace") stage.overlay.marks.trace(at);
            else stage.overlay.marks.pick(at);
            stage.update();
          };
  }

  private async picture(): Promise<void> {
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [this.stage.canvas.width, this.stage.canvas.height];
    this.stage.paint(sheet);
    save(`${fileName(this.model)}.png`, await asPng(sheet));
  }
}
