// Words at places of the mechanism: names, values, distances.

import * as THREE from "three";
import { h, setText } from "../../ui/dom";
import { cssColour } from "../../ui/theme";

export interface Label {
  text: string;
  /** Global place; not a number hides it. */
  x: number;
  y: number;
  z: number;
  kind: "name" | "value" | "distance";
}

/** Height of a word, room around it, and how far it stands above its place, pixels. */
const TALL = 17;
const ROOM = 2;
const ABOVE = 22;
/** Other heights to stand at if something is in the way. */
const SHIFTS = [0, -TALL - 1, TALL + 10, -2 * (TALL + 1)];

export class Labels {
  readonly element = h("div.scene-labels", { "aria-hidden": "true" });
  private readonly spans: HTMLElement[] = [];
  private readonly point = new THREE.Vector3();
  private readonly pen = document.createElement("canvas").getContext("2d");
  private readonly widths = new Map<string, number>();
  /** What is seen of the list, in pixels of the page. */
  private seen: { text: string; kind: Label["kind"]; x: number; y: number }[] = [];

  /** Puts words where the camera sees their places. None lies on another: those that come first in the list have their room. */
  show(list: Label[], camera: THREE.Camera, width: number, height: number): void {
    while (this.spans.length < list.length) {
      const span = h("span.scene-label");
      this.spans.push(span);
      this.element.append(span);
    }
    this.seen = [];
    const taken: [number, number, number][] = [];
    this.spans.forEach((span, i) => {
      const label = list[i];
      if (!label) {
        span.hidden = true;
        return;
      }
      this.point.set(label.x, label.y, label.z).project(camera);
      span.hidden = !(Math.abs(this.point.x) < 1.05 && Math.abs(this.point.y) < 1.05 && Math.abs(this.point.z) < 1);
      if (span.hidden) return;
      setText(span, label.text);
      span.dataset.kind = label.kind;
      const half = this.width(label) / 2;
      const x = Math.max(half + ROOM, Math.min(width - half - ROOM, (0.5 + 0.5 * this.point.x) * width));
      const tip = Math.max(ABOVE + ROOM, Math.min(height - ROOM, (0.5 - 0.5 * this.point.y) * height));
      const free = (y: number) =>
        y >= ABOVE && taken.every(([left, right, other]) => x + half + ROOM <= left || x - half - ROOM >= right || Math.abs(other - y) >= TALL);
      const shift = SHIFTS.find((by) => free(tip + by));
      if (shift === undefined) {
        span.hidden = true;
        return;
      }
      const y = tip + shift;
      taken.push([x - half, x + half, y]);
      span.style.transform = `translate(${x.toFixed(1)}px, ${(y - ABOVE).toFixed(1)}px) translateX(-50%)`;
      this.seen.push({ text: label.text, kind: label.kind, x, y });
    });
  }

  /** How wide a word is, pixels. */
  private width({ text, kind }: Label): number {
    const known = this.widths.get(text);
    if (known !== undefined) return known;
    if (this.widths.size > 2000) this.widths.clear();
    if (this.pen) this.pen.font = `${kind === "name" ? 400 : 600} 11px ${cssColour("--font") || "sans-serif"}`;
    const wide = (this.pen?.measureText(text).width ?? 6.5 * text.length) + 10;
    this.widths.set(text, wide);
    return wide;
  }

  /** The same words in a picture that is so many times as large as the page shows it. */
  paint(onto: CanvasRenderingContext2D, times: number): void {
    onto.save();
    onto.scale(times, times);
    onto.font = "11px sans-serif";
    onto.textAlign = "center";
    onto.textBaseline = "middle";
    for (const { text, x, y } of this.seen) {
      const wide = onto.measureText(text).width + 8;
      onto.fillStyle = cssColour("--panel");
      onto.globalAlpha = 0.85;
      onto.fillRect(x - wide / 2, y - 22, wide, 16);
      onto.globalAlpha = 1;
      onto.fillStyle = cssColour("--text");
      onto.fillText(text, x, y - 14);
    }
    onto.restore();
  }
}
