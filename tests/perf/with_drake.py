"""Drake from Python. Usage: with_drake.py motion PROBLEM, or accelerations KIND SIZE.
Its continuous plants have no closed loops, so there is no Andrews' mechanism."""

import sys

import numpy as np
from problems import PROBLEMS, Chain, StiffPendulum
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, RevoluteSpring, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from worker import emit_run, seconds_per_call, fastest, emit

C = Chain


def new_plant(gravity):
    plant = MultibodyPlant(time_step=0.0)
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    return plant


def add_body(plant, parent, name, pos, axis, mass, com, inertia, damping=0.0):
    body = plant.AddRigidBody(name, SpatialInertia.MakeFromCentralInertia(mass, com, RotationalInertia(*inertia)))
    frame = plant.AddFrame(FixedOffsetFrame(f"{name}_at", parent.body_frame(), RigidTransform(pos)))
    return body, plant.AddJoint(RevoluteJoint(f"{name}_hinge", frame, body.body_frame(), axis, damping))


def chain(n):
    plant = new_plant([0, 0, -C.gravity])
    last = plant.world_body()
    for i in range(n):
        last, _ = add_body(
            plant,
            last,
            f"link{i}",
            [C.length if i else 0, 0, 0],
            [0, 1, 0],
            C.mass,
            [C.length / 2, 0, 0],
            (C.axial, C.across, C.across),
        )
    plant.Finalize()
    return plant


def pendulum(p):
    plant, axis = new_plant([0, -p.gravity, 0]), [0, 0, 1]
    first, pin = add_body(
        plant, plant.world_body(), "bar1", [0, 0, 0], axis, p.mass1, [p.half1, 0, 0], (p.inertia1,) * 3, p.damping1
    )
    _, elbow = add_body(
        plant, first, "bar2", [2 * p.half1, 0, 0], axis, p.mass2, [p.half2, 0, 0], (p.inertia2,) * 3, p.damping2
    )
    plant.AddForceElement(RevoluteSpring(pin, p.free1, p.stiffness1))
    plant.AddForceElement(RevoluteSpring(elbow, 0.0, p.stiffness2))
    plant.Finalize()
    return plant


def motions(p):
    if isinstance(p, Chain):
        plant, sign = chain(p.size), -1
        settings = (
            ("runge_kutta3", (1e-2, 1e-3, 1e-4, 1e-5)),
            ("runge_kutta5", (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)),
        )
    elif isinstance(p, StiffPendulum):
        plant, sign = pendulum(p), 1
        # from 1e-4 on it takes a hundred thousand steps
        settings = (("radau3", (1e-2, 1e-3)),)
    else:
        raise SystemExit("its continuous plants have no closed loops")
    relative = np.diff(sign * np.array(p.start), prepend=0)
    state = np.concatenate([relative, np.zeros(len(relative))])

    def measure(scheme, accuracy):
        def prepare():
            simulator = Simulator(plant)
            plant.SetPositionsAndVelocities(simulator.get_mutable_context(), state)
            ResetIntegratorFromFlags(simulator, scheme, 0.1)
            simulator.get_mutable_integrator().set_target_accuracy(accuracy)
            simulator.Initialize()
            return simulator

        def run(simulator):
            simulator.AdvanceTo(p.t_end)
            return simulator

        seconds, simulator = fastest(prepare, run)
        return seconds, sign * np.cumsum(plant.GetPositions(simulator.get_context()))

    for scheme, accuracies in settings:
        for accuracy in accuracies:
            emit_run(scheme, accuracy, lambda: measure(scheme, accuracy))


def main():
    if sys.argv[1] == "motion":
        return motions(PROBLEMS[sys.argv[2]])
    if sys.argv[2] != "chain":
        raise SystemExit("its continuous plants have no closed loops")
    n = int(sys.argv[3])
    plant = chain(n)
    context, state = plant.CreateDefaultContext(), np.zeros(2 * n)

    def call():
        # setting the state makes what was computed before invalid
        plant.SetPositionsAndVelocities(context, state)
        return plant.EvalTimeDerivatives(context).CopyToVector()

    return emit(method="EvalTimeDerivatives", seconds=seconds_per_call(call), first=float(call()[n]))


main()
