//! Derivatives of the inner forces in places and velocities of the nodes.
//!
//! With f_a = F g_a, and h_a = F' g_a of the rate of F, block (a, b) of the derivative of -force in places is
//!
//! ```text
//! V [(g_a.S g_b) 1 + lambda f_a f_b^T + mu (f_b f_a^T + (g_a.g_b) F F^T)]
//! + V c [lambda f_a h_b^T + mu (f_b h_a^T + (g_a.g_b) F F'^T)]
//! ```
//!
//! and in velocities c times what the first line has besides the stress.

use super::inner::{CellElement, MOST_NODES};
use crate::spatial::{BodyState, M3, V3, apply, dot};

/// Forces on the nodes of a cell and their derivatives, a block of nine numbers for each pair of nodes that move.
#[derive(Clone, Debug, Default)]
pub struct CellSlopes {
    /// Forces on the nodes.
    pub force: Vec<V3>,
    /// Derivative in places.
    pub by_q: Vec<M3>,
    /// Derivative in velocities; used where there is damping.
    pub by_qdot: Vec<M3>,
}

impl CellSlopes {
    /// Room for cells of so many nodes.
    pub fn new(most: usize) -> CellSlopes {
        CellSlopes {
            force: vec![[0.0; 3]; most],
            by_q: vec![[[0.0; 3]; 3]; most * most],
            by_qdot: vec![[[0.0; 3]; 3]; most * most],
        }
    }
}

/// A B^T.
fn outer_square(a: &M3, b: &M3) -> M3 {
    std::array::from_fn(|i| std::array::from_fn(|j| dot(&a[i], &b[j])))
}

impl CellElement {
    /// Forces and their derivatives, those that come of the stress with the stress of other strains if some are given.
    /// O(nodes^2) for each of its places
    pub fn derivatives(&self, (bodies, other): (&[BodyState], Option<&[M3]>), out: &mut CellSlopes) {
        let n = self.nodes();
        let damped = self.damping != 0.0;
        out.force[..n].fill([0.0; 3]);
        out.by_q[..n * n].fill([[0.0; 3]; 3]);
        if damped {
            out.by_qdot[..n * n].fill([[0.0; 3]; 3]);
        }
        let corners = self.corners(bodies);
        let [mut f, mut h, mut stressed] = [[[0.0; 3]; MOST_NODES]; 3];
        for (place, at) in self.places.iter().enumerate() {
            let deformed = self.deformed(at, &corners);
            let felt = other.map_or_else(|| self.felt(&deformed), |other| other[place]);
            for (a, g) in at.gradients[..n].iter().enumerate() {
                (f[a], h[a]) = (apply(&deformed.f, g), apply(&deformed.rate, g));
                stressed[a] = self.stress_along(&felt, g);
                let push = apply(&deformed.f, &stressed[a]);
                (0..3).for_each(|k| out.force[a][k] -= at.volume * push[k]);
            }
            let square = outer_square(&deformed.f, &deformed.f);
            let turning = outer_square(&deformed.f, &deformed.rate);
            let (lambda, mu, c) = (at.volume * self.lambda, at.volume * self.mu, self.damping);
            for a in 0..n {
                for b in 0..n {
                    let own = dot(&at.gradients[a], &at.gradients[b]);
                    let pull = at.volume * dot(&at.gradients[a], &stressed[b]);
                    let (to, rates) = (&mut out.by_q[a * n + b], &mut out.by_qdot[a * n + b]);
                    for i in 0..3 {
                        for j in 0..3 {
                            let elastic =
                                lambda * f[a][i] * f[b][j] + mu * (f[b][i] * f[a][j] + own * square[i][j]);
                            to[i][j] -= elastic;
                            if damped {
                                rates[i][j] -= c * elastic;
                                to[i][j] -= c
                                    * (lambda * f[a][i] * h[b][j]
                                        + mu * (f[b][i] * h[a][j] + own * turning[i][j]));
                            }
                        }
                        to[i][i] -= pull;
                    }
                }
            }
        }
    }
}
