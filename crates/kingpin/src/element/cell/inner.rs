//! Inner forces and energies of a cell.

use crate::spatial::{BodyState, M3, V3, apply, sub};

/// Most nodes of a cell.
pub const MOST_NODES: usize = 10;

/// A place that the integrals over a cell are summed at.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPlace {
    /// The volume that it stands for.
    pub volume: f64,
    /// Gradients of the shape functions at rest, those of nodes that move first.
    pub gradients: Vec<V3>,
    /// F0^T F0 at rest.
    pub rest: M3,
}

/// A cell as compiled.
#[derive(Clone, Debug)]
pub struct CellElement {
    /// The structure that it belongs to.
    pub structure: usize,
    /// Its number in the mesh.
    pub number: u64,
    /// The bodies at its nodes that move.
    pub bodies: Vec<usize>,
    /// Where its other nodes are held.
    pub held: Vec<V3>,
    /// Constants of the stress.
    pub lambda: f64,
    /// Shear modulus.
    pub mu: f64,
    /// Damping as a time.
    pub damping: f64,
    /// The places that it is summed at.
    pub places: Vec<CellPlace>,
}

/// Places of all nodes, or their velocities, from the first one.
pub(super) type Corners = [V3; MOST_NODES];

/// What a cell is like at one of its places.
pub(super) struct Deformed {
    /// F and its rate.
    pub f: M3,
    pub rate: M3,
    /// E, and its rate.
    pub strain: M3,
    pub strain_rate: M3,
}

impl CellElement {
    /// Nodes that move.
    pub fn nodes(&self) -> usize {
        self.bodies.len()
    }

    /// Where nodes are and how they move, both against the first: differences are small numbers with small errors.
    #[inline(always)]
    pub(super) fn corners(&self, bodies: &[BodyState]) -> [Corners; 2] {
        let (mut places, mut rates) = ([[0.0; 3]; MOST_NODES], [[0.0; 3]; MOST_NODES]);
        let Some(&first) = self.bodies.first() else { return [places, rates] };
        let (origin, drift) = (bodies[first].r, bodies[first].rdot);
        for (k, &body) in self.bodies.iter().enumerate() {
            places[k] = sub(&bodies[body].r, &origin);
            rates[k] = sub(&bodies[body].rdot, &drift);
        }
        for (k, place) in self.held.iter().enumerate() {
            places[self.bodies.len() + k] = sub(place, &origin);
            rates[self.bodies.len() + k] = drift.map(|x| -x);
        }
        [places, rates]
    }

    /// Deformation at a place. O(nodes)
    #[inline(always)]
    pub(super) fn deformed(&self, at: &CellPlace, [places, rates]: &[Corners; 2]) -> Deformed {
        let f = moved(places, &at.gradients);
        let rate = moved(rates, &at.gradients);
        let (mut strain, mut strain_rate) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        for i in 0..3 {
            for j in 0..3 {
                let square: f64 = (0..3).map(|k| f[k][i] * f[k][j]).sum();
                strain[i][j] = 0.5 * (square - at.rest[i][j]);
                let change: f64 = (0..3).map(|k| f[k][i] * rate[k][j] + rate[k][i] * f[k][j]).sum();
                strain_rate[i][j] = 0.5 * change;
            }
        }
        Deformed { f, rate, strain, strain_rate }
    }

    /// The strain that makes the stress: with its rate, where there is damping.
    #[inline(always)]
    pub(super) fn felt(&self, at: &Deformed) -> M3 {
        let mut felt = at.strain;
        if self.damping != 0.0 {
            for i in 0..3 {
                (0..3).for_each(|j| felt[i][j] += self.damping * at.strain_rate[i][j]);
            }
        }
        felt
    }

    /// S g for a strain and a gradient.
    #[inline(always)]
    pub(super) fn stress_along(&self, strain: &M3, gradient: &V3) -> V3 {
        let pressure = self.lambda * trace(strain);
        let bent = apply(strain, gradient);
        std::array::from_fn(|k| pressure * gradient[k] + 2.0 * self.mu * bent[k])
    }

    /// What the cell does to its nodes that move. O(nodes) for each of its places
    pub fn forces(&self, bodies: &[BodyState], out: &mut [V3]) {
        out.fill([0.0; 3]);
        let corners = self.corners(bodies);
        for at in &self.places {
            let deformed = self.deformed(at, &corners);
            let felt = self.felt(&deformed);
            for (out, gradient) in out.iter_mut().zip(&at.gradients) {
                let push = apply(&deformed.f, &self.stress_along(&felt, gradient));
                (0..3).for_each(|k| out[k] -= at.volume * push[k]);
            }
        }
    }

    /// Strains at its places after a small step, which its nodes take as their velocities, by what is linear in it.
    pub fn predict(&self, bodies: &[BodyState], out: &mut [M3]) {
        let corners = self.corners(bodies);
        for (at, out) in self.places.iter().zip(out) {
            let Deformed { strain, strain_rate, .. } = self.deformed(at, &corners);
            *out = std::array::from_fn(|i| std::array::from_fn(|j| strain[i][j] + strain_rate[i][j]));
        }
    }

    /// Strain energy, and twice what the rates of strains would store. O(nodes) for each of its places
    pub fn energies(&self, bodies: &[BodyState]) -> [f64; 2] {
        let corners = self.corners(bodies);
        let mut sums = [0.0; 2];
        for at in &self.places {
            let deformed = self.deformed(at, &corners);
            sums[0] += 0.5 * at.volume * self.twice_density(&deformed.strain);
            sums[1] += at.volume * self.twice_density(&deformed.strain_rate);
        }
        sums
    }

    /// E : S of a strain.
    fn twice_density(&self, strain: &M3) -> f64 {
        let square: f64 = strain.iter().flatten().map(|x| x * x).sum();
        self.lambda * trace(strain) * trace(strain) + 2.0 * self.mu * square
    }

    /// Mean over its places of the equivalent stress (3/2 s:s)^(1/2), s the deviator of the stress S, in Pa; of strain
    /// alone, without damping.
    pub fn equivalent_stress(&self, bodies: &[BodyState]) -> f64 {
        let corners = self.corners(bodies);
        let (mut sum, mut volume) = (0.0, 0.0);
        for at in &self.places {
            let strain = self.deformed(at, &corners).strain;
            // the plane of a membrane, the space of a solid: F0^T F0 is its projection
            let pressure = self.lambda * trace(&strain);
            let mut square = 0.0;
            let mut own = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    own[i][j] = pressure * at.rest[i][j] + 2.0 * self.mu * strain[i][j];
                }
            }
            let mean = trace(&own) / 3.0;
            for i in 0..3 {
                for j in 0..3 {
                    let deviator = own[i][j] - if i == j { mean } else { 0.0 };
                    square += deviator * deviator;
                }
            }
            sum += at.volume * (1.5 * square).sqrt();
            volume += at.volume;
        }
        sum / volume
    }
}

/// sum x_a g_a^T.
#[inline(always)]
pub(super) fn moved(x: &Corners, gradients: &[V3]) -> M3 {
    let mut f = [[0.0; 3]; 3];
    for (x, g) in x.iter().zip(gradients) {
        for i in 0..3 {
            (0..3).for_each(|j| f[i][j] += x[i] * g[j]);
        }
    }
    f
}

pub(super) fn trace(a: &M3) -> f64 {
    a[0][0] + a[1][1] + a[2][2]
}

/// F0^T F0 for nodes at rest.
pub(crate) fn at_rest(places: &[V3], gradients: &[V3]) -> M3 {
    let mut corners: Corners = [[0.0; 3]; MOST_NODES];
    for (to, place) in corners.iter_mut().zip(places) {
        *to = sub(place, &places[0]);
    }
    let f = moved(&corners, gradients);
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| f[k][i] * f[k][j]).sum()))
}
