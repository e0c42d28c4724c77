// The axes in a corner of the view.

import type * as THREE from "three";

const NAMES = ["x", "y", "z"] as const;
const SVG = "http://www.w3.org/2000/svg";

export class Triad {
  readonly element: SVGSVGElement;
  private readonly lines: SVGLineElement[] = [];
  private readonly labels: SVGTextElement[] = [];

  constructor() {
    this.element = document.createElementNS(SVG, "svg");
    this.element.setAttribute("viewBox", "-32 -32 64 64");
    this.element.setAttribute("class", "triad");
    this.element.setAttribute("aria-hidden", "true");
    for (const name of NAMES) {
      const line = document.createElementNS(SVG, "line");
      line.setAttribute("class", `axis-${name}`);
      const label = document.createElementNS(SVG, "text");
      label.textContent = name;
      this.lines.push(line);
      this.labels.push(label);
      this.element.append(line, label);
    }
  }

  update(camera: THREE.Camera): void {
    const e = camera.matrixWorldInverse.elements;
    for (let k = 0; k < 3; k++) {
      const x = 20 * e[4 * k];
      const y = -20 * e[4 * k + 1];
      this.lines[k].setAttribute("x2", x.toFixed(1));
      this.lines[k].setAttribute("y2", y.toFixed(1));
      this.labels[k].setAttribute("x", (1.36 * x).toFixed(1));
      this.labels[k].setAttribute("y", (1.36 * y + 3.5).toFixed(1));
      // an axis that points at the eye has no room for a label
      this.labels[k].style.opacity = Math.hypot(x, y) < 5 ? "0" : "1";
    }
  }
}
