"""Pinocchio from Python: accelerations of chains by the articulated-body algorithm, and of ladders with closed loops by
the proximal solver. It has no integrator. Usage: with_pinocchio.py accelerations KIND SIZE"""

import sys

import numpy as np
import pinocchio as pin
from problems import Chain
from worker import seconds_per_call, emit

C = Chain


def at(x, z):
    return pin.SE3(np.eye(3), np.array([x, 0.0, z]))


ROD = pin.Inertia(C.mass, np.array([C.length / 2, 0, 0]), np.diag([C.axial, C.across, C.across]))
POST = pin.Inertia(C.mass, np.array([0, 0, C.length / 2]), np.diag([C.across, C.across, C.axial]))


def model():
    empty = pin.Model()
    empty.gravity.linear = np.array([0, 0, -C.gravity])
    return empty


def chain(n):
    m, last = model(), 0
    for i in range(n):
        last = m.addJoint(last, pin.JointModelRY(), at(C.length if i else 0.0, 0), f"hinge{i}")
        m.appendBodyToJoint(last, ROD, pin.SE3.Identity())
    data, zero = m.createData(), np.zeros(n)
    return "aba", lambda: pin.aba(m, data, zero, zero, zero)


def ladder(n):
    m, rung, closures = model(), 0, []
    for i in range(1, n + 1):
        # depth first: the upper rod, then the lower one with everything behind it
        both = pin.JointModelComposite(2)
        both.addJoint(pin.JointModelRY())
        both.addJoint(pin.JointModelRZ())
        upper = m.addJoint(rung, both, at(0, C.length), f"upper{i}")
        m.appendBodyToJoint(upper, ROD, pin.SE3.Identity())
        lower = m.addJoint(rung, pin.JointModelRY(), at(0, 0), f"lower{i}")
        m.appendBodyToJoint(lower, ROD, pin.SE3.Identity())
        rung = m.addJoint(lower, pin.JointModelRY(), at(C.length, 0), f"rung{i}")
        m.appendBodyToJoint(rung, POST, pin.SE3.Identity())
        closures.append((upper, rung))
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for upper, rung in closures:
        models.append(
            pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, m, upper, at(C.length, 0), rung, at(0, C.length), pin.ReferenceFrame.LOCAL
            )
        )
        datas.append(models[-1].createData())
    data, q, zero = m.createData(), pin.neutral(m), np.zeros(m.nv)
    pin.initConstraintDynamics(m, data, models, datas)
    settings, first = pin.ProximalSettings(1e-12, 1e-10, 10), m.joints[m.getJointId("lower1")].idx_v

    def call():
        return pin.constraintDynamics(m, data, q, zero, zero, models, datas, settings)[first:]

    return "constraintDynamics", call


def main():
    method, call = {"chain": chain, "ladder": ladder}[sys.argv[2]](int(sys.argv[3]))
    emit(method=method, seconds=seconds_per_call(call), first=float(call()[0]))


main()
