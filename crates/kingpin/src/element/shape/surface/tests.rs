use super::*;
use std::f64::consts::PI;

/// The sides of a box from corner to corner, two triangles each.
fn cuboid(low: Vec3, high: Vec3) -> Vec<[Vec3; 3]> {
    let at = |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { high[i] } else { low[i] });
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).map(|own| own.map(at)).collect()
}

/// A sphere of radius 1: a cube's sides divided into n x n fields and blown up.
fn sphere(n: usize) -> Triangles {
    let at = |side: usize, i: usize, j: usize| {
        let (u, v) = ((2 * i) as f64 / n as f64 - 1.0, (2 * j) as f64 / n as f64 - 1.0);
        let sign = if side < 3 { 1.0 } else { -1.0 };
        let mut x = Vec3::zeros();
        (x[side % 3], x[(side + 1) % 3], x[(side + 2) % 3]) = (sign, u, sign * v);
        // equal points of neighbouring sides come out equal in all bits
        x.map(|x| (PI / 4.0 * x).tan()).normalize()
    };
    let mut all = Vec::new();
    for side in 0..6 {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| at(side, i, j));
            all.extend([[a, b, c], [a, c, d]]);
        }
    }
    Triangles::new(all)
}

#[test]
fn a_box_has_the_inertia_of_a_box() {
    let own = Triangles::new(cuboid(Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 4.0, 6.0)));
    assert_eq!((own.points.len(), own.triangles.len(), own.gap()), (8, 12, None));
    let volume = own.volume();
    let exact = Vec3::new(13.0, 10.0, 5.0) * 0.5;
    assert!((volume.volume - 6.0).abs() < 1e-14 && (volume.centre - Vec3::new(1.5, 3.0, 4.5)).norm() < 1e-14);
    assert!((volume.inertia - Mat3::from_diagonal(&exact)).amax() < 1e-13, "{}", volume.inertia);
    // mirrored, it encloses as much
    let mirrored = own.stretched(&Vec3::new(1.0, -1.0, 1.0)).volume();
    assert!((mirrored.volume - 6.0).abs() < 1e-14 && (mirrored.centre.y + 3.0).abs() < 1e-14);
}

#[test]
fn spheres_converge_at_order_two() {
    let error = |n: usize| {
        let own = sphere(n);
        assert_eq!(own.gap(), None);
        let volume = own.volume();
        (volume.inertia[(0, 0)] / (0.4 * 4.0 / 3.0 * PI) - 1.0).abs()
    };
    let errors = [8, 16, 32].map(error);
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(
        orders.iter().all(|order| (order - 2.0).abs() < 0.05) && errors[2] < 5e-3,
        "{errors:?} {orders:?}"
    );
}

#[test]
fn holes_are_found_and_triangles_turned() {
    let whole = cuboid(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0));
    let mut open = whole.clone();
    open.drain(2..4);
    let gap = Triangles::new(open.clone()).gap().unwrap();
    assert_eq!((gap.holes, gap.edges), (1, 4));
    assert!(gap.edge.iter().all(|corner| corner.z == 1.0), "{gap:?}");
    open.drain(0..2);
    assert_eq!(Triangles::new(open).gap().map(|gap| (gap.holes, gap.edges)), Some((2, 8)));
    // three triangles inside out, then all
    let mut wrong = whole.clone();
    wrong[..3].iter_mut().for_each(|own| own.swap(0, 1));
    let mut own = Triangles::new(wrong);
    assert_eq!(own.turn_outwards(), Turned::Some(3));
    assert!((own.volume().volume - 1.0).abs() < 1e-15);
    let mut own = Triangles::new(whole.iter().map(|[a, b, c]| [*a, *c, *b]));
    assert_eq!(own.turn_outwards(), Turned::All);
    assert_eq!((own.volume().volume > 0.0, own.turn_outwards()), (true, Turned::None));
    // a cavity stays one
    let inner = cuboid(Vec3::new(0.25, 0.25, 0.25), Vec3::new(0.75, 0.75, 0.75));
    let hollow = whole.into_iter().chain(inner.into_iter().map(|[a, b, c]| [a, c, b]));
    let mut own = Triangles::new(hollow);
    assert_eq!(own.turn_outwards(), Turned::None);
    assert!((own.volume().volume - 0.875).abs() < 1e-15);
}

/// Shells are turned one by one: what is outside of others encloses something, with its cavities and what is in these.
#[test]
fn shells_are_told_apart() {
    let at = |x: f64, half: f64| {
        let (middle, half) = (Vec3::new(x, 0.0, 0.0), Vec3::repeat(half));
        cuboid(middle - half, middle + half)
    };
    let turned = |own: Vec<[Vec3; 3]>| own.into_iter().map(|[a, b, c]| [a, c, b]).collect::<Vec<_>>();
    // (parts, what was turned, volume, shells that count twice)
    let cases = [
        ([at(0.0, 0.5), turned(at(1.4, 0.15))].concat(), Turned::Some(12), 1.027, 0),
        ([turned(at(0.0, 0.5)), at(1.4, 0.15)].concat(), Turned::Some(12), 1.027, 0),
        ([turned(at(0.0, 0.5)), turned(at(3.0, 0.5))].concat(), Turned::All, 2.0, 0),
        // a cavity whose shell is right, or inside out with it
        ([at(0.0, 0.5), turned(at(0.1, 0.2)), at(2.0, 0.5)].concat(), Turned::None, 2.0 - 0.064, 0),
        ([turned(at(0.0, 0.5)), at(0.1, 0.2), at(2.0, 0.5)].concat(), Turned::Some(24), 2.0 - 0.064, 0),
        // something loose in a cavity
        ([at(0.0, 0.5), turned(at(0.0, 0.4)), at(0.1, 0.05)].concat(), Turned::None, 1.0 - 0.512 + 1e-3, 0),
        ([turned(at(0.0, 0.5)), at(0.0, 0.4), turned(at(0.1, 0.05))].concat(), Turned::All, 0.489, 0),
        // one in another, both outwards
        ([at(0.0, 0.5), at(0.1, 0.2)].concat(), Turned::None, 1.064, 1),
        // side by side, of the same size
        ([at(0.0, 0.5), turned(at(1.2, 0.5))].concat(), Turned::Some(12), 2.0, 0),
    ];
    for (k, (corners, expected, volume, doubled)) in cases.into_iter().enumerate() {
        let mut own = Triangles::new(corners);
        assert_eq!(own.turn_outwards(), expected, "{k}");
        assert!((own.volume().volume - volume).abs() < 1e-14, "{k}: {}", own.volume().volume);
        assert_eq!((own.doubled(), own.turn_outwards()), (doubled, Turned::None), "{k}");
    }
}

#[test]
fn surfaces_are_the_same_as_text() {
    let own = sphere(3);
    let value = Surface::from(own.clone()).to_value();
    assert_eq!(value.and_then(Surface::from_value).and_then(|own| own.0), Some(Arc::new(own)));
    for bad in ["", "AAAA", "é", "AQAAAAEAAAA="] {
        assert_eq!(Surface::from_value(Value::Text(bad.into())), Some(Surface(None)), "{bad}");
    }
}
