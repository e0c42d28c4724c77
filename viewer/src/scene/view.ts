// Camera: perspective in space, parallel in the plane; orbit, pan, zoom, fit.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type Direction = "home" | "front" | "side" | "top";

export class View {
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly controls: OrbitControls;
  private aspect = 1;
  /** Half the height that a parallel view shows at zoom 1. */
  private half = 1;

  constructor(
    private readonly planar: boolean,
    readonly up: THREE.Vector3,
    canvas: HTMLCanvasElement,
    private readonly flat: boolean,
    alive: AbortSignal,
  ) {
    this.camera = planar ? new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 1000) : new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    alive.addEventListener("abort", () => this.controls.dispose());
    const c = this.controls;
    c.enableDamping = true;
    c.dampingFactor = 0.18;
    c.zoomToCursor = true;
    if (planar) {
      c.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.ROTATE };
      c.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    if (this.camera instanceof THREE.PerspectiveCamera) this.camera.aspect = this.aspect;
    else this.frame();
    this.camera.updateProjectionMatrix();
  }

  private frame(): void {
    if (this.camera instanceof THREE.PerspectiveCamera) return;
    this.camera.left = -this.half * this.aspect;
    this.camera.right = this.half * this.aspect;
    this.camera.top = this.half;
    this.camera.bottom = -this.half;
  }

  /** From where to where it looks, and how close. */
  pose(): number[] {
    const { camera, controls } = this;
    return [...camera.position.toArray(), ...controls.target.toArray(), camera.zoom, this.half, camera.near, camera.far];
  }

  /** Looks as another view did. */
  take([x, y, z, tx, ty, tz, zoom, half, near, far]: number[]): void {
    this.camera.position.set(x, y, z);
    this.controls.target.set(tx, ty, tz);
    [this.camera.zoom, this.half, this.camera.near, this.camera.far] = [zoom, half, near, far];
    this.frame();
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Looks from a direction so that a box fills the view. `keep` leaves the direction as it is. */
  fit(box: THREE.Box3, from: Direction | "keep"): void {
    const centre = box.getCenter(new THREE.Vector3());
    const back = from === "keep" ? this.camera.getWorldDirection(new THREE.Vector3()).negate() : this.towards(from);
    const right = this.up.clone().cross(back);
    if (right.lengthSq() < 1e-9) right.set(1, 0, 0);
    right.normalize();
    const above = back.clone().cross(right);

    // the corners of the box seen along the three directions of the camera
    let across = 0;
    let tall = 0;
    let distance = 0;
    const perspective = this.camera instanceof THREE.PerspectiveCamera;
    const slope = perspective ? Math.tan(((this.camera as THREE.PerspectiveCamera).fov * Math.PI) / 360) : 1;
    const corner = new THREE.Vector3();
    for (let k = 0; k < 8; k++) {
      corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(centre);
      const x = Math.abs(corner.dot(right));
      const y = Math.abs(corner.dot(above));
      across = Math.max(across, x);
      tall = Math.max(tall, y);
      distance = Math.max(distance, corner.dot(back) + Math.max(y, x / this.aspect) / slope);
    }
    const size = Math.max(box.getSize(corner).length(), 1e-6);
    if (this.camera instanceof THREE.PerspectiveCamera) {
      distance *= 1.12;
      this.camera.near = size / 500;
      this.camera.far = size * 60;
    } else {
      this.half = 1.14 * Math.max(tall, across / this.aspect, 1e-6);
      this.camera.zoom = 1;
      distance = 3 * size;
      this.camera.near = size / 100;
      this.camera.far = size * 30;
      this.frame();
    }
    this.controls.minDistance = size / 200;
    this.controls.maxDistance = size * 25;
    this.camera.position.copy(centre).addScaledVector(back, distance);
    this.controls.target.copy(centre);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** From the thing shown to the eye. */
  private towards(from: Direction): THREE.Vector3 {
    if (this.planar) return new THREE.Vector3(0, 0, 1);
    const zUp = Math.abs(this.up.z) > 0.5;
    const sideways = zUp ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    const ahead = new THREE.Vector3(1, 0, 0);
    switch (from) {
      case "front":
        return sideways;
      case "side":
        return ahead;
      case "top":
        // a hair off the vertical, where orbiting has no direction
        return this.up.clone().addScaledVector(sideways, 1e-3).normalize();
      case "home":
        // a flat motion is best seen almost square to its plane
        return this.flat
          ? sideways.addScaledVector(ahead, 0.16).addScaledVector(this.up, 0.14).normalize()
          : sideways.addScaledVector(ahead, 0.72).addScaledVector(this.up, 0.5).normalize();
    }
  }

  /** What a key does to the view; whether it does something. Arrows turn, or move with `moves` and in the plane. */
  key(key: string, moves: boolean): boolean {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [0, 0];
    const nearer = { PageUp: 1 / 1.2, PageDown: 1.2 }[key];
    if (nearer !== undefined) this.zoom(nearer);
    else if (x === 0 && y === 0) return false;
    else if (moves || this.planar) this.pan(x, y);
    else this.turn(-0.12 * x, -0.12 * y);
    this.controls.update();
    return true;
  }

  private zoom(factor: number): void {
    const { camera, controls } = this;
    if (camera instanceof THREE.PerspectiveCamera) camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
    else camera.zoom /= factor;
    camera.updateProjectionMatrix();
  }

  private turn(around: number, over: number): void {
    const { camera, controls, up } = this;
    const back = camera.position.clone().sub(controls.target);
    const polar = back.angleTo(up);
    // not over the pole, where up is nowhere
    const limited = Math.max(0.02, Math.min(Math.PI - 0.02, polar + over)) - polar;
    back.applyAxisAngle(up.clone().cross(back).normalize(), limited).applyAxisAngle(up, around);
    camera.position.copy(controls.target).add(back);
  }

  /** A tenth of what is seen. */
  private pan(x: number, y: number): void {
    const { camera, controls } = this;
    const tall =
      camera instanceof THREE.PerspectiveCamera
        ? 2 * camera.position.distanceTo(controls.target) * Math.tan((camera.fov * Math.PI) / 360)
        : (2 * this.half) / camera.zoom;
    camera.updateMatrixWorld();
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const above = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    this.shift(right.multiplyScalar(0.1 * tall * x).addScaledVector(above, 0.1 * tall * y));
  }

  /** Moves along with something. */
  shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
  }
}
