// Play, pause, step, scrub, speed, loop: the bar at the bottom.

import type { SolutionEvent } from "../data";
import type { FrameStore } from "../frames";
import { SPEEDS, type Playback } from "../playback";
import { h, setText } from "./dom";
import { icon, type IconName } from "./icons";
import { timeDecimals } from "./numbers";

const STEPS = 100000;

export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly speed: HTMLSelectElement;
  private readonly now = h("span.time-now");
  private readonly total = h("span.time-total");
  private readonly frame = h("span.frame-count");
  private readonly ticks = h("div.scrub-ticks", { "aria-hidden": "true" });
  private decimals = 3;

  constructor(
    private readonly store: FrameStore,
    private readonly playback: Playback,
  ) {
    const button = (label: string, name: IconName, action: () => void, extra = "") =>
      h(`button.tool${extra}` as "button", { type: "button", title: label, "aria-label": label, onclick: action }, icon(name));
    this.play = button("Play (space)", "play", () => playback.toggle(), ".primary");
    this.loop = button("Repeat (L)", "loop", () => playback.setLoop(!playback.loop));
    this.live = button("Follow the run", "live", () => playback.follow(!playback.following));
    this.live.hidden = true;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: STEPS,
      step: 1,
      value: 0,
      "aria-label": "Time",
      oninput: () => playback.set(store.start + (Number(this.slider.value) / STEPS) * (store.end - store.start)),
    });
    // its own steps would be far smaller than a frame; arrows to the sides, Home and End are keys of the page
    this.slider.addEventListener("keydown", (e) => {
      const frames = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[e.key];
      if (frames === undefined) return;
      playback.step(frames);
      e.preventDefault();
    });
    this.speed = h(
      "select",
      { "aria-label": "Speed", title: "Speed (+ and −)", onchange: () => playback.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((s) => h("option", { value: s }, `${s}×`)),
    );
    this.element = h(
      "footer.transport",
      { "aria-label": "Playback" },
      h(
        "div.buttons",
        {},
        button("Previous frame (←)", "back", () => playback.step(-1)),
        this.play,
        button("Next frame (→)", "forward", () => playback.step(1)),
        this.loop,
        this.live,
      ),
      h("div.readout", { role: "status", "aria-live": "off" }, this.now, this.total),
      h("div.scrub", {}, this.ticks, this.slider),
      this.frame,
      this.speed,
    );
    playback.onState(() => this.showState());
    this.grown();
    this.showState();
  }

  showTime(): void {
    const { store, playback } = this;
    const span = store.end - store.start;
    const f = span > 0 ? (playback.time - store.start) / span : 0;
    this.slider.value = String(Math.round(f * STEPS));
    this.slider.style.setProperty("--done", `${(100 * f).toFixed(3)}%`);
    setText(this.now, playback.time.toFixed(this.decimals));
    this.slider.setAttribute("aria-valuetext", `${playback.time.toFixed(this.decimals)} seconds`);
    setText(this.frame, `${Math.min(store.count, store.index + 1 + Math.round(store.fraction))} / ${store.count}`);
  }

  grown(): void {
    const { store } = this;
    this.decimals = timeDecimals(store.end - store.start, store.count);
    setText(this.total, `/ ${store.end.toFixed(this.decimals)} s`);
    this.now.style.minWidth = `${store.end.toFixed(this.decimals).length}ch`;
    this.frame.style.minWidth = `${2 * String(store.count).length + 3}ch`;
    this.showTime();
  }

  events(list: SolutionEvent[]): void {
    const span = this.store.end - this.store.start;
    this.ticks.replaceChildren(
      ...list.slice(0, 400).map((e) => {
        const tick = h("i", { title: `${e.name}, ${e.t.toFixed(this.decimals)} s` });
        tick.style.left = `${span > 0 ? (100 * (e.t - this.store.start)) / span : 0}%`;
        return tick;
      }),
    );
  }

  liveMode(on: boolean): void {
    this.live.hidden = !on;
  }

  private showState(): void {
    const { playback } = this;
    this.play.replaceChildren(icon(playback.playing ? "pause" : "play"));
    const label = playback.playing ? "Pause (space)" : "Play (space)";
    this.play.title = label;
    this.play.setAttribute("aria-label", label);
    this.loop.setAttribute("aria-pressed", String(playback.loop));
    this.live.setAttribute("aria-pressed", String(playback.following));
    this.speed.value = String(playback.speed);
  }
}
