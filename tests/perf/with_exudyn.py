"""Exudyn from Python. Usage: with_exudyn.py motion PROBLEM"""

import sys

import exudyn as exu
import numpy as np
from exudyn import itemInterface as item
from problems import PROBLEMS, Andrews, Chain, StiffPendulum
from worker import emit_run, fastest

SOLVERS = {
    "DOPRI5": "DOPRI5",
    "RK44": "RK44",
    "generalized-alpha": "GeneralizedAlpha",
    "trapezoidal": "TrapezoidalIndex2",
}
NOW = exu.OutputVariableType.Coordinates


def settings(t_end, method, setting):
    s = exu.SimulationSettings()
    t = s.timeIntegration
    t.endTime, t.verboseMode, s.solution.file.write = t_end, 0, False
    t.generalizedAlpha.spectralRadius = 0.9
    if method == "DOPRI5":
        t.numberOfSteps, t.relativeTolerance, t.absoluteTolerance = 10, setting, setting
    else:
        t.numberOfSteps, t.automaticStepSize = round(t_end / setting), False
    return s


def new_system():
    container = exu.SystemContainer()
    return container, container.AddSystem()


def chain(p):
    """The chain in joint coordinates."""
    n, c = p.size, p
    container, mbs = new_system()
    zero = [0.0] * n
    node = mbs.AddNode(
        item.NodeGenericODE2(
            referenceCoordinates=zero, initialCoordinates=zero, initialCoordinates_t=zero, numberOfODE2Coordinates=n
        )
    )
    mbs.AddObject(
        item.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exu.JointType.RevoluteY] * n,
            linkParents=[i - 1 for i in range(n)],
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exu.Vector3DList([[c.length if i else 0, 0, 0] for i in range(n)]),
            linkInertiasCOM=exu.Matrix3DList([np.diag([c.axial, c.across, c.across])] * n),
            linkCOMs=exu.Vector3DList([[c.length / 2, 0, 0]] * n),
            linkMasses=[c.mass] * n,
            baseOffset=[0.0, 0, 0],
            gravity=[0, 0, -c.gravity],
        )
    )
    return container, mbs, lambda: -np.cumsum(mbs.systemData.GetODE2Coordinates())


def turned(angle, v):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


class PlanarSystem:
    """Bars in the plane, in redundant coordinates."""

    def __init__(self):
        self.container, self.mbs = new_system()
        self.ground = self.mbs.AddObject(item.ObjectGround())
        self.bodies, self.nodes, self.centres = [], [], []

    def bar(self, mass, inertia, origin, angle, centre):
        x, y = np.array(origin) + turned(angle, centre)
        node = self.mbs.AddNode(
            item.NodeRigidBody2D(referenceCoordinates=[0, 0, 0], initialCoordinates=[x, y, angle])
        )
        self.bodies.append(
            self.mbs.AddObject(item.ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node))
        )
        self.nodes.append(node)
        self.centres.append(centre)

    def point(self, k, pos):
        """A point of bar k in its own frame, or of the ground."""
        if k is None:
            return self.mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=self.ground, localPosition=[*pos, 0]))
        local = [pos[0] - self.centres[k][0], pos[1] - self.centres[k][1], 0]
        return self.mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=self.bodies[k], localPosition=local))

    def hinge(self, a, at_a, b, at_b):
        self.mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=[self.point(a, at_a), self.point(b, at_b)]))

    def angle(self, k):
        return self.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=self.nodes[k], coordinate=2))

    def finish(self):
        return self.container, self.mbs, lambda: [self.mbs.GetNodeOutput(node, NOW)[2] for node in self.nodes]


def andrews(p):
    system = PlanarSystem()
    for k, origin in enumerate(p.origins(p.start)):
        system.bar(p.masses[k], p.inertias[k], origin, p.start[k], p.centres[k])
    e2 = (-p.d, 0)
    for joint in (
        (None, (0, 0), 0, (0, 0)),
        (0, (p.rr, 0), 1, (0, 0)),
        (None, p.B, 2, (0, 0)),
        (None, p.A, 4, (0, 0)),
        (None, p.A, 6, (0, 0)),
        (4, (p.zt, 0), 3, (0, 0)),
        (6, (0, -p.u), 5, (0, 0)),
        (1, e2, 2, (0, -p.ss)),
        (1, e2, 3, (0, -p.e)),
        (1, e2, 5, (p.zf, 0)),
    ):
        system.hinge(*joint)
    system.mbs.AddObject(
        item.ObjectConnectorSpringDamper(
            markerNumbers=[system.point(None, p.C), system.point(2, p.spring_point)],
            stiffness=p.spring_rate,
            referenceLength=p.spring_length,
        )
    )
    crank = system.mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=system.bodies[0]))
    system.mbs.AddLoad(item.LoadTorqueVector(markerNumber=crank, loadVector=[0, 0, p.drive]))
    return system.finish()


def pendulum(p):
    system = PlanarSystem()
    a, b = p.start
    system.bar(p.mass1, p.inertia1, (0, 0), a, (p.half1, 0))
    system.bar(p.mass2, p.inertia2, turned(a, (2 * p.half1, 0)), b, (p.half2, 0))
    system.hinge(None, (0, 0), 0, (0, 0))
    system.hinge(0, (2 * p.half1, 0), 1, (0, 0))
    still = system.mbs.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=system.mbs.AddNode(item.NodePointGround()), coordinate=0)
    )
    for markers, stiffness, damping, free in (
        ((still, system.angle(0)), p.stiffness1, p.damping1, p.free1),
        ((system.angle(0), system.angle(1)), p.stiffness2, p.damping2, 0.0),
    ):
        system.mbs.AddObject(
            item.ObjectConnectorCoordinateSpringDamper(
                markerNumbers=list(markers), stiffness=stiffness, damping=damping, offset=free
            )
        )
    for k, mass in enumerate((p.mass1, p.mass2)):
        system.mbs.AddLoad(
            item.LoadForceVector(
                markerNumber=system.point(k, system.centres[k]), loadVector=[0, -mass * p.gravity, 0]
            )
        )
    return system.finish()


def main():
    p = PROBLEMS[sys.argv[2]]
    build, runs = {
        Chain: (chain, (("DOPRI5", (1e-3, 1e-4, 1e-5, 1e-6)), ("RK44", (2e-2, 1e-2, 5e-3)))),
        Andrews: (andrews, (("trapezoidal", (1e-4, 3e-5, 1e-5)), ("generalized-alpha", (1e-4, 3e-5, 1e-5)))),
        StiffPendulum: (
            pendulum,
            (("trapezoidal", (1e-2, 3e-3, 1e-3, 3e-4)), ("generalized-alpha", (1e-2, 3e-3, 1e-3, 3e-4, 1e-4))),
        ),
    }[type(p)]

    def measure(method, setting):
        solver = getattr(exu.DynamicSolverType, SOLVERS[method])

        def prepare():
            system = build(p)
            system[1].Assemble()
            return system

        def run(system):
            system[1].SolveDynamic(settings(p.t_end, method, setting), solverType=solver)
            return system

        seconds, (_, _, angles) = fastest(prepare, run)
        return seconds, angles()

    for method, values in runs:
        for setting in values:
            emit_run(method, setting, lambda: measure(method, setting))


main()
