// A mesh: the surface of a flexible body, which a few amplitudes deform in the axes of its floating frame, or whose points are
// bodies.

import * as THREE from "three";
import { decodeFull, type Numbers } from "../../columns";
import type { Mesh } from "../../data";
import type { FrameStore } from "../../frames";
import { STRIDE, type Poses } from "../../poses";
import { colourOf } from "../material";
import { stretches } from "./stretch";
import type { Look } from "./beam";
import { corners } from "./corners";
import type { Colouring, Flexible } from "./flexible";
import { paintable } from "./paint";

export class Surface implements Flexible {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  readonly amounts: Float32Array;
  private readonly painted: { value: number };
  private readonly hull: THREE.Mesh;
  private readonly points: Numbers;
  private readonly shapes: Numbers[];
  private readonly tensors: Partial<Record<Colouring, Numbers[]>>;
  /** The point of each corner. */
  private readonly point: Int32Array;
  private readonly position: THREE.BufferAttribute;
  private readonly amount: THREE.BufferAttribute;
  /** Amplitudes, and displacements and numbers of all points at a time. */
  private readonly z: Float64Array;
  private readonly moved: Float64Array;
  private readonly level: Float64Array;
  /** Global places of all points at the start. */
  private readonly start: Float64Array;
  private readonly now: Float64Array;

  /** The poses must be those of the start. */
  constructor(
    private readonly data: Mesh,
    tone: number,
    poses: Poses,
    private readonly store: FrameStore,
    look: Look,
  ) {
    const { count, name } = data;
    const columns = (list: Mesh["shapes"], each: number, what: string) => list.map((c, k) => decodeFull(c, each * count, `${what} ${k} of ${name}`));
    this.points = decodeFull(data.points, 3 * count, `points of ${name}`);
    this.shapes = columns(data.shapes, 3, "shape");
    this.tensors = {};
    if (data.strains) this.tensors.strain = columns(data.strains, 6, "strains");
    if (data.stresses) this.tensors.stress = columns(data.stresses, 6, "stresses");
    this.z = new Float64Array(data.amplitudes.length);
    this.moved = new Float64Array(3 * count);
    this.level = new Float64Array(count);
    this.start = new Float64Array(3 * count);
    this.now = new Float64Array(3 * count);
    this.bend(poses);
    this.places(poses, this.start);

    const cut = corners(this.points, data.triangles);
    this.point = cut.point;
    const geometry = new THREE.BufferGeometry();
    const attribute = (key: string, size: number) => {
      const a = new THREE.BufferAttribute(new Float32Array(size * cut.point.length), size).setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(key, a);
      return a;
    };
    this.position = attribute("position", 3);
    this.amount = attribute("amount", 1);
    this.amounts = this.amount.array as Float32Array;
    geometry.setAttribute("normal", new THREE.BufferAttribute(cut.normal, 3));
    geometry.setIndex(cut.triangles);
    // it is never left out and always asked
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    // no line that could be too thin: as if it reached to the end of the world
    const { material, painted } = paintable(look.palette, 1e9);
    material.color.copy(colourOf(data.colour, tone));
    material.emissive.set("#ffffff");
    material.emissiveIntensity = 0;
    this.painted = painted;
    this.mesh = new THREE.Mesh(geometry, material);
    this.hull = new THREE.Mesh(geometry, grown(look));
    this.hull.visible = false;
    this.hull.matrixAutoUpdate = this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = this.hull.frustumCulled = false;
    this.mesh.add(this.hull);
  }

  get name(): string {
    return this.data.name;
  }
  get body(): number {
    return this.data.body;
  }
  bodyAt(): number {
    return this.data.body;
  }
  nearest(): [number, number] {
    return [this.data.body, Infinity];
  }

  has(colouring: Colouring): boolean {
    return colouring === "displacement" || this.tensors[colouring] !== undefined || (colouring === "strain" && this.data.corners !== undefined);
  }

  /** Cost: O(points × amplitudes), no allocation. */
  update(poses: Poses, colouring: Colouring | null, times: number): void {
    const painted = colouring !== null && this.read(poses, colouring);
    if (!painted) this.bend(poses);
    this.painted.value = painted ? 1 : 0;
    const { point, points, moved } = this;
    const out = this.position.array;
    for (let i = 0; i < point.length; i++) {
      const from = 3 * point[i];
      for (let c = 0; c < 3; c++) out[3 * i + c] = points[from + c] + times * moved[from + c];
    }
    this.position.needsUpdate = true;
    if (this.data.corners) {
      this.mesh.geometry.computeVertexNormals();
      return;
    }
    const m = poses.matrices;
    const o = STRIDE * this.data.body;
    this.mesh.matrix.set(m[o], m[o + 1], m[o + 2], m[o + 3], m[o + 4], m[o + 5], m[o + 6], m[o + 7], m[o + 8], m[o + 9], m[o + 10], m[o + 11], 0, 0, 0, 1);
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  read(poses: Poses, colouring: Colouring): boolean {
    if (!this.has(colouring)) return false;
    this.bend(poses);
    const tensors = this.tensors[colouring];
    if (tensors) this.equivalent(tensors, colouring === "strain" ? 2 / 3 : 3 / 2);
    else if (colouring === "strain") this.stretch();
    else this.distance(poses);
    const { point, amounts, level } = this;
    for (let i = 0; i < point.length; i++) amounts[i] = level[point[i]];
    this.amount.needsUpdate = true;
    return true;
  }

  highlight(selected: boolean, hovered: boolean): void {
    this.mesh.material.emissiveIntensity = selected || hovered ? 0.09 : 0;
    this.hull.visible = selected;
  }

  expand(box: THREE.Box3, point: THREE.Vector3): void {
    this.mesh.updateMatrixWorld();
    for (let i = 0; i < this.position.count; i++) {
      point.fromBufferAttribute(this.position, i).applyMatrix4(this.mesh.matrixWorld);
      if (Number.isFinite(point.lengthSq())) box.expandByPoint(point);
    }
  }

  /** Displacements in the axes of the body at the time sought last. */
  private bend(poses: Poses): void {
    const { z, shapes, moved, data, store } = this;
    if (data.corners) return this.follow(poses, data.corners);
    data.amplitudes.forEach((channel, j) => (z[j] = store.value(channel)));
    moved.fill(0);
    for (let j = 0; j < z.length; j++) {
      const shape = shapes[j];
      const by = z[j];
      if (by !== 0) for (let k = 0; k < moved.length; k++) moved[k] += by * shape[k];
    }
  }

  /** Displacements of points that are bodies. */
  private follow(poses: Poses, corners: (number | null)[]): void {
    const m = poses.matrices;
    corners.forEach((body, k) => {
      for (let c = 0; c < 3; c++) this.moved[3 * k + c] = body === null ? 0 : m[STRIDE * body + 4 * c + 3] - this.points[3 * k + c];
    });
  }

  /** Equivalent strain at points, from what became of the triangles around them. */
  private stretch(): void {
    const { points, moved, now } = this;
    for (let k = 0; k < now.length; k++) now[k] = points[k] + moved[k];
    stretches(points, now, this.data.triangles, this.level);
  }

  /** Global places of all points as they were bent last. */
  private places(poses: Poses, out: Float64Array): void {
    if (this.data.corners) {
      for (let k = 0; k < out.length; k++) out[k] = this.points[k] + this.moved[k];
      return;
    }
    const m = poses.matrices;
    const o = STRIDE * this.data.body;
    const { points, moved } = this;
    for (let k = 0; k < points.length; k += 3) {
      const x = points[k] + moved[k];
      const y = points[k + 1] + moved[k + 1];
      const z = points[k + 2] + moved[k + 2];
      for (let c = 0; c < 3; c++) out[k + c] = m[o + 4 * c] * x + m[o + 4 * c + 1] * y + m[o + 4 * c + 2] * z + m[o + 4 * c + 3];
    }
  }

  /** How far all points are from where they were at the start. */
  private distance(poses: Poses): void {
    const { now } = this;
    this.places(poses, now);
    for (let k = 0; k < this.level.length; k++) {
      this.level[k] = Math.hypot(now[3 * k] - this.start[3 * k], now[3 * k + 1] - this.start[3 * k + 1], now[3 * k + 2] - this.start[3 * k + 2]);
    }
  }

  /** The equivalent of tensors: the root of a factor times the square of their deviator. */
  private equivalent(tensors: Numbers[], factor: number): void {
    const { z, level, sum } = this;
    for (let k = 0; k < level.length; k++) {
      sum.fill(0);
      for (let j = 0; j < z.length; j++) for (let c = 0; c < 6; c++) sum[c] += z[j] * tensors[j][6 * k + c];
      const mean = (sum[0] + sum[1] + sum[2]) / 3;
      let square = 2 * (sum[3] * sum[3] + sum[4] * sum[4] + sum[5] * sum[5]);
      for (let c = 0; c < 3; c++) square += (sum[c] - mean) * (sum[c] - mean);
      level[k] = Math.sqrt(factor * square);
    }
  }
  private readonly sum = new Float64Array(6);
}

/** The outline of a selected one: its surface moved outwards, seen from inside. */
function grown({ outline, width }: Look): THREE.Material {
  const material = outline.clone();
  // the colour follows that of all outlines
  (material as THREE.MeshBasicMaterial).color = (outline as THREE.MeshBasicMaterial).color;
  material.onBeforeCompile = (shader) => {
    shader.uniforms.width = { value: width };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nuniform float width;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\ntransformed += width * normal;");
  };
  return material;
}
