//! Reduced bodies as text: the numbers of one after the other, little-endian, in base 64. What is drawn has single
//! precision and comes last.

use kingpin::element::floating::Foreshortening;
use kingpin::model::{Mat3, ReducedBody, ReducedInterface, ReducedSurface, Vec3};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Begins every reduction.
const HEAD: f64 = 20_261_118.0;

fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word =
            three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        (0..4).for_each(|k| text.push(char::from(ALPHABET[(word >> (18 - 6 * k) & 63) as usize])));
    }
    text
}

/// Bytes of a text, up to two more than were written; `None` for other signs.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut places = [255_u8; 256];
    ALPHABET.iter().enumerate().for_each(|(k, sign)| places[usize::from(*sign)] = k as u8);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for sign in four {
            let place = places[usize::from(*sign)];
            if place == 255 || four.len() < 4 {
                return None;
            }
            word = word << 6 | u32::from(place);
        }
        bytes.extend([(word >> 16) as u8, (word >> 8) as u8, word as u8]);
    }
    Some(bytes)
}

/// The numbers of a body as text.
pub(super) fn written(body: &ReducedBody) -> String {
    let mut all = vec![HEAD, body.amplitudes() as f64, body.interfaces.len() as f64];
    all.push(f64::from(u8::from(body.foreshortening.is_some())));
    let surface = body.surface.as_ref();
    let count = |of: fn(&ReducedSurface) -> usize| surface.map_or(0, of) as f64;
    all.extend([count(|own| own.points.len()), count(|own| own.triangles.len())]);
    all.push(count(|own| own.stresses.len()));
    all.extend([body.nodes as f64, body.whole_mass, body.mass]);
    all.extend(body.centre.iter());
    all.extend(body.inertia.iter());
    all.extend(body.masses.iter().chain(&body.stiffness).chain(&body.hertz).chain(&body.damping));
    all.extend(body.first.iter().chain(&body.second).flat_map(|own| own.iter()));
    all.extend(body.turning.iter().flat_map(|own| own.iter()));
    if let Some(own) = &body.foreshortening {
        all.extend(own.shortening.iter().chain(&own.stretch));
    }
    for own in &body.interfaces {
        all.extend([own.name.len() as f64, f64::from(u8::from(own.point)), own.mass, own.inertia]);
        all.extend(own.name.bytes().map(f64::from));
        all.push(f64::from(u8::from(own.axes.is_some())));
        all.extend(own.axes.iter().flat_map(|axes| axes.iter()));
        all.extend(own.place.iter().chain(own.motion.iter().flatten()));
    }
    let mut bytes: Vec<u8> = all.iter().flat_map(|x| x.to_le_bytes()).collect();
    if let Some(own) = surface {
        bytes.extend(own.triangles.iter().flatten().flat_map(|k| k.to_le_bytes()));
        let places = own.points.iter().chain(own.shapes.iter().flatten());
        bytes.extend(places.flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend(own.stresses.iter().flatten().flatten().flat_map(|x| x.to_le_bytes()));
    }
    encoded(&bytes)
}

/// Bytes still to be read.
struct Listed<'a>(&'a [u8]);

impl Listed<'_> {
    /// So many pieces of N bytes.
    fn pieces<const N: usize>(&mut self, count: usize) -> Option<impl Iterator<Item = [u8; N]>> {
        let length = count.checked_mul(N).filter(|length| *length <= self.0.len())?;
        let (own, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(own.chunks_exact(N).map(|piece| std::array::from_fn(|k| piece[k])))
    }

    fn one(&mut self) -> Option<f64> {
        self.pieces(1)?.map(f64::from_le_bytes).next()
    }

    fn count(&mut self) -> Option<usize> {
        let x = self.one()?;
        (x >= 0.0 && x.fract() == 0.0 && x <= 1e9).then_some(x as usize)
    }

    fn list(&mut self, count: usize) -> Option<Vec<f64>> {
        let list: Vec<f64> = self.pieces(count)?.map(f64::from_le_bytes).collect();
        list.iter().all(|x| x.is_finite()).then_some(list)
    }

    fn vectors(&mut self, count: usize) -> Option<Vec<Vec3>> {
        Some(self.list(count.checked_mul(3)?)?.chunks(3).map(Vec3::from_column_slice).collect())
    }

    fn matrices(&mut self, count: usize) -> Option<Vec<Mat3>> {
        Some(self.list(count.checked_mul(9)?)?.chunks(9).map(Mat3::from_column_slice).collect())
    }

    fn interface(&mut self, amplitudes: usize) -> Option<ReducedInterface> {
        let (letters, point) = (self.count()?, self.one()? != 0.0);
        let (mass, inertia) = (self.one()?, self.one()?);
        let name = String::from_utf8(self.list(letters)?.into_iter().map(|x| x as u8).collect()).ok()?;
        let turned = self.count()?;
        let axes = self.matrices(turned.min(1))?.first().copied();
        let place = self.vectors(1)?[0];
        let motion = self.list(6 * amplitudes)?;
        let motion = motion.chunks(6).map(|six| std::array::from_fn(|k| six[k])).collect();
        Some(ReducedInterface { name, point, place, axes, mass, inertia, motion })
    }

    /// So many rows of N numbers of single precision.
    fn rows<const N: usize>(&mut self, count: usize) -> Option<Vec<[f32; N]>> {
        let all: Vec<f32> = self.pieces(count.checked_mul(N)?)?.map(f32::from_le_bytes).collect();
        let rows = all.chunks_exact(N).map(|row| std::array::from_fn(|k| row[k])).collect();
        all.iter().all(|x| x.is_finite()).then_some(rows)
    }

    fn surface(&mut self, sizes: [usize; 3], amplitudes: usize) -> Option<ReducedSurface> {
        let [points, triangles, stressed] = sizes;
        let corners: Vec<u32> = self.pieces(triangles.checked_mul(3)?)?.map(u32::from_le_bytes).collect();
        if corners.iter().any(|&k| k as usize >= points) || ![0, amplitudes].contains(&stressed) {
            return None;
        }
        Some(ReducedSurface {
            triangles: corners.chunks_exact(3).map(|three| std::array::from_fn(|k| three[k])).collect(),
            points: self.rows(points)?,
            shapes: (0..amplitudes).map(|_| self.rows(points)).collect::<Option<_>>()?,
            stresses: (0..stressed).map(|_| self.rows(points)).collect::<Option<_>>()?,
        })
    }
}

/// What [`written`] wrote.
pub(super) fn read(text: &str) -> Option<ReducedBody> {
    let bytes = decoded(text)?;
    let mut from = Listed(&bytes);
    if from.one()? != HEAD {
        return None;
    }
    let (n, interfaces, shortens) = (from.count()?, from.count()?, from.one()? != 0.0);
    let drawn = [from.count()?, from.count()?, from.count()?];
    let square = n.checked_mul(n).filter(|square| *square <= bytes.len())?;
    let (nodes, whole_mass, mass) = (from.count()?, from.one()?, from.one()?);
    let (centre, inertia) = (from.vectors(1)?[0], from.matrices(1)?[0]);
    let [masses, stiffness, hertz] = [from.list(n)?, from.list(n)?, from.list(n)?];
    let damping = from.list(square)?;
    let [first, second] = [from.matrices(n)?, from.matrices(square)?];
    let turning = from.vectors(square)?;
    let foreshortening = match shortens {
        true => Some(Foreshortening { shortening: from.list(square)?, stretch: from.list(n)? }),
        false => None,
    };
    let interfaces = (0..interfaces).map(|_| from.interface(n)).collect::<Option<Vec<_>>>()?;
    let surface = match drawn[0] {
        0 => None,
        _ => Some(from.surface(drawn, n)?),
    };
    // bytes come in threes
    let sound = from.0.len() < 3 && masses.iter().chain(&stiffness).chain([&mass]).all(|x| *x > 0.0);
    let body = ReducedBody {
        mass,
        centre,
        inertia,
        masses,
        stiffness,
        damping,
        first,
        second,
        turning,
        foreshortening,
        interfaces,
        hertz,
        nodes,
        whole_mass,
        surface,
    };
    sound.then_some(body)
}

/// A small body and its text, for tests.
#[cfg(test)]
pub(crate) fn example() -> (String, ReducedBody) {
    let body = small();
    (written(&body), body)
}

#[cfg(test)]
fn small() -> ReducedBody {
    ReducedBody {
        mass: 2.5,
        inertia: Mat3::identity(),
        masses: vec![0.1],
        stiffness: vec![1e7],
        hertz: vec![3.0],
        damping: vec![1.0],
        first: vec![Mat3::identity() * 0.3],
        second: vec![Mat3::identity()],
        turning: vec![Vec3::zeros()],
        interfaces: vec![ReducedInterface {
            name: "tip é".into(),
            mass: 0.1,
            inertia: 0.1,
            axes: Some(Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
            motion: vec![[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]],
            ..ReducedInterface::default()
        }],
        foreshortening: Some(Foreshortening { shortening: vec![0.5], stretch: vec![1.0] }),
        nodes: 77,
        surface: Some(ReducedSurface {
            points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]],
            triangles: vec![[0, 1, 2]],
            shapes: vec![vec![[0.25; 3]; 3]],
            stresses: vec![vec![[-2.0; 6]; 3]],
        }),
        ..ReducedBody::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_comes_back_as_it_was() {
        let whole = small();
        let plain = ReducedBody { surface: None, foreshortening: None, ..small() };
        for body in [whole, plain] {
            let text = written(&body);
            assert_eq!(read(&text), Some(body));
            assert_eq!(read(&text[..text.len() - 16]), None);
        }
        assert_eq!(read("not at all"), None);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let body = ReducedBody { stiffness: vec![f64::INFINITY], ..small() };
        assert_eq!(read(&written(&body)), None);
    }
}
