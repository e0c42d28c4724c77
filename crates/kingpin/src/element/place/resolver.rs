//! Ends of elements: from names to places.

use super::{Given, Place, frame_like, frame_with_z};
use crate::element::carrier::misplaced;
use crate::expr::closest;
use crate::model::ends::{Ends, EndsKind};
use crate::model::finding::{Finding, Subject};
use crate::model::value::{Mat3, Vec3};
use crate::model::{GROUND, Model, Space};

/// One end before its axes are known.
struct Half {
    body: usize,
    point: Vec3,
    /// Axes of a marker.
    marker: Option<Mat3>,
    /// Direction of the joint axis on the body.
    axis: Option<Vec3>,
}

/// Resolves the ends of elements against a model.
pub struct Resolver<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its bodies in the given pose.
    pub given: &'a Given,
    /// Complaints.
    pub findings: Vec<Finding>,
}

impl Resolver<'_> {
    fn error(&mut self, subject: &Subject, field: &'static str, message: String) {
        self.findings.push(Finding::error(subject.clone(), field, message));
    }

    /// The number of a body; complains if there is none of that name.
    pub fn body(&mut self, subject: &Subject, field: &'static str, name: &str) -> Option<usize> {
        if let Some(&k) = self.given.names.bodies.get(name) {
            return Some(k);
        }
        let bodies = self.model.bodies.iter().map(|b| b.name.as_str());
        self.unknown(subject, field, "body", name, bodies.chain([GROUND]).collect());
        None
    }

    fn unknown(&mut self, subject: &Subject, field: &'static str, what: &str, name: &str, all: Vec<&str>) {
        let mut finding =
            Finding::error(subject.clone(), field, format!("there is no {what} called `{name}`"));
        let beam = self.model.beams.iter().any(|beam| beam.name == name);
        let cable = self.model.cables.iter().any(|cable| cable.name == name);
        let whole = name.rsplit_once('.').map_or(name, |(whole, _)| whole);
        let reduced = self.model.superelements.iter().find(|own| own.fields.of.iter().any(|of| of == whole));
        finding.hint = match closest(name, all) {
            _ if beam => {
                Some(format!("connect a beam at its ends, `{name}.start` and `{name}.end`, or at its points"))
            }
            _ if cable => Some(format!("connect a cable at its ends, `{name}.start` and `{name}.end`")),
            near => match reduced {
                Some(own) => {
                    let of = &own.fields.name;
                    Some(format!(
                        "`{whole}` is inside superelement `{of}`: list its node among the `interfaces`"
                    ))
                }
                None => near.map(|n| format!("did you mean `{n}`?")),
            },
        };
        self.findings.push(finding);
    }

    fn marker(&mut self, subject: &Subject, field: &'static str, name: &str) -> Option<Place> {
        let Some(&k) = self.given.names.markers.get(name) else {
            let all = self.model.markers.iter().map(|m| m.name.as_str()).collect();
            self.unknown(subject, field, "marker", name, all);
            return None;
        };
        let marker = &self.model.markers[k];
        // a marker on an unknown body has been complained about where it stands
        let &body = self.given.names.bodies.get(&marker.body)?;
        Some(self.given.marker(body, marker, self.model.space))
    }

    /// The single place of an element, as a pair with the global frame first.
    pub fn one(&mut self, subject: &Subject, ends: &Ends) -> Option<[Place; 2]> {
        let place = match (&ends.marker, &ends.body) {
            (Some(_), Some(_)) => {
                self.error(subject, "marker", "give either `marker` or `body`, not both".into());
                return None;
            }
            (None, None) => {
                self.error(subject, "", "the point is missing: give `marker`, or `body` and `point`".into());
                return None;
            }
            (Some(marker), None) => {
                if ends.point.is_some() || ends.at.is_some() {
                    let field = if ends.point.is_some() { "point" } else { "at" };
                    self.error(subject, field, format!("`{field}` cannot be combined with `marker`"));
                    return None;
                }
                self.marker(subject, "marker", marker)?
            }
            (None, Some(name)) => {
                let body = self.body(subject, "body", name)?;
                let point = match (ends.point, ends.at) {
                    (Some(_), Some(_)) => {
                        self.error(subject, "at", "give either `point` or `at`, not both".into());
                        return None;
                    }
                    (Some(point), None) => point,
                    (None, Some(at)) => self.given.localise(body, at),
                    (None, None) => Vec3::zeros(),
                };
                if !self.given.can_hold(body, &point) {
                    let field = if ends.point.is_some() { "point" } else { "at" };
                    self.error(subject, field, misplaced(name));
                    return None;
                }
                self.given.place(body, point, Mat3::identity())
            }
        };
        Some([self.given.ground_place(), place])
    }

    fn half(&mut self, subject: &Subject, ends: &Ends, second: bool) -> Option<Half> {
        let (body, marker, point, at, axis) = if second {
            (&ends.body2, &ends.marker2, ends.point2, ends.at2, ends.axis2)
        } else {
            (&ends.body1, &ends.marker1, ends.point1, ends.at1, ends.axis1)
        };
        let field = |one: &'static str, two: &'static str| if second { two } else { one };
        let key_body = field("body1", "body2");
        let key_marker = field("marker1", "marker2");
        match (marker, body) {
            (Some(_), Some(_)) => {
                self.error(
                    subject,
                    key_marker,
                    format!("give either `{key_marker}` or `{key_body}`, not both"),
                );
                None
            }
            (None, None) => {
                self.error(subject, "", format!("`{key_body}` is missing (or `{key_marker}`)"));
                None
            }
            (Some(name), None) => {
                for (given, key) in [
                    (point.is_some(), field("point1", "point2")),
                    (at.is_some(), field("at1", "at2")),
                    (axis.is_some(), field("axis1", "axis2")),
                ] {
                    if given {
                        self.error(subject, key, format!("`{key}` cannot be combined with `{key_marker}`"));
                        return None;
                    }
                }
                let place = self.marker(subject, key_marker, name)?;
                let point = Vec3::from(place.s) + self.given.coms[place.body];
                Some(Half { body: place.body, point, marker: Some(place.c), axis: None })
            }
            (None, Some(name)) => {
                let body = self.body(subject, key_body, name)?;
                let ways = [
                    (point, field("point1", "point2")),
                    (at.map(|p| self.given.localise(body, p)), field("at1", "at2")),
                    (ends.at.map(|p| self.given.localise(body, p)), "at"),
                ];
                let mut found = ways.iter().filter(|w| w.0.is_some());
                let (point, key) =
                    found.next().map_or((Vec3::zeros(), ""), |w| (w.0.unwrap_or_default(), w.1));
                if !self.given.can_hold(body, &point) {
                    self.error(subject, key, misplaced(name));
                    return None;
                }
                if let Some(&(_, key)) = found.next() {
                    let message = format!("the point on `{name}` is given twice: remove `{key}`");
                    self.error(subject, key, message);
                    return None;
                }
                let common = ends.axis.map(|a| self.given.rotations[body].transpose() * a);
                if axis.is_some() && common.is_some() {
                    let key = field("axis1", "axis2");
                    self.error(subject, key, format!("give either `axis` or `{key}`, not both"));
                    return None;
                }
                Some(Half { body, point, marker: None, axis: axis.or(common) })
            }
        }
    }

    /// The two frames of an element, and whether both are markers; `None` after a complaint.
    pub fn pair(&mut self, subject: &Subject, ends: &Ends, kind: EndsKind) -> Option<([Place; 2], bool)> {
        let (first, second) = (self.half(subject, ends, false), self.half(subject, ends, true));
        let halves = [first?, second?];
        if halves[0].body == halves[1].body {
            let body = self.model.bodies.get(halves[0].body).map_or(GROUND, |b| b.name.as_str());
            self.error(
                subject,
                "",
                format!("both ends are on `{body}`; they must be on two different bodies"),
            );
            return None;
        }
        let spatial = self.model.space == Space::Spatial;
        let need = match kind {
            EndsKind::Axes => true,
            EndsKind::SpatialAxes => spatial,
            _ => false,
        };
        let has = |h: &Half| h.marker.is_some() || h.axis.is_some();
        if need && !halves.iter().any(has) {
            self.error(
                subject,
                "",
                "the axis is missing: give `axis` (global), `axis1` and `axis2`, or markers".into(),
            );
            return None;
        }
        if kind == EndsKind::TwoAxes && !halves.iter().all(has) {
            let key = if has(&halves[0]) { "axis2" } else { "axis1" };
            self.error(subject, "", format!("`{key}` is missing: each end needs its own axis"));
            return None;
        }
        let axes = match (kind, spatial) {
            (EndsKind::OwnFrames, _) => Some([0, 1].map(|k| halves[k].marker.unwrap_or_else(Mat3::identity))),
            (_, true) => self.spatial_axes(&halves),
            (_, false) => self.planar_axes(&halves),
        };
        let Some(axes) = axes else {
            self.error(subject, "axis", "the axis has zero length".into());
            return None;
        };
        let both = halves[0].marker.is_some() && halves[1].marker.is_some();
        let place = |k: usize| self.given.place(halves[k].body, halves[k].point, axes[k]);
        Some(([place(0), place(1)], both))
    }

    /// From the axes of body `from` to those of body `to`, in the given pose.
    fn between(&self, from: usize, to: usize) -> Mat3 {
        self.given.rotations[to].transpose() * self.given.rotations[from]
    }

    /// Frames in space: z along the axes; x directions coincide in the given pose.
    fn spatial_axes(&self, h: &[Half; 2]) -> Option<[Mat3; 2]> {
        let across = [self.between(h[1].body, h[0].body), self.between(h[0].body, h[1].body)];
        let own = |k: usize| -> Option<Mat3> { h[k].marker.or_else(|| h[k].axis.and_then(frame_with_z)) };
        Some(match (own(0), own(1)) {
            (Some(a), Some(b)) if h[1].marker.is_some() => {
                let first = if h[0].marker.is_some() { a } else { frame_like(h[0].axis?, &(across[0] * b))? };
                [first, b]
            }
            (Some(a), Some(_)) => [a, frame_like(h[1].axis?, &(across[1] * a))?],
            (Some(a), None) if h[1].axis.is_none() => [a, across[1] * a],
            (None, Some(b)) if h[0].axis.is_none() => [across[0] * b, b],
            (None, None) if h[0].axis.is_none() && h[1].axis.is_none() => [Mat3::identity(), across[1]],
            _ => return None,
        })
    }

    /// Frames in the plane: x along the axes; without any axis those of the bodies.
    fn planar_axes(&self, h: &[Half; 2]) -> Option<[Mat3; 2]> {
        let turned = |axis: Vec3| -> Option<Mat3> {
            let n = axis.norm();
            (n > 1e-12 && n.is_finite()).then(|| {
                let (c, s) = (axis.x / n, axis.y / n);
                Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
            })
        };
        let own = |k: usize| match (h[k].marker, h[k].axis) {
            (Some(m), _) => Some(Some(m)),
            (None, Some(axis)) => turned(axis).map(Some),
            (None, None) => Some(None),
        };
        Some(match (own(0)?, own(1)?) {
            (Some(a), Some(b)) => [a, b],
            (Some(a), None) => [a, self.between(h[0].body, h[1].body) * a],
            (None, Some(b)) => [self.between(h[1].body, h[0].body) * b, b],
            (None, None) => [Mat3::identity(), Mat3::identity()],
        })
    }
}
