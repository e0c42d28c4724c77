//! The motion of all bodies, and of all rings of beams, in single precision.

use crate::error::{Error, ErrorKind};
use crate::scene::{Scene, Skin};
use crate::store::{Choice, Reader};

/// Frames of all bodies.
pub(super) struct Motion {
    /// Strictly rising, from 0.
    pub times: Vec<f32>,
    /// The time that is called 0.
    pub start: f64,
    pub bodies: Vec<Path>,
    /// For each beam, a path for every ring; where elements meet, for one of the two.
    pub rings: Vec<Vec<Path>>,
}

/// Frames of one body.
#[derive(Clone, Default)]
pub(super) struct Path {
    pub translations: Vec<[f32; 3]>,
    /// x, y, z, w, of length 1; no two neighbours more than half a turn apart.
    pub rotations: Vec<[f32; 4]>,
}

impl Motion {
    /// `skins`: those of the beams of the scene.
    pub fn read(reader: &Reader, scene: &Scene, skins: &[Skin], choice: &Choice) -> Result<Motion, Error> {
        let mut rows = reader.selected(choice)?;
        let (mut times, mut start): (Vec<f32>, f64) = (Vec::new(), 0.0);
        let mut bodies = vec![Path::default(); scene.bodies.len()];
        let mut rings: Vec<Vec<Path>> = skins.iter().map(|skin| vec![Path::default(); skin.knots()]).collect();
        while let Some(row) = rows.next_row()? {
            if times.is_empty() {
                start = row[0];
            }
            let t = (row[0] - start) as f32;
            // single precision may not tell two times apart
            let rises = times.last().is_none_or(|last| t > *last);
            let poses = scene.bodies.iter().map(|body| body.pose(row));
            let finite = poses.clone().all(|(r, p)| r.iter().chain(&p).all(|x| (*x as f32).is_finite()));
            if !(rises && finite) {
                continue;
            }
            times.push(t);
            for (path, (r, p)) in bodies.iter_mut().zip(poses) {
                path.add(r, p);
            }
            for ((beam, skin), paths) in scene.beams.iter().zip(skins).zip(&mut rings) {
                for (k, ring) in skin.rings(&scene.nodes(beam, row)).iter().enumerate() {
                    if k == 0 || k % skin.each() != 0 {
                        paths[skin.knot(k)].add(ring.place, ring.turn);
                    }
                }
            }
        }
        if times.is_empty() {
            let message = format!("`{}` contains no frame", reader.dir().display());
            return Err(Error::new(ErrorKind::Unfit, reader.dir(), message, "run the model with an output interval"));
        }
        Ok(Motion { times, start, bodies, rings })
    }
}

impl Motion {
    /// Amplitudes, those of a frame one behind the other.
    pub fn weights(&self, amplitudes: &[usize]) -> Vec<f32> {
        let at = |frame: usize| amplitudes.iter().map(move |&body| self.bodies[body].translations[frame][0]);
        (0..self.times.len()).flat_map(at).collect()
    }
}

impl Path {
    fn add(&mut self, r: [f64; 3], [e0, e1, e2, e3]: [f64; 4]) {
        let n = (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3).sqrt();
        let mut q = [e1, e2, e3, e0].map(|e| e / n);
        // p and -p are the same orientation; viewers interpolate between the numbers
        if let Some(before) = self.rotations.last()
            && q.iter().zip(before).map(|(a, b)| a * f64::from(*b)).sum::<f64>() < 0.0
        {
            q = q.map(|e| -e);
        }
        self.translations.push(r.map(|x| x as f32));
        self.rotations.push(q.map(|x| x as f32));
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn signs_go_on_where_euler_parameters_jump() {
        let mut path = Path::default();
        // two full turns about z, with e0 never negative
        for k in 0..=80 {
            let (s, c) = (0.025 * std::f64::consts::TAU * f64::from(k) / 2.0).sin_cos();
            let sign = if c < 0.0 { -3.0 } else { 3.0 };
            path.add([f64::from(k), 0.0, 0.0], [sign * c, 0.0, 0.0, sign * s]);
        }
        for pair in path.rotations.windows(2) {
            let dot: f32 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
            assert!(dot > 0.99, "{pair:?}");
        }
        assert!(path.rotations.iter().all(|q| (q.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6));
        // after one turn the other sign, after two the same again
        assert!((path.rotations[40][3] + 1.0).abs() < 1e-6 && (path.rotations[80][3] - 1.0).abs() < 1e-6);
    }
}
