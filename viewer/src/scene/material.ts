// The one look of everything solid: matt, with the rims a little darker, as in a technical drawing.

import * as THREE from "three";

export function solid(options: THREE.MeshStandardMaterialParameters = {}): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.04, ...options });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <opaque_fragment>",
      `float rim = smoothstep(0.0, 0.55, abs(dot(normalize(normal), normalize(vViewPosition))));
       outgoingLight *= mix(0.62, 1.0, rim);
       #include <opaque_fragment>`,
    );
  };
  return material;
}

const BODIES = ["#4c7ea8", "#c98a3c", "#4f8f78", "#b3574d", "#7f72b0", "#5b94a3", "#a38d4e", "#a8688b"];

/** Which of our colours a body gets: two quiet ones in turn where there are too many to tell apart. */
export function tone(body: number, bodies: number): number {
  return bodies <= 40 ? body : body % 2 === 0 ? 0 : 5;
}

/** A colour as written, or the n-th of our own where it is none. */
export function colourOf(text: string | undefined, n: number): THREE.Color {
  const colour = new THREE.Color(BODIES[n % BODIES.length]);
  if (!text) return colour;
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return colour.set(text);
  const named = (THREE.Color.NAMES as Record<string, number>)[text.toLowerCase()];
  return named === undefined ? colour : colour.set(named);
}
