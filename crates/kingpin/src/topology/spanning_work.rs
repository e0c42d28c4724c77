//! Operation counts of the recursive algorithms on a spanning tree, from its structure.
//!
//! With n_i coordinates of body i and s_i of the bodies inboard of it, a scalar column of the factor of the
//! composite inertia matrix has l entries below its diagonal: the rest of its own block and s_i. Column by
//! column the sparse factorisation (Alg-S) takes l (l + 1) / 2 multiply-adds and l divisions, the dense one
//! (Alg-D) the same with all columns full. The rows of T of a cut joint are the coordinates of all bodies
//! inboard of its bodies (Lemma 3); the matrix T^T T is dense over the cut equations that hang on the same root.

use super::spanning_rooted::{NOWHERE, Net, Rooted, refill};

/// Arithmetic operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Multiplications, each with an addition.
    pub multiply_adds: u64,
    /// Divisions.
    pub divisions: u64,
    /// Square roots.
    pub roots: u64,
}

impl Operations {
    /// All together.
    pub fn total(&self) -> u64 {
        self.multiply_adds.saturating_add(self.divisions).saturating_add(self.roots)
    }

    fn add(&mut self, other: Operations) {
        self.multiply_adds = self.multiply_adds.saturating_add(other.multiply_adds);
        self.divisions = self.divisions.saturating_add(other.divisions);
        self.roots = self.roots.saturating_add(other.roots);
    }
}

/// The steps of Algorithm 4, and the forming of its matrices before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Composite inertias, the matrix Mbar, the right side and the Jacobian of the cut joints.
    pub form: Operations,
    /// Step 1: Mbar = L L^T.
    pub factor: Operations,
    /// Step 2: L z = Q.
    pub forward: Operations,
    /// Step 3.1: L T = Phi_q^T.
    pub loops: Operations,
    /// Step 3.2: T^T z - tau.
    pub residual: Operations,
    /// Step 3.3: T^T T.
    pub product: Operations,
    /// Step 3.4: T^T T lam = z, factorisation and both substitutions.
    pub multipliers: Operations,
    /// Step 3.5: T lam.
    pub spread: Operations,
    /// Step 4: L^T q'' = z - y.
    pub back: Operations,
}

impl Steps {
    /// All steps.
    pub fn all(&self) -> [(&'static str, Operations); 9] {
        [
            ("form", self.form),
            ("1", self.factor),
            ("2", self.forward),
            ("3.1", self.loops),
            ("3.2", self.residual),
            ("3.3", self.product),
            ("3.4", self.multipliers),
            ("3.5", self.spread),
            ("4", self.back),
        ]
    }

    /// The sum over the steps.
    pub fn sum(&self) -> Operations {
        let mut sum = Operations::default();
        self.all().iter().for_each(|(_, step)| sum.add(*step));
        sum
    }
}

/// What one acceleration costs, forces and joint geometry not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// Alg-S: composite inertia matrix, sparsity used.
    pub sparse: Steps,
    /// Alg-D: the same with dense matrices.
    pub dense: Steps,
    /// Articulated bodies, linear in bodies; `None` if equations are cut.
    pub articulated: Option<Operations>,
}

fn triangle(n: u64) -> u64 {
    n.saturating_mul(n + 1) / 2
}

/// Sum of l over `count` columns of which the longest has `most` entries.
fn lengths(most: u64, count: u64) -> u64 {
    triangle(most) - triangle(most - count.min(most))
}

/// Sum of l (l + 1) / 2 over the same columns.
fn products(most: u64, count: u64) -> u64 {
    let pyramid = |n: u64| match n {
        // the product of three is within 64 bits
        0..2_000_000 => n * (n + 1) * (n + 2) / 6,
        _ => (u128::from(n) * u128::from(n + 1) * u128::from(n + 2) / 6) as u64,
    };
    pyramid(most) - pyramid(most - count.min(most))
}

fn muls(multiply_adds: u64) -> Operations {
    Operations { multiply_adds, ..Operations::default() }
}

/// Cholesky factorisation of a dense matrix of order n and both substitutions.
fn dense_solve(n: u64) -> Operations {
    let below = n.saturating_sub(1);
    let multiply_adds = products(below, n) + 2 * triangle(below);
    Operations { multiply_adds, divisions: triangle(below) + 2 * n, roots: n }
}

/// What cut links see of the tree.
#[derive(Default)]
struct CutPaths {
    /// Rows of T in all: nonzeros.
    nonzeros: u64,
    /// Multiply-adds of its substitutions.
    substitutions: u64,
    /// Nonzeros of the Jacobian of the cut joints.
    jacobian: u64,
}

/// WorkRoom for counting.
#[derive(Default)]
pub(super) struct WorkRoom {
    /// Entries of the columns of all bodies from the root to each body.
    inwards: Vec<u64>,
    /// Equations whose paths pass through a body.
    on: Vec<i64>,
    /// Bodies of a link.
    bodies: Vec<usize>,
    /// Parts of the mechanism that cut links tie together, and their equations.
    top: Vec<usize>,
    hanging: Vec<u64>,
}

impl Prediction {
    /// Counts. O(bodies + links log bodies).
    pub(super) fn new(net: &Net, rooted: &Rooted, tree: &[bool]) -> Self {
        let (sparse, n, m) = Steps::sparse(net, rooted, tree, &mut WorkRoom::default());
        let articulated = (m == 0).then(|| articulated(net, rooted));
        Self { sparse, dense: dense(sparse.form, n, m), articulated }
    }
}

impl Steps {
    /// Those of Alg-S; coordinates, and equations that are cut.
    pub(super) fn sparse(net: &Net, rooted: &Rooted, tree: &[bool], room: &mut WorkRoom) -> (Self, u64, u64) {
        let nv = net.widest as u64;
        let count = |body: usize| (rooted.freedoms[body] as u64, rooted.above[body] as u64);
        let (mut n, mut entries, mut factor, mut form) = (0, 0_u64, 0_u64, 0_u64);
        refill(&mut room.inwards, net.bodies, 0);
        refill(&mut room.on, net.bodies, 0);
        let inwards = &mut room.inwards;
        for &body in &rooted.preorder {
            let (own, above) = count(body);
            n += own;
            if own > 0 {
                let most = own - 1 + above;
                inwards[body] = lengths(most, own);
                entries += inwards[body];
                factor = factor.saturating_add(products(most, own));
            }
            if rooted.inboard[body] != NOWHERE {
                inwards[body] += inwards[rooted.inboard[body]];
            }
            // K H, its products with all H inboard, right side
            form += nv * nv * (own + 1) + nv * (triangle(own) + own * above + own);
        }
        let paths = cut_paths(net, rooted, tree, room);
        let (mut product, on) = (0_u64, &mut room.on);
        for &body in rooted.preorder.iter().rev() {
            if rooted.inboard[body] != NOWHERE {
                on[rooted.inboard[body]] += on[body];
            }
            product = product.saturating_add(count(body).0.saturating_mul(triangle(on[body] as u64)));
        }
        let (m, multipliers) = loop_matrix(net, rooted, tree, room);
        let sparse = Steps {
            form: muls(form + nv * paths.jacobian),
            factor: Operations { multiply_adds: factor, divisions: entries, roots: n },
            forward: Operations { multiply_adds: entries, divisions: n, roots: 0 },
            loops: Operations { multiply_adds: paths.substitutions, divisions: paths.nonzeros, roots: 0 },
            residual: muls(paths.nonzeros),
            product: muls(product),
            multipliers,
            spread: muls(paths.nonzeros),
            back: Operations { multiply_adds: entries, divisions: n, roots: 0 },
        };
        (sparse, n, m)
    }
}

/// Goes over the cut links: `on` gets their equations so that sums over subtrees count the paths through a body.
fn cut_paths(net: &Net, rooted: &Rooted, tree: &[bool], room: &mut WorkRoom) -> CutPaths {
    let mut paths = CutPaths::default();
    let WorkRoom { inwards, on, bodies, .. } = room;
    let path = |body: usize| (rooted.above[body] + rooted.freedoms[body]) as u64;
    for (_, link) in net.links.iter().enumerate().filter(|(k, l)| !tree[*k] && l.equations > 0) {
        bodies.clear();
        bodies.extend_from_slice(&link.bodies);
        bodies.sort_unstable_by_key(|&b| rooted.place[b]);
        bodies.dedup();
        let m = link.equations as u64;
        let (mut rows, mut entries, mut shared) = (0, 0, 0);
        for (k, &body) in bodies.iter().enumerate() {
            rows += path(body);
            entries += inwards[body];
            on[body] += m as i64;
            // neighbours in preorder share exactly what is counted twice
            if let Some(common) = bodies.get(k + 1).and_then(|&next| rooted.common(body, next)) {
                rows -= path(common);
                entries -= inwards[common];
                shared += path(common);
                on[common] -= m as i64;
            }
        }
        paths.nonzeros += m * rows;
        paths.substitutions += m * entries;
        // two bodies that move together do not change their joint
        paths.jacobian += m * if bodies.len() == 2 { rows - shared } else { rows };
    }
    paths
}

/// Cut equations, and the factorisation of T^T T: one dense block for all cut links that hang on the same roots.
fn loop_matrix(net: &Net, rooted: &Rooted, tree: &[bool], room: &mut WorkRoom) -> (u64, Operations) {
    let WorkRoom { top, hanging, .. } = room;
    top.clear();
    top.extend(0..net.bodies);
    refill(hanging, net.bodies, 0);
    let cut = || net.links.iter().enumerate().filter(|(k, l)| !tree[*k] && l.equations > 0).map(|(_, l)| l);
    for link in cut() {
        for pair in link.bodies.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|body| find(top, rooted.root[body]));
            top[a.max(b)] = a.min(b);
        }
    }
    let mut m = 0;
    for link in cut() {
        m += link.equations as u64;
        if let Some(&body) = link.bodies.first() {
            hanging[find(top, rooted.root[body])] += link.equations as u64;
        }
    }
    let mut sum = Operations::default();
    hanging.iter().filter(|&&m| m > 0).for_each(|&m| sum.add(dense_solve(m)));
    (m, sum)
}

fn dense(form: Operations, n: u64, m: u64) -> Steps {
    let below = n.saturating_sub(1);
    let substitution = Operations { multiply_adds: triangle(below), divisions: n, roots: 0 };
    Steps {
        form,
        factor: Operations { multiply_adds: products(below, n), divisions: triangle(below), roots: n },
        forward: substitution,
        loops: Operations {
            multiply_adds: m.saturating_mul(triangle(below)),
            divisions: m.saturating_mul(n),
            roots: 0,
        },
        residual: muls(m.saturating_mul(n)),
        product: muls(n.saturating_mul(triangle(m))),
        multipliers: dense_solve(m),
        spread: muls(m.saturating_mul(n)),
        back: substitution,
    }
}

/// Articulated bodies in common axes [Featherstone 1983]: U = I H, D = H^T U, the rank-n downdate of I, and the
/// two passes for bias forces and accelerations.
fn articulated(net: &Net, rooted: &Rooted) -> Operations {
    let nv = net.widest as u64;
    let mut sum = Operations::default();
    for &body in &rooted.preorder {
        let own = rooted.freedoms[body] as u64;
        let inner = dense_solve(own);
        sum.add(inner);
        // U, D, bias force; H^T p, H q''
        sum.add(muls(nv * nv * (own + 1) + nv * triangle(own) + 2 * nv * own));
        if rooted.inboard[body] != NOWHERE {
            // W = U L^-T, I - W W^T, p + W y, W^T a
            let solve = Operations {
                multiply_adds: nv * triangle(own.saturating_sub(1)),
                divisions: nv * own,
                roots: 0,
            };
            sum.add(solve);
            sum.add(muls(triangle(nv) * own + 2 * nv * own));
        }
    }
    sum
}

/// The representative of the part a root is in, with path halving.
pub(super) fn find(top: &mut [usize], mut of: usize) -> usize {
    while top[of] != of {
        top[of] = top[top[of]];
        of = top[of];
    }
    of
}
