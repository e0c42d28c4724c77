//! Ranks of MPI.

use super::{Communicator, Exchange, Neighbour};
use mpi::Threading;
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::request::WaitGuard;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _, Destination as _, Source as _};

/// All processes that `mpirun` has started. MPI ends with this.
pub struct Processes {
    world: SimpleCommunicator,
    // behind the world, which must end first
    _universe: Universe,
}

// SAFETY: calls are made by one thread at a time, which was asked for when MPI was started
#[allow(unsafe_code)]
unsafe impl Sync for Processes {}

// SAFETY: the same
#[allow(unsafe_code)]
unsafe impl Send for Processes {}

impl Processes {
    /// Starts MPI, once in a process; none if it was started before.
    pub fn start() -> Option<Processes> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Serialized)?;
        Some(Processes { world: universe.world(), _universe: universe })
    }

    /// Ends the processes of all ranks.
    pub fn abort(&self, code: i32) -> ! {
        self.world.abort(code)
    }
}

impl Exchange for Processes {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    fn gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]) {
        let narrow: Vec<i32> = counts.iter().map(|&count| count as i32).collect();
        let mut starts = vec![0];
        narrow.iter().for_each(|count| starts.push(starts[starts.len() - 1] + count));
        starts.pop();
        self.world.all_gather_varcount_into(own, &mut PartitionMut::new(all, &narrow[..], &starts[..]));
    }
}

impl Communicator for Processes {
    fn exchange(&self, neighbours: &[Neighbour], send: &[f64], receive: &mut [f64]) {
        mpi::request::scope(|scope| {
            let sends: Vec<_> = neighbours
                .iter()
                .map(|neighbour| {
                    let other = self.world.process_at_rank(neighbour.rank as i32);
                    WaitGuard::from(other.immediate_send(scope, &send[neighbour.send.clone()]))
                })
                .collect();
            for neighbour in neighbours {
                let other = self.world.process_at_rank(neighbour.rank as i32);
                other.receive_into(&mut receive[neighbour.receive.clone()]);
            }
            drop(sends);
        });
    }
}
