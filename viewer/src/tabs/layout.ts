// Places for the nodes of a graph: snakes for chains, otherwise distances in the graph laid flat (pivot MDS,
// Brandes & Pich 2006) and, for graphs of some hundred nodes, relaxed by springs. Always the same for the same graph.

export interface Graph {
  size: number;
  edges: [number, number][];
}

export interface Places {
  x: Float64Array;
  y: Float64Array;
}

export function layout(graph: Graph, aspect: number): Places {
  const near: number[][] = Array.from({ length: graph.size }, () => []);
  for (const [a, b] of graph.edges) {
    if (a === b) continue;
    near[a].push(b);
    near[b].push(a);
  }
  const chain = asChain(near);
  if (chain) return snake(chain, aspect);
  const places = pivots(near);
  if (graph.size <= 400) relax(places, near, aspect);
  return places;
}

/** The nodes in order, if they make one line. */
function asChain(near: number[][]): number[] | null {
  const n = near.length;
  const ends = near.flatMap((list, i) => (list.length === 1 ? [i] : []));
  if (n < 12 || ends.length !== 2 || near.some((l) => l.length > 2)) return null;
  const out = [ends[0]];
  let from = -1;
  while (out.length < n) {
    const here: number = out[out.length - 1];
    const next = near[here].find((k) => k !== from);
    if (next === undefined) return null;
    from = here;
    out.push(next);
  }
  return out;
}

function snake(chain: number[], aspect: number): Places {
  const n = chain.length;
  const across = Math.max(2, Math.ceil(Math.sqrt(n * aspect)));
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  chain.forEach((node, i) => {
    const row = Math.floor(i / across);
    const column = i % across;
    x[node] = row % 2 === 0 ? column : across - 1 - column;
    y[node] = row;
  });
  return { x, y };
}

function distances(near: number[][], from: number): Float64Array {
  const d = new Float64Array(near.length).fill(-1);
  d[from] = 0;
  let front = [from];
  let largest = 0;
  while (front.length > 0) {
    const next: number[] = [];
    for (const a of front) {
      for (const b of near[a]) {
        if (d[b] >= 0) continue;
        d[b] = d[a] + 1;
        largest = d[b];
        next.push(b);
      }
    }
    front = next;
  }
  // parts that hang on nothing go to the rim
  for (let i = 0; i < d.length; i++) if (d[i] < 0) d[i] = largest + 2;
  return d;
}

function pivots(near: number[][]): Places {
  const n = near.length;
  const k = Math.min(n, 40);
  const least = new Float64Array(n).fill(Infinity);
  const columns: Float64Array[] = [];
  let pivot = 0;
  for (let p = 0; p < k; p++) {
    const d = distances(near, pivot);
    columns.push(d.map((v) => v * v));
    for (let i = 0; i < n; i++) least[i] = Math.min(least[i], d[i]);
    pivot = least.reduce((best, v, i) => (v > least[best] ? i : best), 0);
  }
  // double centring
  const rowMean = new Float64Array(n);
  let mean = 0;
  for (const c of columns) for (let i = 0; i < n; i++) rowMean[i] += c[i] / k;
  for (let i = 0; i < n; i++) mean += rowMean[i] / n;
  for (const c of columns) {
    const own = c.reduce((s, v) => s + v, 0) / n;
    for (let i = 0; i < n; i++) c[i] = -0.5 * (c[i] - rowMean[i] - own + mean);
  }
  const first = principal(columns, null);
  const second = principal(columns, first);
  const project = (v: Float64Array) => {
    const out = new Float64Array(n);
    columns.forEach((c, p) => {
      for (let i = 0; i < n; i++) out[i] += c[i] * v[p];
    });
    const size = Math.max(1e-12, ...out.map(Math.abs));
    return out.map((x) => x / size);
  };
  return { x: project(first), y: project(second) };
}

/** Largest eigenvector of C^T C, square to another one, by power iteration. */
function principal(columns: Float64Array[], other: Float64Array | null): Float64Array {
  const k = columns.length;
  let v = Float64Array.from({ length: k }, (_, i) => Math.sin(1 + 2.3 * i));
  const dots = columns.map((a) => columns.map((b) => a.reduce((s, x, i) => s + x * b[i], 0)));
  for (let round = 0; round < 120; round++) {
    const w = new Float64Array(k);
    for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) w[a] += dots[a][b] * v[b];
    if (other) {
      const s = w.reduce((sum, x, i) => sum + x * other[i], 0);
      for (let i = 0; i < k; i++) w[i] -= s * other[i];
    }
    const norm = Math.hypot(...w) || 1;
    v = w.map((x) => x / norm);
  }
  return v;
}

/** Springs along edges, repulsion otherwise (Fruchterman & Reingold 1991). */
function relax({ x, y }: Places, near: number[][], aspect: number): void {
  const n = x.length;
  const ideal = 1.9 / Math.sqrt(n);
  for (let i = 0; i < n; i++) {
    // apart from each other where the distances alone do not tell nodes apart
    x[i] = x[i] * Math.sqrt(aspect) + 0.08 * Math.sin(12.9898 * i);
    y[i] = y[i] / Math.sqrt(aspect) + 0.08 * Math.cos(78.233 * i);
  }
  const fx = new Float64Array(n);
  const fy = new Float64Array(n);
  const rounds = n <= 100 ? 400 : 150;
  for (let round = 0; round < rounds; round++) {
    fx.fill(0);
    fy.fill(0);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const dx = x[i] - x[j];
        const dy = y[i] - y[j];
        const d2 = dx * dx + dy * dy + 1e-9;
        const f = (ideal * ideal) / d2;
        fx[i] += f * dx;
        fy[i] += f * dy;
        fx[j] -= f * dx;
        fy[j] -= f * dy;
      }
      for (const j of near[i]) {
        const dx = x[i] - x[j];
        const dy = y[i] - y[j];
        const f = Math.hypot(dx, dy) / ideal;
        fx[i] -= f * dx;
        fy[i] -= f * dy;
      }
    }
    const most = 0.12 * (1 - round / rounds) + 0.002;
    for (let i = 0; i < n; i++) {
      const size = Math.hypot(fx[i], fy[i]) || 1;
      const step = Math.min(most, size) / size;
      x[i] += step * fx[i];
      y[i] += step * fy[i];
    }
  }
}
