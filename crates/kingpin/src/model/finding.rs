//! What is wrong or suspicious in a model, and where.

/// The item a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The model as a whole.
    Model,
    /// A parameter.
    Parameter(String),
    /// A body, by index.
    Body(usize),
    /// A beam, by index.
    Beam(usize),
    /// A cable that became a chain of elements, by index.
    Cable(usize),
    /// A superelement, by index.
    Superelement(usize),
    /// A structure, by index.
    Structure(usize),
    /// A marker, by index.
    Marker(usize),
    /// A joint, by index.
    Joint(usize),
    /// A driver, by index.
    Driver(usize),
    /// A force, by index.
    Force(usize),
    /// An element of a beam, by index.
    Span(usize),
    /// A measure, by index.
    Measure(usize),
    /// A first-order state, by index.
    State(usize),
    /// A controller, by index.
    Controller(usize),
    /// An event, by index.
    Event(usize),
    /// An input, by index.
    Input(usize),
    /// A substructure, by index.
    Substructure(usize),
    /// A road, by index.
    Road(usize),
    /// A shape, by index.
    Shape(usize),
    /// The simulation settings.
    Simulation,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model cannot be simulated.
    Error,
    /// Legal but suspicious.
    Warning,
}

/// One thing to tell the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of warning it is, in words that stay the same for scripts: `idle-force`. Empty of errors.
    pub code: &'static str,
    /// The item it is about.
    pub subject: Subject,
    /// The field of the item, if it is one field; empty for the item as a whole.
    pub field: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Remedy.
    pub hint: Option<String>,
    /// Another place that belongs to it, with a word on why.
    pub related: Option<(Subject, String)>,
}

impl Finding {
    /// An error.
    pub fn error(subject: Subject, field: &'static str, message: impl Into<String>) -> Finding {
        let severity = Severity::Error;
        Finding { severity, code: "", subject, field, message: message.into(), hint: None, related: None }
    }

    /// A warning of a kind.
    pub fn warning(
        code: &'static str,
        subject: Subject,
        field: &'static str,
        message: impl Into<String>,
    ) -> Finding {
        Finding { severity: Severity::Warning, code, ..Finding::error(subject, field, message) }
    }

    /// With advice.
    pub fn hint(self, hint: impl Into<String>) -> Finding {
        Finding { hint: Some(hint.into()), ..self }
    }

    /// With a second place.
    pub fn related(self, subject: Subject, label: impl Into<String>) -> Finding {
        Finding { related: Some((subject, label.into())), ..self }
    }
}
