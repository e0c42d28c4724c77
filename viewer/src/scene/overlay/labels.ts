// Words at places of the mechanism: names, values, distances.

import * as THREE from "three";
import { h, setText } from "../../ui/dom";

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

  /** Puts words where the camera sees their places. */
  show(list: Label[], camera: THREE.Camera, width: number, height: number): void {
    while (this.spans.length < list.length) {
      const span = h("span.scene-label");
      this.spans.push(span);
      this.element.append(span);
    }
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
      span.style.transform = `translate(${((0.5 + 0.5 * this.point.x) * width).toFixed(1)}px, ${((0.5 - 0.5 * this.point.y) * height).toFixed(1)}px) translate(-50%, -130%)`;
    });
  }
}
