//! Interfaces of flexible bodies: how they follow frame and amplitudes.

use super::{Axis, Composer};
use crate::element::basic::{Basic, Dot1, Dot2};
use crate::element::equation::{Equation, EquationForm};
use crate::model::value::Mat3;

impl Composer<'_> {
    /// The second body follows the axes of the first, displaced and turned by the amplitudes that bodies of these names are:
    /// each has a displacement and a turn. It turns if it has axes, which are its own at rest in those of the first. Slopes of a line along its own arc are sines of angles, so that is what turns
    /// are.
    pub fn follow(&mut self, amplitudes: &[String], motion: &[[f64; 6]], axes: Option<Mat3>) {
        let ground = self.given.ground();
        let number = |name: &String| self.given.names.bodies.get(name).copied().unwrap_or(ground);
        let nodes: Vec<usize> = amplitudes.iter().map(number).collect();
        let (bodies, points) = (self.bodies(), self.points());
        let spatial = self.is_spatial();
        let labels = ["follows in x", "follows in y", "follows in z"];
        for axis in Axis::ALL.into_iter().take(if spatial { 3 } else { 2 }) {
            let mut a = [0.0; 3];
            a[axis as usize] = 1.0;
            let gap = Basic::Dot2(Dot2 { bodies, a, s: points });
            self.equations.push(amounts(
                vec![(1.0, gap)],
                &nodes,
                motion,
                axis as usize,
                ground,
                axis.pick(labels),
            ));
        }
        let Some(axes) = axes else { return };
        // vectors on the second body that lie along axes of the first at rest
        let along = |k: usize| -> [f64; 3] { axes.row(k % 3).transpose().into() };
        if !spatial {
            let sine = Basic::Dot1(Dot1 { bodies, a: [0.0, 1.0, 0.0], b: along(0) });
            self.equations.push(amounts(vec![(1.0, sine)], &nodes, motion, 5, ground, "turns about z"));
            return;
        }
        // with R the attitude of the second body seen from the first: (R_zy - R_yz) / 2 is the x component of the sine of
        // the angle times the axis
        let unit = |k: usize| std::array::from_fn(|l| f64::from(u8::from(k % 3 == l)));
        for axis in Axis::ALL {
            let k = axis as usize;
            let part = |sign: f64, a: usize, b: usize| {
                (0.5 * sign, Basic::Dot1(Dot1 { bodies, a: unit(k + a), b: along(k + b) }))
            };
            let label = axis.pick(["turns about x", "turns about y", "turns about z"]);
            let sine = vec![part(1.0, 2, 1), part(-1.0, 1, 2)];
            self.equations.push(amounts(sine, &nodes, motion, 3 + k, ground, label));
        }
    }
}

/// What is probed equals row k of the motions, summed over amplitudes.
fn amounts(
    mut terms: Vec<(f64, Basic)>,
    nodes: &[usize],
    motion: &[[f64; 6]],
    k: usize,
    ground: usize,
    label: &'static str,
) -> Equation {
    for (&node, own) in nodes.iter().zip(motion) {
        let amplitude = Dot2 { bodies: [ground, node], a: [1.0, 0.0, 0.0], s: [[0.0; 3]; 2] };
        terms.push((-own[k], Basic::Dot2(amplitude)));
    }
    Equation { form: EquationForm::Sum(terms, 0.0), label }
}
