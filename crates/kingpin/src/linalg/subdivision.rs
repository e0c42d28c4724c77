//! How matrices over a structure are cut into sub-domains, and what is done at the interfaces between them.

use crate::ranks::{Alone, Exchange};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How the unknowns at interfaces are solved for, once those inside of sub-domains are eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InterfaceWay {
    /// Complements of the sub-domains are added up and factored.
    #[default]
    Interface,
    /// Balancing by constraints: iterations on the interface, with rigid motions of its parts as a coarse problem.
    Bddc,
    /// The dual-primal method: FETI-DP: iterates on interface forces, with the same coarse problem.
    FetiDp,
    /// Local multipliers where several sub-domains meet, global ones elsewhere: FETI-DP with those nodes alone in its
    /// coarse problem.
    Mixed,
    /// Range-space conjugate gradients of forces between sub-domains, preconditioned interface by interface.
    Range,
    /// All multipliers global: forces between all copies of an unknown, preconditioned by what sub-domains answer to gaps.
    Global,
    /// [`Interface`](Self::Interface) or [`Bddc`](Self::Bddc), whichever is predicted to take fewer multiplications.
    Auto,
}

impl InterfaceWay {
    /// All that are no choice between others, the default first.
    pub const ALL: [InterfaceWay; 6] = [
        InterfaceWay::Interface,
        InterfaceWay::Bddc,
        InterfaceWay::FetiDp,
        InterfaceWay::Mixed,
        InterfaceWay::Range,
        InterfaceWay::Global,
    ];

    /// The name users give.
    pub fn name(self) -> &'static str {
        ["interface", "bddc", "feti-dp", "mixed", "range", "global", "auto"][self as usize]
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        match self {
            InterfaceWay::Interface => "eliminates the sub-domains and factors the interface problem",
            InterfaceWay::Bddc => "BDDC: iterates on interface displacements, with a coarse problem",
            InterfaceWay::FetiDp => "FETI-DP: iterates on interface forces, with the same coarse problem",
            InterfaceWay::Mixed => "FETI-DP with corner nodes only in the coarse problem",
            InterfaceWay::Range => "iterates on interface forces, interface by interface",
            InterfaceWay::Global => "iterates on interface forces, without a coarse problem",
            InterfaceWay::Auto => "`interface` or `bddc`, by the lower predicted operation count",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<InterfaceWay> {
        InterfaceWay::ALL.into_iter().chain([InterfaceWay::Auto]).find(|way| way.name() == name)
    }

    /// Whether it iterates.
    pub fn iterates(self) -> bool {
        self != InterfaceWay::Interface
    }
}

/// Where a node of a matrix is: for preconditioners alone, numbers of solutions do not depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeSite {
    /// Its place.
    pub place: [f64; 3],
    /// How many of its first unknowns are displacements along the axes of space.
    pub directions: usize,
}

/// Sub-domains that matrices are to be cut into, and who has which.
#[derive(Clone, Debug)]
pub struct Subdivision {
    /// How many, at most.
    pub domains: usize,
    /// Whether substructures that the model names are the sub-domains instead, if there are any.
    pub named: bool,
    /// What is done at interfaces.
    pub way: InterfaceWay,
    /// The ranks that share them.
    pub ranks: Arc<dyn Exchange>,
    /// What it took so far.
    pub tally: Arc<InterfaceTally>,
}

impl Subdivision {
    /// For one process.
    pub fn new(domains: usize, way: InterfaceWay) -> Self {
        Self::among(domains, way, Arc::new(Alone))
    }

    /// For several ranks.
    pub fn among(domains: usize, way: InterfaceWay, ranks: Arc<dyn Exchange>) -> Self {
        Self { domains, named: false, way, ranks, tally: Arc::default() }
    }
}

/// What sub-domains took: the same on all ranks.
#[derive(Debug, Default)]
pub struct InterfaceTally {
    domains: AtomicUsize,
    unknowns: AtomicUsize,
    coarse: AtomicUsize,
    solutions: AtomicUsize,
    iterations: AtomicUsize,
    most: AtomicUsize,
    eliminated: AtomicUsize,
    predicted: [AtomicUsize; 2],
}

/// The same at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterfaceCounts {
    /// Sub-domains that there are.
    pub domains: usize,
    /// Unknowns at their interfaces.
    pub unknowns: usize,
    /// Unknowns of the largest coarse problem.
    pub coarse: usize,
    /// Solutions by iterations.
    pub solutions: usize,
    /// Iterations in all.
    pub iterations: usize,
    /// Most of one solution.
    pub most: usize,
    /// Solutions that did not converge and were found by elimination.
    pub eliminated: usize,
    /// Multiplications predicted for `interface` and for `bddc`, in thousands, where one of them was to be chosen.
    pub predicted: Option<[usize; 2]>,
}

impl InterfaceCounts {
    /// The way that was chosen, where one was to be.
    pub fn chosen(&self) -> Option<InterfaceWay> {
        let [interface, bddc] = self.predicted?;
        Some(if bddc < interface { InterfaceWay::Bddc } else { InterfaceWay::Interface })
    }
}

impl InterfaceTally {
    /// What there is to read.
    pub fn counts(&self) -> InterfaceCounts {
        let read = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        InterfaceCounts {
            domains: read(&self.domains),
            unknowns: read(&self.unknowns),
            coarse: read(&self.coarse),
            solutions: read(&self.solutions),
            iterations: read(&self.iterations),
            most: read(&self.most),
            eliminated: read(&self.eliminated),
            predicted: Some([0, 1].map(|k| read(&self.predicted[k]))).filter(|both| *both != [0, 0]),
        }
    }

    /// Notes how many sub-domains and unknowns at interfaces there are.
    pub(crate) fn note_size(&self, domains: usize, unknowns: usize) {
        self.domains.store(domains, Ordering::Relaxed);
        self.unknowns.store(unknowns, Ordering::Relaxed);
    }

    /// Notes multiplications predicted for `interface` and `bddc`; the way that takes fewer.
    pub(crate) fn choose(&self, predicted: [f64; 2]) -> InterfaceWay {
        for (to, x) in self.predicted.iter().zip(predicted) {
            to.store((x / 1e3).ceil() as usize, Ordering::Relaxed);
        }
        self.counts().chosen().unwrap_or_default()
    }

    /// Notes the size of a coarse problem.
    pub(crate) fn note_coarse(&self, unknowns: usize) {
        self.coarse.fetch_max(unknowns, Ordering::Relaxed);
    }

    /// Notes a solution.
    pub(crate) fn note_solution(&self, iterations: usize, converged: bool) {
        self.solutions.fetch_add(1, Ordering::Relaxed);
        self.iterations.fetch_add(iterations, Ordering::Relaxed);
        self.most.fetch_max(iterations, Ordering::Relaxed);
        self.eliminated.fetch_add(usize::from(!converged), Ordering::Relaxed);
    }
}
