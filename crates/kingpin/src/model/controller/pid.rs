//! PID controllers.

use super::sampled::{PidLaw, SampledLaw};
use super::{ControllerElement, Realised, Workshop};
use crate::described;
use crate::expr::Expr;
use crate::model::function::Function;

described! {
    /// A PID controller: u = kp e + ki (integral of e) + kd e' with e = setpoint - input. The derivative part has a
    /// filter 1 / (1 + filter s); without one, the input must be a measure (or `input_rate` must be given). When the
    /// output is at a limit, back-calculation prevents windup of the integral part: its rate is ki e + (u - u without
    /// limits) / tracking_time. Functions read the output by the name of the controller. With a `period` it is
    /// sampled at exact multiples of the period: the integral part increases by ki e period after each sample, the
    /// derivative part is (filter d + kd (e - last e)) / (filter + period), and the output is held between samples.
    pub struct Pid {
        /// Controlled variable: a measure, or any function of time, measures and states.
        input: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Setpoint of the controlled variable.
        setpoint: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }] = Function::Constant(0.0);
        /// Proportional gain, output per input.
        kp: f64 [Kind::Number("*")] = 0.0;
        /// Integral gain, output per input and second.
        ki: f64 [Kind::Number("*")] = 0.0;
        /// Derivative gain, output times seconds per input.
        kd: f64 [Kind::Number("*")] = 0.0;
        /// Time constant of the filter of the derivative part.
        filter: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
        /// Rate of the input; required if the input is not a measure and there is no filter.
        input_rate: Option<Function> [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }] = None;
        /// Rate of the setpoint; required if it is neither a number nor a measure and there is no filter.
        setpoint_rate: Option<Function> [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }] = None;
        /// Lower limit of the output.
        minimum: Option<f64> [Kind::Number("*")] = None;
        /// Upper limit of the output.
        maximum: Option<f64> [Kind::Number("*")] = None;
        /// Time constant of the anti-windup; default kp / ki.
        tracking_time: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Sampling period; continuous if not given.
        period: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Delay from a sample to its output, for controllers with a `period`.
        delay: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
    }
}

impl Pid {
    fn is_limited(&self) -> bool {
        self.minimum.is_some() || self.maximum.is_some()
    }

    /// One over the tracking time; zero where nothing is tracked, `None` after a complaint.
    fn tracking(&self, shop: &mut Workshop) -> Option<f64> {
        if !self.is_limited() || self.ki == 0.0 {
            return Some(0.0);
        }
        let natural = self.kp / self.ki;
        match self.tracking_time.or((natural > 0.0).then_some(natural)) {
            Some(time) => Some(1.0 / time),
            None => {
                let message = "limits with an integral part need a `tracking_time` if kp / ki is not positive";
                shop.complain("tracking_time", message, "start with a few periods of the motion");
                None
            }
        }
    }

    /// The rate of the error; `None` after a complaint.
    fn error_rate(&self, shop: &mut Workshop, input: &Expr, setpoint: &Expr) -> Option<Expr> {
        let mut of = |field: &'static str, given: &Option<Function>, expr: &Expr, what: &str| {
            if let Some(function) = given {
                return shop.expression(field, function);
            }
            let found = shop.rate_of(expr);
            if found.is_none() {
                let message =
                    format!("the derivative part needs the rate of the {what}, which is neither a measure \
                         nor a number");
                shop.complain("kd", message, &format!("add a `filter` time, or `{field}`"));
            }
            found
        };
        let y = of("input_rate", &self.input_rate, input, "input");
        let r = of("setpoint_rate", &self.setpoint_rate, setpoint, "setpoint");
        Some(Expr::sum("rate of the error", &[(1.0, &r?), (-1.0, &y?)]))
    }
}

impl ControllerElement for Pid {
    fn clock(&self) -> (Option<f64>, f64) {
        (self.period, self.delay)
    }

    fn realise(&self, shop: &mut Workshop) -> Option<Realised> {
        if let (Some(low), Some(high)) = (self.minimum, self.maximum)
            && low >= high
        {
            shop.complain("minimum", format!("`minimum` {low} must be less than `maximum` {high}"), "");
            return None;
        }
        let (input, setpoint) =
            (shop.expression("input", &self.input), shop.expression("setpoint", &self.setpoint));
        let (input, setpoint, tracking) = (input?, setpoint?, self.tracking(shop)?);
        let error = Expr::sum("error", &[(1.0, &setpoint), (-1.0, &input)]);
        if let Some(period) = self.period {
            let law = PidLaw {
                kp: self.kp,
                ki: self.ki * period,
                kd: self.kd / (self.filter + period),
                fading: self.filter / (self.filter + period),
                tracking: tracking * period,
                limits: [
                    self.minimum.unwrap_or(f64::NEG_INFINITY),
                    self.maximum.unwrap_or(f64::INFINITY),
                ],
            };
            return Some(Realised::Samples { inputs: vec![error], law: SampledLaw::Pid(law) });
        }
        let mut states = Vec::new();
        let mut terms = vec![(self.kp, error.clone())];
        let integral = (self.ki != 0.0).then(|| shop.state(0));
        terms.extend(integral.iter().map(|state| (1.0, state.clone())));
        if self.kd != 0.0 && self.filter > 0.0 {
            let lagging = shop.state(usize::from(integral.is_some()));
            let gain = self.kd / self.filter;
            terms.extend([(gain, error.clone()), (-gain, lagging.clone())]);
            let rate = 1.0 / self.filter;
            let rate = Expr::sum("rate of the filter", &[(rate, &error), (-rate, &lagging)]);
            states.push(("filtered".to_string(), rate, 0.0));
        } else if self.kd != 0.0 {
            terms.push((self.kd, self.error_rate(shop, &input, &setpoint)?));
        }
        let wanted = Expr::sum("pid", &terms.iter().map(|(k, term)| (*k, term)).collect::<Vec<_>>());
        let u = wanted.between(self.minimum, self.maximum);
        if integral.is_some() {
            let terms = [(self.ki, &error), (tracking, &u), (-tracking, &wanted)];
            states.insert(0, ("integral".to_string(), Expr::sum("rate of the integral part", &terms), 0.0));
        }
        Some(Realised::States { states, outputs: vec![u] })
    }
}
