// Colours of numbers: dark blue to yellow by rising brightness, so that everybody can tell more from less.

import * as THREE from "three";
import { solid } from "../material";

/** Stops of the map, evenly spaced. */
const STOPS = ["#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c", "#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725"];
/** On a dark ground the darkest colours would be lost. */
const DARK_FROM = 0.12;

/** The colour of a part of the range, 0 to 1, as numbers of 0 to 255. */
export function colourAt(part: number, dark: boolean): [number, number, number] {
  const clamped = Math.max(0, Math.min(1, part));
  const at = (dark ? DARK_FROM + (1 - DARK_FROM) * clamped : clamped) * (STOPS.length - 1);
  const i = Math.min(STOPS.length - 2, Math.floor(at));
  const channel = (stop: string, k: number) => parseInt(stop.slice(1 + 2 * k, 3 + 2 * k), 16);
  return [0, 1, 2].map((k) => Math.round(channel(STOPS[i], k) + (at - i) * (channel(STOPS[i + 1], k) - channel(STOPS[i], k)))) as [number, number, number];
}

/** The map as a gradient of the style sheet. */
export function gradient(dark: boolean): string {
  const stops = STOPS.map((_, i) => `rgb(${colourAt(i / (STOPS.length - 1), dark).join(" ")})`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** What the materials of all beams share. */
export class Palette {
  readonly texture: THREE.DataTexture;
  readonly low = { value: 0 };
  /** One over the range. */
  readonly per = { value: 0 };
  /** Half the height of the picture, pixels. */
  readonly pixels = { value: 300 };

  constructor() {
    this.texture = new THREE.DataTexture(new Uint8Array(4 * 256), 256, 1, THREE.RGBAFormat);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
    this.theme(false);
  }

  theme(dark: boolean): void {
    const out = this.texture.image.data as Uint8Array;
    for (let i = 0; i < 256; i++) out.set([...colourAt(i / 255, dark), 255], 4 * i);
    this.texture.needsUpdate = true;
  }

  range(low: number, high: number): void {
    this.low.value = low;
    this.per.value = high > low ? 1 / (high - low) : 0;
  }
}

/** A material whose colour is that of `amount` where `painted` is one; never thinner than a line on the screen. */
export function paintable(palette: Palette, reach: number): { material: THREE.MeshStandardMaterial; painted: { value: number } } {
  const material = solid();
  const painted = { value: 0 };
  const look = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    look.call(material, shader, renderer);
    const { texture, low, per, pixels } = palette;
    Object.assign(shader.uniforms, { scale: { value: texture }, low, per, pixels, painted, reach: { value: reach } });
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        attribute float amount;
        attribute vec3 centre;
        varying float vAmount;
        uniform float pixels;
        uniform float reach;`,
      )
      .replace(
        "#include <begin_vertex>",
        `#include <begin_vertex>
        vAmount = amount;
        float away = isOrthographic ? 1.0 : max(1e-9, -(modelViewMatrix * vec4(centre, 1.0)).z);
        float wide = reach * projectionMatrix[1][1] / away * pixels;
        transformed = centre + (transformed - centre) * max(1.0, 1.1 / max(wide, 1e-6));`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying float vAmount;
        uniform sampler2D scale;
        uniform float low;
        uniform float per;
        uniform float painted;`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        vec3 shade = texture2D(scale, vec2((0.5 + 255.0 * clamp((vAmount - low) * per, 0.0, 1.0)) / 256.0, 0.5)).rgb;
        diffuseColor.rgb = mix(diffuseColor.rgb, shade, painted);`,
      );
  };
  return { material, painted };
}
