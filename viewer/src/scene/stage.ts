// The mechanism in three dimensions: what there is to draw, light, and when to draw it.

import * as THREE from "three";
import { BeamNodes } from "../beams";
import type { Channel, Model, Vec3 } from "../data";
import type { FrameStore } from "../frames";
import { within } from "../lifetime";
import type { Poses } from "../poses";
import type { OtherRun } from "../runs";
import { perFrame } from "../ui/dom";
import { roundBelow } from "../ui/numbers";
import { cssColour } from "../ui/theme";
import type { Batch } from "./batch";
import { Beams } from "./beams/beams";
import { Curve } from "./beams/curve";
import { Bodies } from "./bodies";
import { centres } from "./centres";
import { allShapes } from "./derive";
import { Measure, meshBox, type Extents } from "./extents";
import { Forces } from "./forces";
import { Ghosts } from "./ghosts";
import { Grid, roadMesh, shadowFloor, type Plane } from "./ground";
import { Joints } from "./joints";
import { layering } from "./layers";
import { Lights } from "./lights";
import { Cut } from "./overlay/cut";
import type { Picked } from "./overlay/marks";
import { Overlay } from "./overlay/overlay";
import { Picking } from "./picking";
import { groundPivots } from "./pivots";
import { listen } from "./pointer";
import { Skeleton } from "./skeleton";
import type { Surface } from "./surface";
import { heaviest, held, travels } from "./travel";
import { Triad } from "./triad";
import { View, type Direction } from "./view";

export type Layer = "joints" | "forces" | "grid" | "centres";

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly triad = new Triad();
  readonly view: View;
  /** Edge of a small square of the grid, m. */
  readonly cell: number;
  following = false;
  /** Called with the body under the pointer. */
  onHover: (body: number, x: number, y: number) => void = () => {};
  onSelect: (body: number) => void = () => {};
  /** Gets the next points that are clicked, instead of selecting bodies. */
  onPick: ((at: Picked) => void) | null = null;

  /** Ends with what is shown, or before: from then on the canvas is for others. */
  private readonly life = within();
  private readonly alive = this.life.signal;
  private readonly scene = new THREE.Scene();
  readonly beams: Beams;
  readonly overlay: Overlay;
  /** Of other runs. */
  readonly ghosts: Ghosts;
  readonly cut: Cut;
  private readonly bodies: Bodies;
  private readonly joints: Joints;
  private readonly forces: Forces;
  private readonly centres: Batch;
  private readonly skeleton: Skeleton | null;
  private readonly pivots: ReturnType<typeof groundPivots> | null;
  private readonly grid: Grid;
  private readonly floor: ReturnType<typeof shadowFloor>;
  private readonly roads: THREE.Mesh[] = [];
  private readonly lights: Lights;
  private readonly measure: Measure;
  private extents: Extents;
  /** The body that the camera goes along with if none is selected. */
  private readonly leader: number;
  /** Whether the view is still ours to choose: the user has not touched it. */
  private untouched = true;
  /** What the view was fitted to. */
  private fitted = new THREE.Box3();
  private selected = -1;
  private readonly anchor = new THREE.Vector3();
  private readonly moved = new THREE.Vector3();
  private readonly picking: Picking;
  private readonly planar: boolean;
  private readonly up: THREE.Vector3;

  constructor(
    readonly model: Model,
    private readonly poses: Poses,
    readonly store: FrameStore,
    channels: Channel[],
    runs: OtherRun[],
    readonly surface: Surface,
  ) {
    const { canvas, renderer } = surface;
    this.canvas = canvas;
    this.planar = model.space === "planar";
    this.up = upward(model);
    const upArray: Vec3 = [this.up.x, this.up.y, this.up.z];
    renderer.localClippingEnabled = false;
    renderer.shadowMap.enabled = !this.planar && model.bodies.length <= 600;
    renderer.shadowMap.type = THREE.PCFShadowMap;

    const fast = held(model);
    const nodes = new BeamNodes(model);
    store.seek(store.start);
    poses.update();
    const lengths = [
      ...(model.beams ?? []).map((b) => new Curve(b, this.planar).measure(poses)),
      ...(model.meshes ?? []).map((m) => meshBox(m).getSize(new THREE.Vector3()).length()),
    ];
    const shapes = allShapes(model, nodes, lengths);
    const { typical } = shapes;
    this.measure = new Measure(model, shapes, poses, store, fast);
    this.extents = this.measure.over();
    store.seek(store.start);
    poses.update();
    const layers = layering(model, nodes);
    const arrow = this.arrowUnit(typical);
    const width = 0.022 * Math.max(typical, 0.16 * this.largest());
    this.bodies = new Bodies(model, shapes, poses, layers, width);
    this.beams = new Beams(model, nodes, poses, store, typical, 0.5 * width, layers);
    this.ghosts = new Ghosts(model, runs, shapes, nodes, layers, width);
    this.joints = new Joints(model, poses, store, typical);
    this.forces = new Forces(model, poses, store, typical, arrow, upArray);
    this.overlay = new Overlay(model, channels, nodes, poses, store, this.forces, typical, arrow);
    this.cut = new Cut(renderer, [this.bodies.group, this.beams.group], this.extents.all);
    this.centres = centres(model, typical);
    const size = this.extents.all.getSize(new THREE.Vector3());
    // where a bar is only some pixels long, its width would be less than one
    this.skeleton = Math.max(size.x, size.y, size.z) > 25 * typical ? new Skeleton(model, shapes) : null;
    this.pivots = this.planar ? groundPivots(model, typical) : null;
    const free = heaviest(
      model,
      fast.map((h) => !h),
    );
    this.leader = Math.max(0, free >= 0 ? free : heaviest(model, fast));
    this.following = this.travels();

    const plane = this.floorPlane(typical);
    this.cell = plane.cell;
    this.grid = new Grid(plane);
    this.floor = shadowFloor(plane);
    this.floor.visible = renderer.shadowMap.enabled;
    const { all } = this.extents;
    for (const road of model.roads ?? []) {
      if (road.points.length < 2) continue;
      const verge = 0.3 * (all.max.y - all.min.y);
      const mesh = roadMesh(road, this.planar, [all.min.y - verge, all.max.y + verge], 0.15 * typical);
      this.roads.push(mesh);
      this.scene.add(mesh);
    }
    this.scene.add(this.bodies.group, this.beams.group, this.joints.group, this.forces.group, this.centres.mesh, this.overlay.group, this.ghosts.group);
    this.lights = new Lights(
      { shadows: renderer.shadowMap.enabled, software: surface.software },
      this.travels() ? this.extents.first : this.extents.all,
      this.up,
      this.planar,
    );
    this.scene.add(this.grid.mesh, this.floor, ...this.lights.objects);
    if (this.skeleton) this.scene.add(this.skeleton.lines);
    if (this.pivots) this.scene.add(this.pivots);
    this.centres.mesh.visible = false;

    this.view = new View(this.planar, this.up, this.canvas, this.flat(size), this.alive);
    this.view.controls.addEventListener("change", () => this.invalidate());
    this.view.controls.addEventListener("start", () => (this.untouched = false));
    this.picking = new Picking(model, poses, this.view, this.bodies, this.beams, this.skeleton !== null);
    this.listen();
    this.theme();
    this.alive.addEventListener("abort", () => surface.leave(this.scene));
  }

  /** The canvas is for another one. */
  end(): void {
    this.life.abort();
  }

  /** Looks as another one did at the time shown, whose picture it takes over. */
  succeed(other: Stage, time: number): void {
    [this.untouched, this.following, this.selected] = [other.untouched, other.following, other.selected];
    // light and floor go along from the start to the time shown
    this.mark();
    this.store.seek(time);
    this.poses.update();
    this.go();
    this.view.resize(this.canvas.clientWidth, this.canvas.clientHeight);
    this.beams.palette.pixels.value = this.canvas.clientHeight / 2;
    this.view.take(other.view.pose());
    this.fitted.copy(other.fitted);
    if (this.following) {
      const moved = this.anchor.clone().sub(other.anchor);
      moved.addScaledVector(this.up, -moved.dot(this.up));
      this.view.shift(moved);
      this.fitted.translate(moved);
    } else if (this.untouched && !this.fitted.containsBox(this.extents.all)) this.fit("keep");
    this.overlay.take(other.overlay);
    this.ghosts.group.visible = other.ghosts.group.visible;
    if (this.selected >= 0) this.select(this.selected);
    other.end();
  }

  /** Draws soon; many calls make one picture. */
  readonly invalidate = perFrame(() => this.draw());

  /** The poses have changed. */
  update(): void {
    this.bodies.update(this.poses);
    this.beams.update();
    this.joints.update(this.poses);
    this.forces.update(this.poses);
    this.centres.update(this.poses);
    this.skeleton?.update(this.poses);
    this.overlay.update();
    this.ghosts.update(this.store.now);
    this.go();
    this.invalidate();
  }

  /** Frames have come: the motion may take more room. Tells whether the camera now goes along or stays. */
  grown(): boolean {
    const { store, poses, extents } = this;
    const { index, fraction } = store;
    this.measure.grown(extents);
    this.beams.grown();
    this.overlay.marks.refresh();
    store.index = index;
    store.fraction = fraction;
    poses.update();
    this.beams.update();
    if (!this.untouched) return false;
    const goes = this.travels();
    const changed = goes !== this.following;
    this.following = goes;
    if (changed || (!goes && !this.fitted.containsBox(extents.all))) this.fit("keep", goes ? 0 : 0.2);
    return changed;
  }

  /** Other frames are there instead: the motion may take more room. */
  replaced(): void {
    this.extents = this.measure.over();
    this.beams.forget();
    this.overlay.marks.renew();
    if (this.untouched && !this.fitted.containsBox(this.extents.all)) this.fit("keep");
  }

  /** All that is to be seen fills the view; `margin` leaves room for what is to come. */
  fit(from: Direction | "keep", margin = 0): void {
    const { extents, up } = this;
    const box = this.following ? this.measure.now(new THREE.Box3()) : extents.all.clone();
    if (this.following) {
      // the camera goes along with the floor only: what rises and falls must be in view
      const rise = (v: THREE.Vector3) => v.clone().multiply(up);
      box.min.sub(rise(box.min)).add(rise(extents.all.min));
      box.max.sub(rise(box.max)).add(rise(extents.all.max));
    }
    if (this.beams.magnification !== 1) this.beams.expand(box);
    box.expandByVector(box.getSize(new THREE.Vector3()).multiplyScalar(margin));
    this.fitted.copy(box);
    this.view.fit(box, from);
    this.mark();
    this.invalidate();
  }

  follow(on: boolean): void {
    this.following = on;
    this.untouched = false;
    this.mark();
    this.fit("keep");
  }

  /** Where a place is in the page, pixels; for tests. */
  onScreen(place: Vec3): [number, number] {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const p = new THREE.Vector3(...place).project(this.view.camera);
    return [left + (0.5 + 0.5 * p.x) * width, top + (0.5 - 0.5 * p.y) * height];
  }

  /** Share of the corners of what is there now that lie in the picture; for tests. */
  inView(): number {
    const box = this.measure.now(new THREE.Box3());
    this.view.camera.updateMatrixWorld();
    let inside = 0;
    for (let k = 0; k < 8; k++) {
      const p = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
      p.project(this.view.camera);
      if (Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1) inside++;
    }
    return inside / 8;
  }

  /** The body that is selected; -1 for none. */
  get chosen(): number {
    return this.selected;
  }

  show(layer: Layer, on: boolean): void {
    if (layer === "joints") {
      this.joints.group.visible = on;
      if (this.pivots) this.pivots.visible = on;
    } else if (layer === "forces") this.forces.group.visible = on;
    else if (layer === "grid") this.grid.mesh.visible = on;
    else this.centres.mesh.visible = on;
    this.invalidate();
  }

  select(body: number): void {
    this.selected = body;
    this.bodies.select(body, this.poses, cssColour("--accent"));
    this.beams.select(body, cssColour("--accent"));
    this.mark();
    this.invalidate();
  }

  theme(): void {
    const dark = document.documentElement.dataset.theme === "dark";
    this.joints.colour(cssColour("--symbol"), cssColour("--ghost"));
    this.pivots?.material.color.set(cssColour("--symbol"));
    this.grid.colour(cssColour("--grid"), dark ? 0.55 : 0.5);
    this.floor.material.opacity = dark ? 0.42 : 0.16;
    this.lights.theme(dark);
    this.beams.palette.theme(dark);
    for (const r of this.roads) (r.material as THREE.MeshStandardMaterial).color.set(cssColour("--road"));
    if (this.selected >= 0) this.select(this.selected);
    this.invalidate();
  }

  resize(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement ?? this.canvas;
    if (w === 0 || h === 0 || this.alive.aborted) return;
    this.surface.renderer.setSize(w, h, false);
    this.view.resize(w, h);
    this.beams.palette.pixels.value = h / 2;
    // a narrower picture must not cut off what was in it
    if (this.untouched && !this.fitted.isEmpty()) this.view.fit(this.fitted, "keep");
    this.draw();
  }

  private draw(): void {
    if (this.canvas.width === 0 || this.alive.aborted) return;
    if (this.view.controls.update()) this.invalidate();
    this.triad.update(this.view.camera);
    this.surface.draw(this.scene, this.view.camera);
    this.overlay.draw(this.view.camera, this.canvas.clientWidth, this.canvas.clientHeight);
  }

  /** Remembers where the followed body is. */
  private mark(): void {
    Measure.origin(this.poses, this.selected >= 0 ? this.selected : this.leader, this.anchor);
  }

  private go(): void {
    if (!this.following || this.model.bodies.length === 0) return;
    Measure.origin(this.poses, this.selected >= 0 ? this.selected : this.leader, this.moved).sub(this.anchor);
    if (!Number.isFinite(this.moved.lengthSq())) return;
    this.anchor.add(this.moved);
    // what bounces should be seen to bounce: go along with the floor only
    this.moved.addScaledVector(this.up, -this.moved.dot(this.up));
    this.view.shift(this.moved);
    this.fitted.translate(this.moved);
    this.lights.shift(this.moved);
    this.grid.follow(this.view.controls.target);
    this.floor.position.add(this.moved);
  }

  /** Whether the view had better go along. */
  private travels(): boolean {
    return travels(this.extents.free, this.up);
  }

  /** Length of a long arrow: seen well on the whole mechanism. */
  private arrowUnit(typical: number): number {
    return Math.max(Math.min(typical, 0.28 * this.largest()), 0.16 * this.largest());
  }

  /** The longest side of the box around the mechanism at the start. */
  private largest(): number {
    const s = this.extents.first.getSize(new THREE.Vector3());
    return Math.max(s.x, s.y, s.z);
  }

  /** Whether everything stays close to the plane of x and up. */
  private flat(size: THREE.Vector3): boolean {
    const across = this.up.z > 0.5 ? size.y : size.z;
    return across < 0.1 * Math.max(size.x, size.y, size.z);
  }

  private floorPlane(typical: number): Plane {
    const { all, first } = this.extents;
    const size = all.getSize(new THREE.Vector3());
    const start = (this.travels() ? first : all).getSize(new THREE.Vector3());
    const extent = Math.max(start.x, start.y, start.z);
    const centre = (this.travels() ? first : all).getCenter(new THREE.Vector3());
    const normal = this.planar ? new THREE.Vector3(0, 0, 1) : this.up;
    const lowest = this.planar ? -0.2 * typical : lowestAlong(all, this.up);
    const depth = Math.max(size.x, size.y, size.z);
    // the floor is at height zero where the motion allows it
    const level = this.planar ? lowest : Math.abs(lowest) < 0.25 * depth && lowest > -0.02 * depth ? 0 : lowest;
    centre.addScaledVector(normal, level - centre.dot(normal));
    return { centre, normal, radius: (this.planar ? 4 : 3) * extent, cell: roundBelow(extent / 6) };
  }

  /** The picture as the page shows it, with its ground and words, on another canvas; drawn now, since it is not kept. */
  paint(onto: HTMLCanvasElement): void {
    const to = onto.getContext("2d", { willReadFrequently: true });
    if (!to) return;
    this.draw();
    const ground = to.createLinearGradient(0, 0, 0, onto.height);
    ground.addColorStop(0, cssColour("--stage-top"));
    ground.addColorStop(1, cssColour("--stage-low"));
    to.fillStyle = ground;
    to.fillRect(0, 0, onto.width, onto.height);
    to.drawImage(this.canvas, 0, 0, onto.width, onto.height);
    this.overlay.labels.paint(to, onto.width / this.canvas.clientWidth);
  }

  private listen(): void {
    listen(this.canvas, this.alive, {
      under: (x, y, width, height) => this.picking.under(x, y, width, height).body,
      hover: (body, x, y) => {
        const changed = [this.bodies.hover(body), this.beams.hover(body)];
        if (changed.includes(true)) this.invalidate();
        this.onHover(body, x, y);
      },
      click: (x, y, width, height) => {
        const { body, distance } = this.picking.under(x, y, width, height);
        if (!this.onPick) return this.onSelect(body);
        if (Number.isFinite(distance)) this.onPick(this.picking.point(body, distance));
      },
      fit: () => this.fit("keep"),
      key: (key, shift) => {
        const done = this.view.key(key, shift);
        if (done) {
          this.untouched = false;
          this.invalidate();
        }
        return done;
      },
    });
  }
}

/** Against gravity where that is along an axis, otherwise z in space and y in the plane. */
function upward(model: Model): THREE.Vector3 {
  if (model.space === "planar") return new THREE.Vector3(0, 1, 0);
  const g = model.gravity ?? [0, 0, 0];
  return Math.abs(g[1]) > Math.abs(g[2]) ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
}

function lowestAlong(box: THREE.Box3, up: THREE.Vector3): number {
  return up.z > 0.5 ? box.min.z : box.min.y;
}
