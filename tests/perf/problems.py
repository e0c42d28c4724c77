"""The problems of `make perf`: data of the models, their coordinates at the end of the run, and errors.

Each program reports the angles of all bodies at the end of its run. The method `channels` of a problem computes positions
and orientations of all bodies from them, with the names of Kingpin's results. The error of a program is then defined as
in `kingpin bench integrate --grid 1`: the greatest difference from the reference in m and rad. The module uses the
standard library only, since all workers import it.
"""

from math import cos, pi, sin


class StiffPendulum:
    """Two bars with a soft torsion spring at the ground and a very stiff spring-damper between them."""

    name, model, t_end = "double_pendulum_stiff", "models/double_pendulum_stiff.toml", 2.0
    methods = "auto,ssp-trap,for-sdirk,for-rosen,esdirk,radau"
    levels = (1e-3, 1e-5, 1e-7)
    # reference values in the head of the model file, and the accuracy of the printed digits
    known, digits = {"bar1.angle": 4.601880532, "bar2.angle": 4.601889040}, 2e-9

    gravity = 9.81
    half1, half2, mass1, mass2 = 1.0, 1.5, 3.0, 0.3
    inertia1, inertia2 = mass1 * (2 * half1) ** 2 / 12, mass2 * (2 * half2) ** 2 / 12
    stiffness1, damping1, free1 = 400.0, 15.0, 1.5 * pi
    stiffness2, damping2 = 3e5, 5e4
    start = (2 * pi, 23 * pi / 12)

    def channels(self, angles):
        a, b = angles
        elbow = (2 * self.half1 * cos(a), 2 * self.half1 * sin(a))
        return {"bar1.angle": a, "bar2.angle": b, "bar2.x": elbow[0], "bar2.y": elbow[1]}


class Andrews:
    """Andrews' squeezing mechanism: seven bars, three loops that close in one point E."""

    name, model, t_end = "andrews", "models/andrews.toml", 0.03
    methods = "auto,adams,dopri5,dop853,radau"
    levels = (1e-3, 1e-5, 1e-7)
    known, digits = {
        "K1.angle": 15.810771195154,
        "K2.angle": 15.810771195154 - 15.756371058412,
        "K3.angle": 0.040822240120,
        "K4.angle": -0.534730116342 + 0.524409965880,
        "K5.angle": 0.524409965880,
        "K6.angle": 0.534730116342 + 1.048080741042,
        "K7.angle": 1.048080741042,
    }, 2e-11

    # lengths in m, masses in kg, as the literature names them
    rr, ra, d, da, ss, sa, sb, sc, sd = 0.007, 0.00092, 0.028, 0.0115, 0.035, 0.01874, 0.01043, 0.018, 0.02
    e, ea, zt, ta, tb = 0.02, 0.01421, 0.04, 0.02308, 0.00916
    zf, fa, u, ua, ub = 0.02, 0.01421, 0.04, 0.01228, 0.00449
    A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
    masses = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
    inertias = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    # centres of mass and the ends towards E, in the frames of the bars: see the model file
    centres = ((ra, 0), (-da, 0), (sb, -sa), (0, ea - e), (ta, tb), (zf - fa, 0), (-ub, -ua))
    spring_rate, spring_length, spring_point, drive = 4530.0, 0.07785, (sd, -sc), 0.033
    beta, gamma, phi, delta, epsilon = (
        -0.0617138900142764496,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        1.23054744454982119,
    )
    # absolute angles of K1 to K7
    start = (beta, beta, gamma, phi + delta, delta, epsilon - phi, epsilon)

    def origins(self, angles):
        """Origins of the frames of K1 to K7."""
        (ax, ay), a = self.A, angles
        return (
            (0.0, 0.0),
            (self.rr * cos(a[0]), self.rr * sin(a[0])),
            self.B,
            (ax + self.zt * cos(a[4]), ay + self.zt * sin(a[4])),
            self.A,
            (ax + self.u * sin(a[6]), ay - self.u * cos(a[6])),
            self.A,
        )

    def channels(self, angles):
        of = {f"K{k + 1}.angle": a for k, a in enumerate(angles)}
        for k, (x, y) in enumerate(self.origins(angles)):
            of[f"K{k + 1}.x"], of[f"K{k + 1}.y"] = x, y
        return of


class Chain:
    """Rods of 1 m and 1 kg, hinged about y, released from the horizontal; angles are those of elevation."""

    t_end, size = 1.0, 50
    name, model = "chain50", "models/chain50.toml"
    methods = "auto,adams,dopri5,dop853"
    levels = (1e-3, 1e-5, 1e-7)
    # end points of links at the end of the run
    ends = {1: (0.800272234665, -0.599636848787), 2: (1.616894283890, -1.176809638097)}
    digits = 1e-11
    mass, length, across, axial, gravity = 1.0, 1.0, 1.0 / 12.0, 1e-3, 9.81

    @property
    def start(self):
        return (0.0,) * self.size

    @property
    def known(self):
        """Centres of the links of which both end points are printed."""
        (x1, z1), (x2, z2) = self.ends[1], self.ends[2]
        return {"link1.x": x1 / 2, "link1.z": z1 / 2, "link2.x": (x1 + x2) / 2, "link2.z": (z1 + z2) / 2}

    def channels(self, angles):
        of, x, z = {}, 0.0, 0.0
        for k, a in enumerate(angles, 1):
            dx, dz = self.length * cos(a), self.length * sin(a)
            of[f"link{k}.x"], of[f"link{k}.z"] = x + dx / 2, z + dz / 2
            of[f"link{k}.e0"], of[f"link{k}.e2"] = cos(a / 2), -sin(a / 2)
            x, z = x + dx, z + dz
        return of


PROBLEMS = {p.name: p for p in (StiffPendulum(), Andrews(), Chain())}


def error(problem, angles, reference):
    """Greatest difference of positions [m] and orientations [rad] from the reference."""
    return max(abs(x - reference[name]) for name, x in problem.channels(angles).items())
