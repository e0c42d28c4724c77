//! The derivatives, four columns at a time.

use super::{KernelInputs, Tangent};
use crate::dynamics::forms::plane::Plane;
use crate::integrate::Linearisation;
use crate::linalg::FourWide;
use crate::linalg::lanes::Lanes;
use crate::system::moving;

/// `to += k x`.
#[inline(always)]
fn add<L: Lanes>(lanes: L, k: f64, x: FourWide, to: &mut FourWide) {
    *to = lanes.store4(lanes.mul_add4(lanes.splat4(k), lanes.load4(x), lanes.load4(*to)));
}

/// All derivatives, panel by panel: dx/dv, dx'/dv and those of the equations of acceleration, M dx/dv, and forces; then, if
/// they are wanted, the contractions Mhat, M1 and M2 [Negrut 1998, section 3.2.1].
#[inline(always)]
pub(super) fn differentiate<L: Lanes>(
    lanes: L,
    to: &mut Tangent,
    of: &KernelInputs,
    out: Option<&mut Linearisation>,
) {
    let (n, m) = (to.n, to.m);
    for panel in 0..to.panels {
        let (q, e) = (panel * n..(panel + 1) * n, panel * m..(panel + 1) * m);
        positions(lanes, to, of, panel, q.clone(), e.clone());
        velocities(lanes, to, of, panel, q.clone(), e.clone());
        if out.is_some() {
            masses(lanes, to, of, q.clone(), e.clone());
        }
        forces(lanes, to, of, panel, q);
    }
    if let Some(out) = out {
        contract(lanes, to, out);
    }
}

/// dx/dv: units in the independent rows, -Phi_u^-1 Phi_v (and -Phi_u^-1 Phi_t) in the others; B in the plane.
#[inline(always)]
fn positions<L: Lanes>(
    lanes: L,
    to: &mut Tangent,
    of: &KernelInputs,
    panel: usize,
    q: std::ops::Range<usize>,
    e: std::ops::Range<usize>,
) {
    // -Phi_v by its few entries in this panel, and -Phi_t in the column of time
    let x = &mut to.a1[e];
    for (k, x) in x.iter_mut().enumerate() {
        *x = [0.0; 4];
        if of.plane.is_none() {
            for &(place, c) in &to.entries[to.first[k] as usize..to.first[k + 1] as usize] {
                let column = to.column_of[c as usize];
                if column / 4 == panel {
                    x[column % 4] -= of.values[place as usize];
                }
            }
        }
        if to.dof / 4 == panel {
            x[to.dof % 4] -= of.derivatives.phi_t[of.equation[of.partition.rows[k]]];
        }
    }
    of.partition.lu.solve_four(x);
    let p = &mut to.p[q];
    p.fill([0.0; 4]);
    for (x, &c) in x.iter().zip(&of.partition.dependent) {
        p[c] = *x;
    }
    if let Some(plane) = of.plane {
        level(lanes, plane, p, &mut to.z);
        let own = 4 * panel..to.dof.min(4 * panel + 4);
        for (p, row) in p.iter_mut().zip(plane.motions().chunks_exact(to.dof.max(1))) {
            p.iter_mut().zip(&row[own.clone()]).for_each(|(p, b)| *p += b);
        }
        return;
    }
    for (k, &c) in of.partition.independent.iter().enumerate() {
        if k / 4 == panel {
            p[c][k % 4] = 1.0;
        }
    }
}

/// (I - B L) x in place.
#[inline(always)]
fn level<L: Lanes>(lanes: L, plane: &Plane, x: &mut [FourWide], z: &mut [FourWide]) {
    z.fill([0.0; 4]);
    let dof = z.len().max(1);
    for (x, row) in x.iter().zip(plane.rows().chunks_exact(dof)) {
        z.iter_mut().zip(row).for_each(|(z, l)| add(lanes, *l, *x, z));
    }
    for (x, row) in x.iter_mut().zip(plane.motions().chunks_exact(dof)) {
        z.iter().zip(row).for_each(|(z, b)| add(lanes, -b, *z, x));
    }
}

/// dx'/dv = -Phi_u^-1 (Phi_x x')_x dx/dv, and the derivatives of gamma - Phi_x x''.
#[inline(always)]
fn velocities<L: Lanes>(
    lanes: L,
    to: &mut Tangent,
    of: &KernelInputs,
    panel: usize,
    q: std::ops::Range<usize>,
    e: std::ops::Range<usize>,
) {
    let (d, slopes) = (of.derivatives, of.slopes);
    let (p, j) = (&to.p[q.clone()], &mut to.j[q]);
    let (a1, a2, rate) = (&mut to.a1[e.clone()], &mut to.a2[e.clone()], &mut to.y[e]);
    let time = to.dof / 4 == panel;
    for k in 0..to.m {
        let (mut r, mut x1, mut x2) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        for &(place, c) in &to.entries[to.first[k] as usize..to.first[k + 1] as usize] {
            let (place, x) = (place as usize, p[c as usize]);
            add(lanes, -slopes.rate[place], x, &mut r);
            add(lanes, slopes.position[place], x, &mut x1);
            add(lanes, slopes.velocity[place], x, &mut x2);
        }
        if time {
            let row = of.equation[of.partition.rows[k]];
            r[to.dof % 4] -= d.phi_tt[row];
            x1[to.dof % 4] += d.gamma_t[row];
        }
        (rate[k], a1[k], a2[k]) = (r, x1, x2);
    }
    of.partition.lu.solve_four(rate);
    j.fill([0.0; 4]);
    for (x, &c) in rate.iter().zip(&of.partition.dependent) {
        j[c] = *x;
    }
    if let Some(plane) = of.plane {
        level(lanes, plane, j, &mut to.z);
    }
    // gamma depends on the velocities too
    for k in 0..to.m {
        for &(place, c) in &to.entries[to.first[k] as usize..to.first[k + 1] as usize] {
            add(lanes, slopes.velocity[place as usize], j[c as usize], &mut a1[k]);
        }
    }
}

/// M dx/dv and y = Phi_u^-T (M dx/dv)_u, of what acts on no coordinate of the plane if there is one.
#[inline(always)]
fn masses<L: Lanes>(
    lanes: L,
    to: &mut Tangent,
    of: &KernelInputs,
    q: std::ops::Range<usize>,
    e: std::ops::Range<usize>,
) {
    let (p, mp) = (&to.p[q.clone()], &mut to.mp[q]);
    for (node, inertia) in of.system.nodes.iter().zip(&of.system.inertia) {
        let (p, mp, nv, d) = (&p[node.v()], &mut mp[node.v()], node.nv, node.places);
        mp.fill([0.0; 4]);
        for k in 0..d {
            add(lanes, inertia.mass, p[k], &mut mp[k]);
        }
        for i in 0..nv - d {
            for k in 0..nv - d {
                add(lanes, inertia.tensor[i][k], p[d + k], &mut mp[d + i]);
            }
        }
    }
    // b g_v^T (g_v dx/dv) of each inertance
    for (inertance, rate) in of.system.inertances.iter().zip(of.rates) {
        let mut along = [0.0; 4];
        for (side, _, v) in moving(of.system, &inertance.basic) {
            p[v].iter().zip(&rate.row[side]).for_each(|(p, g)| add(lanes, *g, *p, &mut along));
        }
        for (side, _, v) in moving(of.system, &inertance.basic) {
            let each = mp[v].iter_mut().zip(&rate.row[side]);
            each.for_each(|(mp, g)| add(lanes, inertance.amount * g, along, mp));
        }
    }
    for (body, own) in of.system.floating.iter().zip(of.floating) {
        let nodes = &of.system.nodes;
        of.system.floating_entries(body, own, |[a, b], [i, j], m| {
            add(lanes, m, p[nodes[b].v + j], &mut mp[nodes[a].v + i]);
        });
    }
    let y = &mut to.y[e];
    for (y, &c) in y.iter_mut().zip(&of.partition.dependent) {
        *y = mp[c];
    }
    if let Some(plane) = of.plane {
        let (z, dof) = (&mut to.z, to.dof.max(1));
        z.fill([0.0; 4]);
        for (mp, row) in mp.iter().zip(plane.motions().chunks_exact(dof)) {
            z.iter_mut().zip(row).for_each(|(z, b)| add(lanes, *b, *mp, z));
        }
        for (y, &c) in y.iter_mut().zip(&of.partition.dependent) {
            z.iter().zip(&plane.rows()[c * to.dof..]).for_each(|(z, l)| add(lanes, -l, *z, y));
        }
    }
    of.partition.lu.solve_transposed_four(y);
}

/// f = ((M x'')_x + (Phi_x^T lam)_x - Q_x) dx/dv - Q_x' dx'/dv, less Q_t in the column of time; g = -Q_x' dx/dv.
#[inline(always)]
fn forces<L: Lanes>(lanes: L, to: &mut Tangent, of: &KernelInputs, panel: usize, q: std::ops::Range<usize>) {
    let slopes = of.slopes;
    let (p, j) = (&to.p[q.clone()], &to.j[q.clone()]);
    let (f, g) = (&mut to.f[q.clone()], &mut to.g[q]);
    f.fill([0.0; 4]);
    g.fill([0.0; 4]);
    if to.dof / 4 == panel {
        f.iter_mut().zip(&slopes.force_t).for_each(|(f, q_t)| f[to.dof % 4] = -q_t);
    }
    for pair in &of.system.layout.pairs {
        let ([rows, columns], [a, b]) = (pair.nv, pair.v);
        let (x, xdot) = (&p[b..b + columns], &j[b..b + columns]);
        for i in 0..rows {
            let (f, g) = (&mut f[a + i], &mut g[a + i]);
            for l in 0..columns {
                let at = pair.at + i * columns + l;
                let (by_x, by_rate) = (slopes.stiffness[at], slopes.damping[at]);
                if by_x != 0.0 {
                    add(lanes, by_x, x[l], f);
                }
                if by_rate != 0.0 {
                    add(lanes, by_rate, xdot[l], f);
                    add(lanes, by_rate, x[l], g);
                }
            }
        }
    }
}

/// Mhat = P^T M P, M1 = P^T g + y^T a2, M2 = P^T f + y^T a1; minus the column of time of M2 to `f_t`.
#[inline(always)]
fn contract<L: Lanes>(lanes: L, to: &Tangent, out: &mut Linearisation) {
    let (n, m, dof) = (to.n, to.m, to.dof);
    for left in 0..to.panels {
        let (p, y) = (&to.p[left * n..(left + 1) * n], &to.y[left * m..(left + 1) * m]);
        for right in 0..to.panels {
            let (q, e) = (right * n..(right + 1) * n, right * m..(right + 1) * m);
            let mass = product(lanes, p, &to.mp[q.clone()], [[0.0; 4]; 4]);
            let damping = product(lanes, p, &to.g[q.clone()], [[0.0; 4]; 4]);
            let damping = product(lanes, y, &to.a2[e.clone()], damping);
            let stiffness = product(lanes, p, &to.f[q], [[0.0; 4]; 4]);
            let stiffness = product(lanes, y, &to.a1[e], stiffness);
            for i in 0..(dof - (4 * left).min(dof)).min(4) {
                for k in 0..(dof - (4 * right).min(dof)).min(4) {
                    let at = 4 * left + i + (4 * right + k) * dof;
                    out.mhat[at] = mass[i][k];
                    out.m1[at] = damping[i][k];
                    out.m2[at] = stiffness[i][k];
                }
                if right == dof / 4 {
                    out.f_t[4 * left + i] = -stiffness[i][dof % 4];
                }
            }
        }
    }
}

/// `start + a^T b` of two panels.
#[inline(always)]
fn product<L: Lanes>(lanes: L, a: &[FourWide], b: &[FourWide], start: [FourWide; 4]) -> [FourWide; 4] {
    let mut sums = start.map(|s| lanes.load4(s));
    for (a, b) in a.iter().zip(b) {
        let b = lanes.load4(*b);
        for i in 0..4 {
            sums[i] = lanes.mul_add4(lanes.splat4(a[i]), b, sums[i]);
        }
    }
    sums.map(|s| lanes.store4(s))
}
