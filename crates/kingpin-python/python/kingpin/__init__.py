"""Kingpin: multibody dynamics. Models from files or calls, runs at the speed of Rust, results as arrays.

>>> import kingpin as kp
>>> mechanism = kp.load("models/pendulum.toml", l="2 m").build()
>>> results = mechanism.run(t_end=2)
>>> results["bob_x"].shape
(101,)
"""

from ._errors import CallError, Diagnostic, Doubt, Error, FunctionError, Interrupted, ModelError, RunError
from ._function import Function, function
from ._mechanism import Equilibrium, Linear, Mechanism, Modes
from ._model import Model, load
from ._native import Simulation, State
from ._results import Event, Results, residuals
from ._study import sweep
from ._view import View

__all__ = [
    "CallError",
    "Diagnostic",
    "Doubt",
    "Equilibrium",
    "Error",
    "Event",
    "Function",
    "FunctionError",
    "Interrupted",
    "Linear",
    "Mechanism",
    "Model",
    "ModelError",
    "Modes",
    "Results",
    "RunError",
    "Simulation",
    "State",
    "View",
    "function",
    "load",
    "residuals",
    "sweep",
]
