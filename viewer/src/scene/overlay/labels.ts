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

export class Labels {
  readonly element = h("div.scene-labels", { "aria-hidden": "true" });
  private readonly spans: HTMLElement[] = [];
  private readonly point = new THREE.Vector3();
  /** What is seen of the list, in pixels of the page. */
  private seen: { text: string; kind: Label["kind"]; x: number; y: number }[] = [];

  /** Puts words where the camera sees their places. */
  show(list: Label[], camera: THREE.Camera, width: number, height: number): void {
    while (this.spans.length < list.length) {
      const span = h("span.scene-label");
      this.spans.push(span);
      this.element.append(span);
    }
    this.seen = [];
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
      const [x, y] = [(0.5 + 0.5 * this.point.x) * width, (0.5 - 0.5 * this.point.y) * height];
      span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -130%)`;
      this.seen.push({ text: label.text, kind: label.kind, x, y });
    });
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
