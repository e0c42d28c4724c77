// What does not move: a grid that fades out, a floor for shadows, roads.

import * as THREE from "three";
import type { Road } from "../data";

export interface Plane {
  centre: THREE.Vector3;
  /** Which way the grid faces. */
  normal: THREE.Vector3;
  radius: number;
  cell: number;
}

export class Grid {
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;

  constructor(plane: Plane) {
    const material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        cell: { value: plane.cell },
        radius: { value: plane.radius },
        centre: { value: new THREE.Vector2() },
        line: { value: new THREE.Color() },
        strength: { value: 1 },
      },
      vertexShader: `
        varying vec2 p;
        uniform vec2 centre;
        void main() {
          p = position.xy + centre;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: `
        varying vec2 p;
        uniform float cell, radius, strength;
        uniform vec2 centre;
        uniform vec3 line;
        float lines(float size) {
          vec2 w = fwidth(p / size);
          vec2 d = abs(fract(p / size - 0.5) - 0.5) / max(w, vec2(1e-6));
          float fine = 1.0 - smoothstep(0.25, 0.6, max(w.x, w.y));
          return (1.0 - min(min(d.x, d.y), 1.0)) * fine;
        }
        void main() {
          float fade = 1.0 - smoothstep(0.25, 1.0, length(p - centre) / radius);
          float a = max(0.42 * lines(cell), lines(5.0 * cell));
          gl_FragColor = vec4(line, a * fade * strength);
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * plane.radius, 2 * plane.radius), material);
    this.mesh.renderOrder = -1;
    orient(this.mesh, plane);
  }

  /** Brings the middle of the fading patch below a place, so that the grid goes along with a vehicle. */
  follow(at: THREE.Vector3): void {
    const local = this.mesh.worldToLocal(at.clone());
    this.mesh.translateX(local.x);
    this.mesh.translateY(local.y);
    const c = this.mesh.material.uniforms.centre.value as THREE.Vector2;
    c.x += local.x;
    c.y += local.y;
    this.mesh.updateMatrixWorld();
  }

  colour(line: string, strength: number): void {
    this.mesh.material.uniforms.line.value.set(line);
    this.mesh.material.uniforms.strength.value = strength;
  }
}

export function shadowFloor(plane: Plane): THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial> {
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(2 * plane.radius, 2 * plane.radius), new THREE.ShadowMaterial());
  floor.receiveShadow = true;
  floor.material.depthWrite = false;
  orient(floor, plane);
  return floor;
}

function orient(mesh: THREE.Mesh, plane: Plane): void {
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), plane.normal);
  mesh.position.copy(plane.centre);
  mesh.updateMatrixWorld();
  const uniforms = (mesh.material as THREE.ShaderMaterial).uniforms;
  if (uniforms?.centre) {
    // coordinates of the grid are global ones, so that lines stay on round numbers
    const local = plane.centre.clone().applyQuaternion(mesh.quaternion.clone().invert());
    uniforms.centre.value.set(local.x, local.y);
  }
}

/** A strip along the road; in the plane, a band below its line. */
export function roadMesh(road: Road, planar: boolean, side: [number, number], depth: number): THREE.Mesh {
  const n = road.points.length;
  const positions = new Float32Array(6 * n);
  const index: number[] = [];
  road.points.forEach(([x, height], i) => {
    if (planar) positions.set([x, height, -depth, x, height - depth, -depth], 6 * i);
    else positions.set([x, side[0], height, x, side[1], height], 6 * i);
    if (i > 0) {
      const a = 2 * (i - 1);
      index.push(a, a + 2, a + 1, a + 1, a + 2, a + 3);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  const material = new THREE.MeshStandardMaterial({
    roughness: 1,
    side: THREE.DoubleSide,
    transparent: true,
    opacity: 0.55,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.receiveShadow = !planar;
  return mesh;
}
