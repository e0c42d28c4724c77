//! `--domains` and `--domain-solver`: matrices in sub-domains, on the threads of this process or over ranks of MPI.

use crate::output::{Exit, be_silent, complain, warn};
use crate::words::count;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kingpin::dynamics::Matrices;
use kingpin::linalg::{InterfaceCounts, InterfaceWay, Subdivision};
use kingpin::ranks::{Alone, Exchange};
use serde::Serialize;
use std::sync::Arc;

/// Options of structures in sub-domains.
#[derive(clap::Args, Default)]
pub struct DomainArgs {
    /// Number of sub-domains of sparse matrices, which are factored in parallel [default: one per substructure of the model,
    /// else 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    domains: Option<u16>,
    /// Solver for the interfaces of sub-domains [default: `auto` if there are sub-domains, else `direct`]
    #[arg(long, value_name = "NAME", value_parser = solver())]
    domain_solver: Option<StructureChoice>,
}

/// All at once, or sub-domains and what is done at their interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StructureChoice {
    Direct,
    Cut(InterfaceWay),
}

/// Sub-domains over ranks, if nobody says how many: not by the number of ranks, on which results do not depend.
const USUAL: usize = 8;

/// The name of a way that is another.
const LOCAL: &str = "local";

fn solver() -> impl TypedValueParser<Value = StructureChoice> {
    let direct =
        PossibleValue::new("direct").help("one factorisation of the whole matrix, without sub-domains");
    let ways = [InterfaceWay::Auto].into_iter().chain(InterfaceWay::ALL);
    let names = ways.map(|way| PossibleValue::new(way.name()).help(way.about()));
    let local = PossibleValue::new(LOCAL)
        .help("localised multipliers; after their elimination the same as `interface`");
    let names = std::iter::once(direct).chain(names).chain([local]);
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        LOCAL => StructureChoice::Cut(InterfaceWay::Interface),
        name => InterfaceWay::named(name).map_or(StructureChoice::Direct, StructureChoice::Cut),
    })
}

/// The ranks that a command has, and how it is to cut matrices.
pub struct Parted {
    pub ranks: Arc<dyn Exchange>,
    pub cut: Option<Subdivision>,
    /// Sub-domains that were asked for, if a number was.
    asked: Option<usize>,
    /// Ends all ranks, where there are several.
    abort: Option<Box<dyn Fn(i32)>>,
}

impl Parted {
    /// One process that cuts nothing.
    pub fn alone() -> Parted {
        Parted { ranks: Arc::new(Alone), cut: None, asked: None, abort: None }
    }

    /// Matrices that are to be used: sparse ones where they are cut.
    pub fn matrices(&self, asked: Option<Matrices>, usual: Matrices) -> Matrices {
        if self.cut.is_some() { Matrices::Sparse } else { asked.unwrap_or(usual) }
    }

    /// Says so where sub-domains were asked for and nothing was cut.
    pub fn warn_uncut(&self, why: &str) {
        let Some(made) = self.counts().map(|counts| counts.domains) else { return };
        let ranks = self.ranks.ranks();
        if made == 0 {
            warn("uncut", &format!("no matrix was divided into sub-domains: {why}\n"));
        } else if let Some(asked) = self.asked.filter(|asked| made < *asked) {
            let idle = if ranks > made {
                format!("; {} of {ranks} ranks are idle", ranks - made)
            } else {
                String::new()
            };
            let text = format!(
                "the model is divided into {made} sub-domains instead of {asked}, because it is too small for more{idle}\n"
            );
            warn("fewer-domains", &text);
        } else if ranks > made {
            let idle = ranks - made;
            let text = format!("there are only {made} sub-domains; {idle} of {ranks} ranks are idle\n");
            warn("idle-ranks", &text);
        }
    }

    /// What the first rank has to tell all, on all of them.
    pub fn told(&self, by_first: &[u8]) -> Vec<u8> {
        let others = self.ranks.ranks() - 1;
        let own = if self.speaks() { by_first } else { &[] };
        let gather = |own: &[f64], first: usize| {
            let mut counts = vec![0; others];
            counts.insert(0, first);
            let mut all = vec![0.0; first];
            self.ranks.gather(own, &counts, &mut all);
            all
        };
        let length = if self.speaks() { vec![own.len() as f64] } else { Vec::new() };
        let length = gather(&length, 1)[0] as usize;
        // bytes travel as the bits of numbers
        let pack = |bytes: &[u8]| {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            f64::from_bits(u64::from_le_bytes(all))
        };
        let packed: Vec<f64> = own.chunks(8).map(pack).collect();
        let all = gather(&packed, length.div_ceil(8));
        all.iter().flat_map(|x| x.to_bits().to_le_bytes()).take(length).collect()
    }

    /// Whether this rank tells users what becomes of it.
    pub fn speaks(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// Whether there are other ranks.
    pub fn has_others(&self) -> bool {
        self.ranks.ranks() > 1
    }

    /// The exit of this rank. One that fails alone ends all others, which would wait for it.
    pub fn end(&self, exit: Exit, alone: bool) -> Exit {
        if alone
            && self.has_others()
            && let Some(abort) = &self.abort
        {
            abort(exit.code().into());
        }
        // mpirun tells the exit of the first rank that has one
        if self.speaks() { exit } else { Exit::Good }
    }

    /// What sub-domains took.
    pub fn counts(&self) -> Option<InterfaceCounts> {
        self.cut.as_ref().map(|cut| cut.tally.counts())
    }
}

/// The ranks of a command that cuts nothing; the exit where there is something wrong with them.
pub fn companions() -> Result<Parted, Exit> {
    let (ranks, abort) = ranks().map_err(|(message, advice)| refuse(&message, &advice))?;
    if ranks.rank() > 0 {
        be_silent();
    }
    Ok(Parted { ranks, cut: None, asked: None, abort })
}

fn refuse(message: &str, advice: &str) -> Exit {
    complain(&format!("error: {message}\n\n  help: {advice}\n"));
    Exit::Usage
}

impl DomainArgs {
    /// Starts the ranks, if there are any, and says how matrices are cut; or what is wrong.
    pub fn parted(&self, matrices: Option<Matrices>) -> Result<Parted, Exit> {
        self.checked(matrices).map_err(
            |(message, advice, speaks)| {
                if speaks { refuse(&message, &advice) } else { Exit::Good }
            },
        )
    }

    fn checked(&self, matrices: Option<Matrices>) -> Result<Parted, (String, String, bool)> {
        let (ranks, abort) = ranks().map_err(|(message, advice)| (message, advice, true))?;
        let (number, speaks) = (ranks.ranks(), ranks.rank() == 0);
        if !speaks {
            be_silent();
        }
        let wrong = |message: String, advice: &str| Err((message, advice.to_string(), speaks));
        let over_ranks = started_by_mpirun();
        let choice = match (self.domain_solver, self.domains) {
            (Some(choice), _) => choice,
            (None, Some(domains)) if domains > 1 => StructureChoice::Cut(InterfaceWay::Auto),
            (None, None) if over_ranks => StructureChoice::Cut(InterfaceWay::Auto),
            (None, _) => StructureChoice::Direct,
        };
        let domains = self.domains.map_or(USUAL, usize::from);
        match choice {
            StructureChoice::Direct if number > 1 => wrong(
                format!("{number} ranks cannot share the work: `direct` factors one undivided matrix"),
                "choose `--domain-solver interface` with at least as many `--domains` as ranks",
            ),
            StructureChoice::Direct => Ok(Parted { ranks, cut: None, asked: None, abort }),
            StructureChoice::Cut(_) if self.domains.is_some() && number > domains => wrong(
                format!("there are more ranks ({number}) than sub-domains ({domains})"),
                "choose at least as many `--domains` as ranks, or start fewer ranks",
            ),
            StructureChoice::Cut(_) if matrices == Some(Matrices::Dense) => wrong(
                "dense matrices cannot be divided into sub-domains".into(),
                "omit `--matrices dense`, or `--domains` and `--domain-solver`",
            ),
            StructureChoice::Cut(way) => {
                let mut cut = Subdivision::among(domains, way, ranks.clone());
                cut.named = self.domains.is_none();
                Ok(Parted { ranks, cut: Some(cut), asked: self.domains.map(usize::from), abort })
            }
        }
    }
}

/// What reports tell of sub-domains.
#[derive(Serialize)]
pub struct DomainReport {
    structure_solver: &'static str,
    /// Whether it was chosen, and multiplications predicted for `interface` and for `bddc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted_multiplications: Option<[f64; 2]>,
    /// Sub-domains, unknowns at their interfaces and in the coarse problem.
    domains: usize,
    interface_unknowns: usize,
    coarse_unknowns: usize,
    ranks: usize,
    /// Solutions by iterations, iterations of all and most of one.
    solutions: usize,
    iterations: usize,
    most_iterations: usize,
    /// Solutions that did not converge and were found by elimination.
    eliminated: usize,
}

impl DomainReport {
    /// None without sub-domains, or where no matrix was cut.
    pub fn of(cut: Option<&Subdivision>) -> Option<DomainReport> {
        let (cut, counts) = (cut?, cut?.tally.counts());
        (counts.domains > 0).then(|| DomainReport {
            structure_solver: counts.chosen().unwrap_or(cut.way).name(),
            predicted_multiplications: counts.predicted.map(|both| both.map(|x| 1e3 * x as f64)),
            domains: counts.domains,
            interface_unknowns: counts.unknowns,
            coarse_unknowns: counts.coarse,
            ranks: cut.ranks.ranks(),
            solutions: counts.solutions,
            iterations: counts.iterations,
            most_iterations: counts.most,
            eliminated: counts.eliminated,
        })
    }

    /// The same in words: a value and a remark.
    pub fn words(&self) -> (String, String) {
        let mut remark = self.structure_solver.to_string();
        if let Some([interface, bddc]) = self.predicted_multiplications {
            let (own, other) = if bddc < interface { (bddc, interface) } else { (interface, bddc) };
            let rival = if bddc < interface { InterfaceWay::Interface } else { InterfaceWay::Bddc };
            let part = 100.0 * own / other;
            remark += &format!(", predicted to need {part:.0} % of the multiplications of {}", rival.name());
        }
        remark += &format!(", {} unknowns at interfaces", count(self.interface_unknowns));
        if self.ranks > 1 {
            remark += &format!(", {} ranks", self.ranks);
        }
        if self.solutions > 0 {
            let mean = self.iterations as f64 / self.solutions as f64;
            remark += &format!("; {mean:.1} iterations per solution, at most {}", self.most_iterations);
        }
        if self.eliminated > 0 {
            remark += &format!(
                "; {} iterative solutions did not converge and were replaced by direct ones",
                count(self.eliminated)
            );
        }
        (count(self.domains), remark)
    }
}

type Started = (Arc<dyn Exchange>, Option<Box<dyn Fn(i32)>>);

fn started_by_mpirun() -> bool {
    std::env::var_os("OMPI_COMM_WORLD_SIZE").is_some()
}

/// The ranks that `mpirun` has started, or this process alone.
#[cfg(feature = "mpi")]
fn ranks() -> Result<Started, (String, String)> {
    if !started_by_mpirun() {
        return Ok((Arc::new(Alone), None));
    }
    let Some(processes) = kingpin_domains::communicate::Processes::start() else {
        return Err(("MPI could not be started".into(), "see the messages of `mpirun`".into()));
    };
    let processes = Arc::new(processes);
    let all = processes.clone();
    Ok((processes, Some(Box::new(move |code| all.abort(code)))))
}

#[cfg(not(feature = "mpi"))]
fn ranks() -> Result<Started, (String, String)> {
    match std::env::var("OMPI_COMM_WORLD_SIZE") {
        Ok(ranks) if ranks != "1" => {
            // every process finds this out for itself, and one says so
            if std::env::var("OMPI_COMM_WORLD_RANK").is_ok_and(|rank| rank != "0") {
                std::process::exit(Exit::Usage.code().into());
            }
            let message = format!("{ranks} ranks were started, but this build of kingpin has no MPI");
            let advice = "build it with `--features mpi`, or run it without mpirun and with `--threads`";
            Err((message, advice.into()))
        }
        _ => Ok((Arc::new(Alone), None)),
    }
}
