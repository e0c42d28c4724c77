//! One channel, reduced to what columns of pixels can show.

/// First, least, greatest and last value of each column of pixels.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    t: (f64, f64),
    columns: Vec<TraceColumn>,
    /// Least and greatest value of all.
    pub low: f64,
    pub high: f64,
    /// Whether the last value was a gap.
    gap: bool,
}

type Point = (f64, f64);

#[derive(Clone, Debug, Default)]
struct TraceColumn {
    /// First, least, greatest, last.
    points: Option<[Point; 4]>,
    /// Whether there is a gap between the column and what came before.
    gap: bool,
}

impl Trace {
    pub fn new(t: (f64, f64), columns: usize) -> Trace {
        let columns = vec![TraceColumn::default(); columns.max(1)];
        Trace { t, columns, low: f64::INFINITY, high: f64::NEG_INFINITY, gap: false }
    }

    pub fn add(&mut self, t: f64, x: f64) {
        if !(x.is_finite() && t.is_finite()) {
            self.gap = true;
            return;
        }
        (self.low, self.high) = (self.low.min(x), self.high.max(x));
        let count = self.columns.len();
        let place = (t - self.t.0) / (self.t.1 - self.t.0) * count as f64;
        let column = &mut self.columns[(place.max(0.0) as usize).min(count - 1)];
        match &mut column.points {
            None => {
                column.points = Some([(t, x); 4]);
                column.gap = self.gap;
            }
            Some([_, least, greatest, last]) => {
                *last = (t, x);
                if x < least.1 {
                    *least = (t, x);
                }
                if x > greatest.1 {
                    *greatest = (t, x);
                }
            }
        }
        self.gap = false;
    }

    /// Lines without gaps, in the order of time.
    pub fn lines(&self) -> Vec<Vec<Point>> {
        let mut lines: Vec<Vec<Point>> = Vec::new();
        for column in &self.columns {
            let Some(mut points) = column.points else { continue };
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            if column.gap || lines.is_empty() {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut() {
                for point in points {
                    if line.last() != Some(&point) {
                        line.push(point);
                    }
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;

    #[test]
    fn spikes_and_gaps_survive() {
        let mut trace = Trace::new((0.0, 1.0), 10);
        for k in 0..=10_000 {
            let x = match k {
                5_003 => 7.0,
                5_004 => -3.0,
                7_000..8_000 => f64::NAN,
                _ => 0.0,
            };
            trace.add(f64::from(k) / 10_000.0, x);
        }
        assert_eq!((trace.low, trace.high), (-3.0, 7.0));
        let lines = trace.lines();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.windows(2).all(|pair| pair[0].0 < pair[1].0)));
        assert!(lines[0].contains(&(0.5003, 7.0)) && lines[0].contains(&(0.5004, -3.0)));
        assert!(lines.iter().flatten().count() <= 40);
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let mut trace = Trace::new((0.0, 3.0), 100);
        for k in 0..4 {
            trace.add(f64::from(k), f64::from(k * k));
        }
        assert_eq!(trace.lines(), [vec![(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]]);
    }
}
