// A canvas and what draws on it. Both take long to make, so they outlive what they show.

import * as THREE from "three";

export class Surface {
  readonly canvas = document.createElement("canvas");
  readonly renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
  /** Whether the processor draws. Asked once: it waits for all that is being drawn. */
  readonly software = inSoftware(this.renderer);
  /** What was shown before, until something else is: programs that both need are then not made anew. */
  private left: THREE.Scene[] = [];

  constructor() {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
  }

  /** A scene is over. */
  leave(scene: THREE.Scene): void {
    this.left.push(scene);
  }

  draw(scene: THREE.Scene, camera: THREE.Camera): void {
    this.renderer.render(scene, camera);
    for (const old of this.left.splice(0)) old.traverse(dispose);
  }
}

/** Whether there can be one. */
export function hasSurface(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

/** Gives back what an object holds of the memory for graphics. */
function dispose(object: THREE.Object3D): void {
  const { geometry, material, dispose } = object as Partial<THREE.Mesh> & { dispose?: () => void };
  geometry?.dispose();
  for (const m of [material ?? []].flat()) m.dispose();
  dispose?.call(object);
}

function inSoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  return names !== null && /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)));
}
