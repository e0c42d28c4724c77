// Light and shadow.

import * as THREE from "three";

export class Lights {
  private readonly sun = new THREE.DirectionalLight("#ffffff", 2.1);
  private readonly sky = new THREE.HemisphereLight("#ffffff", "#8d949c", 1.55);

  /** `box`: what is to be lit; `shadows`, whether there are some; `software`, whether the processor draws, which is slow. */
  constructor({ shadows, software }: { shadows: boolean; software: boolean }, box: THREE.Box3, up: THREE.Vector3, planar: boolean) {
    const { sun } = this;
    const centre = box.getCenter(new THREE.Vector3());
    const r = 0.6 * box.getSize(new THREE.Vector3()).length();
    const side = Math.abs(up.z) > 0.5 ? new THREE.Vector3(0.45, -0.55, 0) : new THREE.Vector3(0.45, 0, 0.55);
    if (planar) side.set(0.35, 0, 1.2);
    sun.position
      .copy(centre)
      .addScaledVector(up, 2.2 * r)
      .addScaledVector(side, 2.2 * r);
    sun.target.position.copy(centre);
    sun.castShadow = shadows;
    const s = sun.shadow;
    const edge = software ? 1024 : 2048;
    s.mapSize.set(edge, edge);
    s.bias = -0.0004;
    s.normalBias = 0.004 * r;
    s.radius = 4;
    const c = s.camera;
    c.left = c.bottom = -1.25 * r;
    c.right = c.top = 1.25 * r;
    c.near = 0.1 * r;
    c.far = 8 * r;
  }

  get objects(): THREE.Object3D[] {
    return [this.sky, this.sun, this.sun.target];
  }

  theme(dark: boolean): void {
    this.sky.intensity = dark ? 1.25 : 1.75;
    this.sun.intensity = dark ? 1.8 : 2.1;
  }

  /** Goes along with something. */
  shift(by: THREE.Vector3): void {
    this.sun.position.add(by);
    this.sun.target.position.add(by);
  }
}
