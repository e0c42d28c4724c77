//! Where bodies and joints are at an instant: inertias, forces, free motions and their rates.

use super::kernel::{JointColumn, Square, centrifugal, image, pack, turn_times};
use super::mobility::Mobility;
use super::null_space::NullSpace;
use super::tree::{GROUND, TreeLink};
use crate::spatial::{BodyState, M3, V3, add, apply, cross, dot, scale, sub};
use crate::system::Inertia;

/// A link at an instant, about its reference point: the joint point, or the centre of mass where there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkState<const N: usize> {
    /// Inertia: of the body, then with all that it carries.
    pub inertia: Square<N>,
    /// Force needed at zero acceleration: of the body, then with all that it carries.
    pub p: [f64; N],
    /// What the accelerations of the inboard body and the coordinates leave out.
    pub c: [f64; N],
    /// Acceleration.
    pub a: [f64; N],
    /// From the reference point of the inboard body to that of this one.
    pub d: V3,
    /// From the reference point to the centre of mass.
    pub rho: V3,
    /// Angular velocity in global axes.
    pub w: V3,
}

impl<const N: usize> LinkState<N> {
    pub const ZERO: Self = Self {
        inertia: [[0.0; N]; N],
        p: [0.0; N],
        c: [0.0; N],
        a: [0.0; N],
        d: [0.0; 3],
        rho: [0.0; 3],
        w: [0.0; 3],
    };
}

/// The body that carries a link.
#[derive(Clone, Copy)]
pub(super) struct Inboard<'a> {
    pub state: &'a BodyState,
    pub w: V3,
    pub rho: V3,
}

/// What carries a link, of the nodes placed before it; `None` for ground.
#[inline(always)]
pub(super) fn inboard<'a, const N: usize>(
    link: &TreeLink,
    links: &[TreeLink],
    bodies: &'a [BodyState],
    nodes: &[LinkState<N>],
) -> Option<Inboard<'a>> {
    (link.inboard != GROUND).then(|| {
        let node = &nodes[link.inboard];
        Inboard { state: &bodies[links[link.inboard].body], w: node.w, rho: node.rho }
    })
}

/// Angular velocity of a link in global axes, and the way from its reference point to its centre of mass.
#[inline(always)]
pub(super) fn own<const N: usize>(link: &TreeLink, body: &BodyState) -> (V3, V3) {
    let w = if N == 6 { apply(&body.a, &body.w) } else { [0.0, 0.0, body.w[0]] };
    let rho = |s: &V3| image::<N>(&body.a, &[-s[0], -s[1], -s[2]]);
    let rho = match &link.mobility {
        Mobility::Free | Mobility::Point | Mobility::Rigid | Mobility::Algebraic => [0.0; 3],
        Mobility::Hinge { s, .. } | Mobility::Ball { s } | Mobility::Universal { s, .. } => rho(&s.outboard),
        Mobility::Slide { s, .. } | Mobility::Cylinder { s, .. } => rho(s),
    };
    (w, rho)
}

/// Joint point, angular velocity and rates of a link, and the motions of its columns.
#[inline(always)]
pub(super) fn place<const N: usize>(
    link: &TreeLink,
    bodies: &[BodyState],
    inboard: Option<Inboard>,
    gamma: &[f64],
    split: Option<&NullSpace<N>>,
    node: &mut LinkState<N>,
    columns: &mut [JointColumn<N>],
) {
    let (body, none) = (&bodies[link.body], [0.0; 3]);
    (node.w, node.rho) = own::<N>(link, body);
    let w = inboard.map_or(none, |i| i.w);
    node.d = inboard.map_or(none, |i| match &link.mobility {
        Mobility::Hinge { s, .. } | Mobility::Ball { s } | Mobility::Universal { s, .. } => {
            add(&image::<N>(&i.state.a, &s.inboard), &i.rho)
        }
        _ => add(&sub(&sub(&body.r, &i.state.r), &node.rho), &i.rho),
    });
    let carried = inboard.map_or(none, |_| centrifugal::<N>(&w, &node.d));
    let axis_of = |axis: &super::mobility::Axle| image::<N>(&bodies[axis.body].a, &axis.dir);
    let (mut lin, mut ang) = (carried, none);
    match &link.mobility {
        // columns along the axes of space need not be told
        Mobility::Free | Mobility::Point | Mobility::Rigid | Mobility::Ball { .. } => {}
        Mobility::Hinge { axis, .. } => {
            if N == 6 {
                ang = turn_times::<N>(&w, &node.w);
                columns[0].h = pack(&none, &axis_of(axis));
            }
        }
        Mobility::Universal { inboard, outboard, .. } => {
            let (first, second) = (axis_of(inboard), apply(&body.a, outboard));
            let turn = sub(&node.w, &w);
            let part = |of: &V3, axis: &V3| scale(dot(&turn, axis), &turn_times::<N>(of, axis));
            ang = add(&part(&w, &first), &part(&node.w, &second));
            columns[0].h = pack(&none, &first);
            columns[1].h = pack(&none, &second);
        }
        Mobility::Slide { axis, .. } => {
            let both = add(&w, &node.w);
            lin = add(&lin, &turn_times::<N>(&both, &sliding(node, body, inboard)));
            columns[0].h = pack(&axis_of(axis), &none);
        }
        Mobility::Cylinder { axis, .. } => {
            let both = add(&w, &node.w);
            lin = add(&lin, &turn_times::<N>(&both, &sliding(node, body, inboard)));
            ang = turn_times::<N>(&w, &node.w);
            let axis = axis_of(axis);
            columns[0].h = pack(&axis, &none);
            columns[1].h = pack(&none, &axis);
        }
        Mobility::Algebraic => {
            // equations speak of centres of mass
            lin = inboard.map_or(none, |i| centrifugal::<N>(&w, &i.rho));
            if let (Some(split), Some(hold)) = (split, &link.hold) {
                let particular = split.particular(&gamma[hold.first..hold.first + hold.rows]);
                let (x, y) = super::kernel::unpack::<N>(&particular);
                (lin, ang) = (add(&lin, &x), y);
                for (column, q) in columns.iter_mut().zip(&split.q[hold.rows..]) {
                    column.h = *q;
                }
            }
        }
    }
    node.c = pack(&lin, &ang);
}

/// Velocity of the joint point relative to what carries it.
#[inline(always)]
fn sliding<const N: usize>(node: &LinkState<N>, body: &BodyState, inboard: Option<Inboard>) -> V3 {
    let own = sub(&body.rdot, &turn_times::<N>(&node.w, &node.rho));
    inboard.map_or(own, |i| {
        let arm = sub(&node.d, &i.rho);
        sub(&own, &add(&i.state.rdot, &turn_times::<N>(&i.w, &arm)))
    })
}

/// Inertia of a body about its reference point and the force it needs there at zero acceleration.
#[inline(always)]
pub(super) fn load<const N: usize>(
    inertia: &Inertia,
    force: &[f64; N],
    body: &BodyState,
    node: &mut LinkState<N>,
) {
    let (m, rho) = (inertia.mass, &node.rho);
    let need = centrifugal::<N>(&node.w, rho);
    if N == 6 {
        let lin = [m * need[0] - force[0], m * need[1] - force[1], m * need[2] - force[2]];
        let torque = apply(&body.a, &[force[3], force[4], force[5]]);
        node.p = pack(&lin, &sub(&cross(rho, &lin), &torque));
        let turned = turned(&body.a, &inertia.tensor);
        let mr = scale(m, rho);
        let square = dot(&mr, rho);
        let i = &mut node.inertia;
        *i = [[0.0; N]; N];
        for k in 0..3 {
            i[k][k] = m;
            for c in 0..3 {
                i[3 + k][3 + c] = turned[k][c] - mr[k] * rho[c];
            }
            i[3 + k][3 + k] += square;
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            // m w' x rho
            (i[k][3 + a], i[3 + a][k]) = (mr[b], mr[b]);
            (i[k][3 + b], i[3 + b][k]) = (-mr[a], -mr[a]);
        }
    } else {
        let lin = [m * need[0] - force[0], m * need[1] - force[1], 0.0];
        let (x, y) = (-m * rho[1], m * rho[0]);
        node.p = pack(&lin, &[0.0, 0.0, rho[0] * lin[1] - rho[1] * lin[0] - force[2]]);
        let turn = inertia.tensor[0][0] + m * (rho[0] * rho[0] + rho[1] * rho[1]);
        let i = &mut node.inertia;
        (i[0][0], i[0][1], i[0][2]) = (m, 0.0, x);
        (i[1][0], i[1][1], i[1][2]) = (0.0, m, y);
        (i[2][0], i[2][1], i[2][2]) = (x, y, turn);
    }
}

/// A J A^T.
#[inline(always)]
fn turned(a: &M3, j: &M3) -> M3 {
    let half = a.map(|row| apply(j, &row));
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for k in 0..=i {
            out[i][k] = dot(&half[i], &a[k]);
            out[k][i] = out[i][k];
        }
    }
    out
}
