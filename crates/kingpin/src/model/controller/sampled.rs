//! Laws of controllers that work at samples: numbers in, numbers out, with a memory.

/// What a controller does at each sample.
#[derive(Clone, Debug, PartialEq)]
pub enum SampledLaw {
    /// A linear system.
    Linear(LinearLaw),
    /// Proportional, integral and derivative parts of what its only input is off by.
    Pid(PidLaw),
}

/// x(k+1) = A x + B u, y = C x + D u; by rows.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LinearLaw {
    /// States on states.
    pub a: Vec<Vec<f64>>,
    /// Inputs on states.
    pub b: Vec<Vec<f64>>,
    /// States on outputs.
    pub c: Vec<Vec<f64>>,
    /// Inputs on outputs.
    pub d: Vec<Vec<f64>>,
    /// States at the start.
    pub initial: Vec<f64>,
}

/// The numbers of a sampled PID controller.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PidLaw {
    /// Proportional gain.
    pub kp: f64,
    /// Integral gain times the period.
    pub ki: f64,
    /// Derivative gain over filter time and period together.
    pub kd: f64,
    /// What is left of the derivative part after a period.
    pub fading: f64,
    /// Period over tracking time; zero without limits.
    pub tracking: f64,
    /// Limits of the output.
    pub limits: [f64; 2],
}

impl PidLaw {
    /// Memory: integral part, derivative part, the last error, whether there was one.
    fn step(&self, memory: &mut [f64], e: f64) -> f64 {
        let [integral, derivative, last, begun] = [memory[0], memory[1], memory[2], memory[3]];
        let change = if begun != 0.0 { e - last } else { 0.0 };
        let derivative = self.fading * derivative + self.kd * change;
        let wanted = self.kp * e + integral + derivative;
        let u = wanted.max(self.limits[0]).min(self.limits[1]);
        memory.copy_from_slice(&[integral + self.ki * e + self.tracking * (u - wanted), derivative, e, 1.0]);
        u
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl SampledLaw {
    /// Numbers that it remembers.
    pub fn memory(&self) -> usize {
        match self {
            SampledLaw::Linear(law) => law.a.len(),
            SampledLaw::Pid(_) => 4,
        }
    }

    /// Numbers that it gives.
    pub fn outputs(&self) -> usize {
        match self {
            SampledLaw::Linear(law) => law.c.len(),
            SampledLaw::Pid(_) => 1,
        }
    }

    /// What it remembers at the start.
    pub fn initial(&self) -> Vec<f64> {
        match self {
            SampledLaw::Linear(law) => law.initial.clone(),
            SampledLaw::Pid(_) => vec![0.0; 4],
        }
    }

    /// One sample.
    pub fn step(&self, memory: &mut [f64], inputs: &[f64]) -> Vec<f64> {
        match self {
            SampledLaw::Pid(law) => vec![law.step(memory, inputs[0])],
            SampledLaw::Linear(law) => {
                let both = |own: &[f64], by: &[f64], x: &[f64]| dot(own, x) + dot(by, inputs);
                let out = law.c.iter().zip(&law.d).map(|(c, d)| both(c, d, memory)).collect();
                let next: Vec<f64> = law.a.iter().zip(&law.b).map(|(a, b)| both(a, b, memory)).collect();
                memory.copy_from_slice(&next);
                out
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_integral_part_follows_the_limit() {
        let law = SampledLaw::Pid(PidLaw {
            kp: 1.0,
            ki: 0.5,
            tracking: 1.0,
            limits: [-2.0, 2.0],
            ..PidLaw::default()
        });
        let mut memory = law.initial();
        // an error of 3 for ten samples: the integral part stays where 3 + I is a step of it beyond the limit
        let last = (0..10).map(|_| law.step(&mut memory, &[3.0])[0]).last();
        assert_eq!((last, memory[0]), (Some(2.0), 0.5));
        // so the output leaves the limit at once
        assert_eq!(law.step(&mut memory, &[-0.5]), [0.0]);
    }

    #[test]
    fn derivatives_begin_with_the_second_sample() {
        let law = SampledLaw::Pid(PidLaw {
            kd: 2.0,
            fading: 0.5,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            ..PidLaw::default()
        });
        let mut memory = law.initial();
        let out: Vec<f64> = [1.0, 2.0, 2.0, 2.0].iter().map(|e| law.step(&mut memory, &[*e])[0]).collect();
        assert_eq!(out, [0.0, 2.0, 1.0, 0.5]);
    }
}
