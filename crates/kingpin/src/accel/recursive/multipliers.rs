//! Multipliers of tree joints: the forces that the accelerations need, summed inward, as seen by the equations
//! of each joint.

use super::super::problem::{Numbers, Problem};
use super::cut::Cut;
use super::hold::Hold;
use super::kernel::{force_from, pack, unpack, wide};
use super::null_space::{Dependent, NullSpace};
use super::pose::LinkState;
use super::tree::{GROUND, LinkTree};
use crate::linalg::ZeroPivot;
use crate::linalg::lanes::Lanes;
use crate::spatial::{BodyState, V3, add, apply, apply_t, cross, dot, sub};
use crate::system::Inertia;

/// Fills the multipliers of all joints; `cut_lam` are those of the cut, `wrench` has room for one force per link.
#[inline(always)]
pub(super) fn fill<L: Lanes, const N: usize>(
    lanes: L,
    problem: &Problem,
    (tree, cut): (&LinkTree, &Cut),
    n: &Numbers,
    nodes: &[LinkState<N>],
    cut_lam: &[f64],
    acc: &[f64],
    wrench: &mut [[f64; N]],
    lam: &mut [f64],
) -> Result<(), ZeroPivot> {
    // what each body needs at its centre of mass: turning in the axes of the body
    let (mut first, mut second) = ([0.0; N], [0.0; N]);
    for (link, wrench) in tree.links.iter().zip(wrench.iter_mut()) {
        let acc = wide(acc, link.v, link.width, &mut first);
        let force = wide(n.force, link.v, link.width, &mut second);
        *wrench = need(&problem.inertia[link.body], acc, force);
    }
    for load in &cut.loads {
        let wrench = &mut wrench[load.link];
        for r in 0..load.rows {
            let row = wide(n.phi_v, load.at + r * load.width, load.width, &mut first);
            for (w, x) in wrench.iter_mut().zip(row) {
                *w = lanes.mul_add(cut_lam[load.row + r], *x, *w);
            }
        }
    }
    for group in &cut.groups {
        lam[group.first..][..group.rows.len()].copy_from_slice(&cut_lam[group.rows.clone()]);
    }
    for (k, link) in tree.links.iter().enumerate().rev() {
        let (node, body) = (&nodes[k], &n.bodies[link.body]);
        let Some(hold) = &link.hold else { continue };
        let block = &n.phi_v[hold.at..hold.at + hold.rows * N];
        let out = &mut lam[hold.first..hold.first + hold.rows];
        let total = wrench[k];
        if hold.coincide != 0.0 {
            levers::<N>(hold, block, &total, out);
        } else {
            let split = NullSpace::<N>::of(block, &body.a, super::super::elimination::VANISHING)
                .map_err(|e| dependent(hold, &e))?;
            let force = in_space(&total, body);
            split.multipliers(&force.map(|f| -f), out);
        }
        if link.inboard != GROUND {
            let from = &tree.links[link.inboard];
            let inboard = &n.bodies[from.body];
            // between centres of mass: differences of positions, never positions
            let d = add(&sub(&node.d, &nodes[link.inboard].rho), &node.rho);
            let moved = force_from(lanes, &in_space(&total, body), &d);
            let (lin, ang) = unpack::<N>(&moved);
            let ang = if N == 6 { apply_t(&inboard.a, &ang) } else { ang };
            let moved = pack::<N>(&lin, &ang);
            for (w, m) in wrench[link.inboard].iter_mut().zip(moved) {
                *w += m;
            }
        }
    }
    Ok(())
}

/// M v' - Q of one body.
#[inline(always)]
fn need<const N: usize>(inertia: &Inertia, acc: &[f64; N], force: &[f64; N]) -> [f64; N] {
    let (m, j) = (inertia.mass, &inertia.tensor);
    let mut out = [0.0; N];
    if N == 6 {
        let turn = apply(j, &[acc[3], acc[4], acc[5]]);
        for k in 0..3 {
            out[k] = m * acc[k] - force[k];
            out[3 + k] = turn[k] - force[3 + k];
        }
    } else {
        (out[0], out[1], out[2]) =
            (m * acc[0] - force[0], m * acc[1] - force[1], j[0][0] * acc[2] - force[2]);
    }
    out
}

/// A force with its moment in the axes of the body, in global axes.
#[inline(always)]
fn in_space<const N: usize>(force: &[f64; N], body: &BodyState) -> [f64; N] {
    if N == 3 {
        return *force;
    }
    let (lin, ang) = unpack::<N>(force);
    pack(&lin, &apply(&body.a, &ang))
}

/// Multipliers of coincident points and of rotations: the force is that of the points, the rest of the moment
/// that of the rotations.
#[inline(always)]
fn levers<const N: usize>(hold: &Hold, block: &[f64], force: &[f64; N], lam: &mut [f64]) {
    let d = if N == 6 { 3 } else { 2 };
    let mut rest = [0.0; 3];
    for k in 0..N - d {
        rest[k] = -force[d + k];
    }
    for k in 0..d {
        lam[k] = -hold.coincide * force[k];
        for c in 0..N - d {
            rest[c] -= lam[k] * block[k * N + d + c];
        }
    }
    let turn = |k: usize| -> V3 {
        let mut row = [0.0; 3];
        row[..N - d].copy_from_slice(&block[(d + k) * N + d..(d + k + 1) * N]);
        row
    };
    match &mut lam[d..] {
        [] => {}
        [a] => *a = dot(&turn(0), &rest) / dot(&turn(0), &turn(0)),
        [a, b] => {
            // normal equations of two independent rows
            let (x, y) = (turn(0), turn(1));
            let (xx, xy, yy) = (dot(&x, &x), dot(&x, &y), dot(&y, &y));
            let (fx, fy) = (dot(&x, &rest), dot(&y, &rest));
            let k = 1.0 / (xx * yy - xy * xy);
            (*a, *b) = (k * (yy * fx - xy * fy), k * (xx * fy - xy * fx));
        }
        more => {
            let (x, y, z) = (turn(0), turn(1), turn(2));
            let across = [cross(&y, &z), cross(&z, &x), cross(&x, &y)];
            let k = 1.0 / dot(&x, &across[0]);
            for (lam, across) in more.iter_mut().zip(&across) {
                *lam = k * dot(across, &rest);
            }
        }
    }
}

/// The failure of a joint whose own equations depend on each other.
pub(super) fn dependent(hold: &Hold, e: &Dependent) -> ZeroPivot {
    ZeroPivot { block: hold.group, row: e.row, pivot: e.left, scale: e.square }
}
