"""MuJoCo from Python. Usage: with_mujoco.py motion PROBLEM, or accelerations KIND SIZE.
It has fixed steps and soft constraints; the time constant of a constraint is twice the step here."""

import sys

import mujoco as mj
import numpy as np
from problems import PROBLEMS, Andrews, Chain, StiffPendulum
from worker import emit_run, seconds_per_call, fastest, emit

C, HINGE = Chain, mj.mjtJoint.mjJNT_HINGE


def new_spec(gravity, h=1e-3, integrator="RK4"):
    spec = mj.MjSpec()
    spec.option.gravity, spec.option.timestep = gravity, h
    spec.option.integrator = getattr(mj.mjtIntegrator, f"mjINT_{integrator.upper()}")
    spec.option.disableflags = int(mj.mjtDisableBit.mjDSBL_CONTACT)
    spec.compiler.degree = False
    return spec


def add_body(parent, name, pos, mass, com, inertia, axes):
    body = parent.add_body(name=name, pos=[*pos], mass=mass, ipos=[*com], inertia=[*inertia], explicitinertial=True)
    return body, [body.add_joint(name=f"{name}_{k}", type=HINGE, axis=axis) for k, axis in enumerate(axes)]


def chain(n, h=1e-3, integrator="RK4"):
    spec = new_spec([0, 0, -C.gravity], h, integrator)
    last = spec.worldbody
    for i in range(n):
        last, _ = add_body(
            last,
            f"link{i}",
            (C.length if i else 0, 0, 0),
            C.mass,
            (C.length / 2, 0, 0),
            (C.axial, C.across, C.across),
            [[0, 1, 0]],
        )
    return spec.compile()


def ladder(n):
    spec = new_spec([0, 0, -C.gravity])
    spec.option.tolerance, spec.option.iterations = 1e-12, 100
    rod, post, y, z = (C.axial, C.across, C.across), (C.across, C.across, C.axial), [0, 1, 0], [0, 0, 1]
    half, rung = C.length / 2, spec.worldbody
    for i in range(1, n + 1):
        lower, _ = add_body(rung, f"lower{i}", (0, 0, 0), C.mass, (half, 0, 0), rod, [y])
        upper, _ = add_body(rung, f"upper{i}", (0, 0, C.length), C.mass, (half, 0, 0), rod, [y, z])
        upper.add_site(name=f"end{i}", pos=[C.length, 0, 0])
        rung, _ = add_body(lower, f"rung{i}", (C.length, 0, 0), C.mass, (0, 0, half), post, [y])
        rung.add_site(name=f"top{i}", pos=[0, 0, C.length])
        connect(spec, f"end{i}", f"top{i}", 2e-3)
    return spec.compile()


def connect(spec, one, other, time_constant):
    c = spec.add_equality()
    c.type, c.objtype, c.name1, c.name2 = mj.mjtEq.mjEQ_CONNECT, mj.mjtObj.mjOBJ_SITE, one, other
    c.solref, c.solimp = [time_constant, 1], [0.9999, 0.9999, 0.001, 0.5, 2]


def andrews(p, h, integrator):
    spec = new_spec([0, 0, 0], h, integrator)
    spec.option.tolerance, spec.option.iterations = 1e-14, 100
    start, bodies = p.start, {}
    # parent of each bar, and position of its joint in the frame of the parent
    tree = ((None, (0, 0)), (0, (p.rr, 0)), (None, p.B), (4, (p.zt, 0)), (None, p.A), (6, (0, -p.u)), (None, p.A))
    # those on the ground first
    for k in sorted(range(7), key=lambda k: tree[k][0] is not None):
        parent, pos = tree[k]
        bodies[k], _ = add_body(
            spec.worldbody if parent is None else bodies[parent],
            f"K{k + 1}",
            (*pos, 0),
            p.masses[k],
            (*p.centres[k], 0),
            (p.inertias[k],) * 3,
            [[0, 0, 1]],
        )
    for name, k, pos in (
        ("E2", 1, (-p.d, 0)),
        ("E3", 2, (0, -p.ss)),
        ("E4", 3, (0, -p.e)),
        ("E6", 5, (p.zf, 0)),
        ("D", 2, p.spring_point),
    ):
        bodies[k].add_site(name=name, pos=[*pos, 0])
    spec.worldbody.add_site(name="C", pos=[*p.C, 0])
    for end in ("E3", "E4", "E6"):
        connect(spec, "E2", end, 2 * h)
    spring = spec.add_tendon(name="spring", stiffness=p.spring_rate, springlength=[p.spring_length] * 2)
    spring.wrap_site("C")
    spring.wrap_site("D")
    model = spec.compile()
    places = [model.joint(f"K{k + 1}_0").qposadr[0] for k in range(7)]
    parents = [parent for parent, _ in tree]

    def prepare():
        data = mj.MjData(model)
        for k, parent in enumerate(parents):
            data.qpos[places[k]] = start[k] - (0 if parent is None else start[parent])
        data.qfrc_applied[model.joint("K1_0").dofadr[0]] = p.drive
        return data

    def angles(data):
        own = [data.qpos[place] for place in places]
        return [own[k] + (0 if parent is None else own[parent]) for k, parent in enumerate(parents)]

    return model, prepare, angles


def pendulum(p, h, integrator):
    spec = new_spec([0, -p.gravity, 0], h, integrator)
    first, (one,) = add_body(
        spec.worldbody, "bar1", (0, 0, 0), p.mass1, (p.half1, 0, 0), (p.inertia1,) * 3, [[0, 0, 1]]
    )
    _, (two,) = add_body(first, "bar2", (2 * p.half1, 0, 0), p.mass2, (p.half2, 0, 0), (p.inertia2,) * 3, [[0, 0, 1]])
    for joint, stiffness, damping, free in (
        (one, p.stiffness1, p.damping1, p.free1),
        (two, p.stiffness2, p.damping2, 0),
    ):
        set_coefficient(joint, "stiffness", stiffness)
        set_coefficient(joint, "damping", damping)
        joint.springref = free
    model = spec.compile()

    def prepare():
        data = mj.MjData(model)
        data.qpos[:] = [p.start[0], p.start[1] - p.start[0]]
        return data

    return model, prepare, lambda data: [data.qpos[0], data.qpos[0] + data.qpos[1]]


def set_coefficient(item, name, value):
    """Sets a coefficient; from version 4 on it is the first coefficient of a polynomial."""
    old = getattr(item, name)
    if np.ndim(old):
        old[:] = 0
        old[0] = value
    else:
        setattr(item, name, value)


def build(p, h, integrator):
    if isinstance(p, Chain):
        model = chain(p.size, h, integrator)
        return model, lambda: mj.MjData(model), lambda data: -np.cumsum(data.qpos)
    return (andrews if isinstance(p, Andrews) else pendulum)(p, h, integrator)


def motions(p):
    settings = {
        Chain: (("RK4", (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4)),),
        Andrews: (("RK4", (2e-4, 1e-4, 5e-5, 2e-5, 1e-5)), ("implicitfast", (1e-4, 1e-5))),
        StiffPendulum: (("implicitfast", (1e-2, 1e-3, 1e-4, 1e-5)), ("RK4", (1e-5,))),
    }[type(p)]

    def measure(integrator, h):
        model, prepare, angles = build(p, h, integrator)
        steps = round(p.t_end / h)

        def run(data):
            mj.mj_step(model, data, steps)
            return data

        seconds, data = fastest(prepare, run)
        if any(w.number for w in data.warning):
            raise RuntimeError("unstable")
        return seconds, angles(data)

    for integrator, steps in settings:
        for h in steps:
            emit_run(integrator, h, lambda: measure(integrator, h))


def main():
    if sys.argv[1] == "motion":
        return motions(PROBLEMS[sys.argv[2]])
    model = {"chain": chain, "ladder": ladder}[sys.argv[2]](int(sys.argv[3]))
    data = mj.MjData(model)
    seconds = seconds_per_call(lambda: mj.mj_forward(model, data))
    return emit(method="mj_forward", seconds=seconds, first=float(data.qacc[0]))


main()
