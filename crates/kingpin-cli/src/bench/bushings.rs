//! Stiff mechanisms beside those of `kingpin generate`: a ladder with stiff hinges, and a tree of bodies on bushings.

use crate::generate::{Shape, Space, model};

/// The ladder of so many loops with a torsion spring and a damper in the lower hinges.
pub fn ladder(loops: u32) -> String {
    let mut text = model(Shape::Ladder, Space::Spatial, loops);
    text.push_str(
        "\n[[pattern]]\nto = 'n'\n\n[[pattern.force]]\ntype = 'torsion-spring'\nname = 'stiffness{i}'\n\
         joint = 'lower{i}_begin'\nstiffness = 2000\ndamping = 2000\n",
    );
    text
}

/// So many bodies without a joint: the first on a bushing on ground, number i on a bushing on number i/2.
pub fn tree(bodies: u32) -> String {
    format!(
        "name = 'tree'\nspace = 'spatial'\ngravity = [0, 0, -9.81]\n\n[parameters]\nn = {bodies}\n{BODIES}{FIRST}{OTHERS}"
    )
}

/// Levels below each other; bodies of a level beside each other.
const BODIES: &str = "
[[pattern]]
to = 'n'

[[pattern.body]]
name = 'body{i}'
mass = 1
inertia = [0.01, 0.01, 0.01]
position = ['0.2*(i - 1.5*2^floor(ln(i + 0.5)/ln(2)))', 0, '-0.3*floor(ln(i + 0.5)/ln(2))']
";

const FIRST: &str = "
[[force]]
type = 'bushing'
name = 'bushing1'
body1 = 'ground'
body2 = 'body1'
at = [-0.1, 0, 0.15]
stiffness = [1e5, 1e5, 1e5]
damping = [100, 100, 100]
rotational_stiffness = [2000, 2000, 2000]
rotational_damping = [5, 5, 5]
";

const OTHERS: &str = "
[[pattern]]
from = 2
to = 'n'

[[pattern.force]]
type = 'bushing'
name = 'bushing{i}'
body1 = 'body{floor(i/2)}'
body2 = 'body{i}'
at = ['0.2*(i - 1.5*2^floor(ln(i + 0.5)/ln(2)))', 0, '0.15 - 0.3*floor(ln(i + 0.5)/ln(2))']
stiffness = [1e5, 1e5, 1e5]
damping = [100, 100, 100]
rotational_stiffness = [2000, 2000, 2000]
rotational_damping = [5, 5, 5]
";
