// Nodes between -1 and 1, and the polynomials that are one at a node and zero at the others.

/** Legendre's polynomial of order n, and its slope. */
function legendre(n: number, x: number): [number, number] {
  let [before, now] = [1, x];
  if (n === 0) return [1, 0];
  for (let k = 2; k <= n; k++) [before, now] = [now, ((2 * k - 1) * x * now - (k - 1) * before) / k];
  return [now, (n * (before - x * now)) / (1 - x * x)];
}

function newton(x: number, step: (x: number) => number): number {
  for (let i = 0; i < 50; i++) {
    const d = step(x);
    x -= d;
    if (Math.abs(d) < 1e-16) break;
  }
  return x;
}

/** Gauss's n points. */
export function gauss(n: number): number[] {
  return Array.from({ length: n }, (_, k) =>
    newton(-Math.cos((Math.PI * (k + 0.75)) / (n + 0.5)), (x) => {
      const [p, slope] = legendre(n, x);
      return p / slope;
    }),
  );
}

/** What each of Gauss's points weighs in a sum over the element. */
export function gaussWeights(points: number[]): number[] {
  return points.map((x) => 2 / ((1 - x * x) * legendre(points.length, x)[1] ** 2));
}

/** The p + 1 points of Gauss, Lobatto and Legendre: both ends, and where the polynomial of order p is level. */
export function lobatto(p: number): number[] {
  return Array.from({ length: p + 1 }, (_, k) => {
    if (k === 0 || k === p) return k === 0 ? -1 : 1;
    return newton(-Math.cos((Math.PI * k) / p), (x) => {
      const [value, slope] = legendre(p, x);
      return (slope * (1 - x * x)) / (2 * x * slope - p * (p + 1) * value);
    });
  });
}

/** What each node weighs at x. */
export function values(nodes: number[], x: number): number[] {
  return nodes.map((a, i) => nodes.reduce((v, b, j) => (j === i ? v : (v * (x - b)) / (a - b)), 1));
}

/** Slopes of the same. */
export function slopes(nodes: number[], x: number): number[] {
  return nodes.map((a, i) =>
    nodes.reduce((sum, b, j) => {
      if (j === i) return sum;
      const rest = nodes.reduce((v, c, k) => (k === i || k === j ? v : (v * (x - c)) / (a - c)), 1);
      return sum + rest / (a - b);
    }, 0),
  );
}
