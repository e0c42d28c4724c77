"""The calls that add items to models. Their fields are in `_items.pyi`, which is generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Items:
    """The items of a model."""

    def _add(self, section: str, fields: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def body(self, **fields: Any) -> None:
        """A rigid body or a point mass."""
        self._add("body", fields)

    def beam(self, **fields: Any) -> None:
        """A geometrically exact beam."""
        self._add("beam", fields)

    def cable(self, **fields: Any) -> None:
        """A long cable, a chain of tension-only elements that starts in its catenary."""
        self._add("cable", fields)

    def superelement(self, **fields: Any) -> None:
        """A flexible body with small deformation and large motion, reduced from a mesh."""
        self._add("superelement", fields)

    def structure(self, **fields: Any) -> None:
        """A sheet or a solid of finite elements with large deformation."""
        self._add("structure", fields)

    def marker(self, **fields: Any) -> None:
        """A named point with axes, which several elements can share."""
        self._add("marker", fields)

    def joint(self, type: str, **fields: Any) -> None:
        """A joint: constraint equations between bodies."""
        self._add("joint", {"type": type, **fields})

    def driver(self, type: str, **fields: Any) -> None:
        """A driver: a prescribed motion."""
        self._add("driver", {"type": type, **fields})

    def force(self, type: str, **fields: Any) -> None:
        """A force or a torque."""
        self._add("force", {"type": type, **fields})

    def measure(self, type: str, **fields: Any) -> None:
        """A measured quantity, which functions can read by its name, and its rate as `name.rate`."""
        self._add("measure", {"type": type, **fields})

    def substructure(self, **fields: Any) -> None:
        """A group of bodies that forms a sub-domain."""
        self._add("substructure", fields)

    def state(self, **fields: Any) -> None:
        """A first-order state: a variable given by its rate and integrated with the mechanism."""
        self._add("state", fields)

    def controller(self, type: str, **fields: Any) -> None:
        """A controller: functions read its output by its name."""
        self._add("controller", {"type": type, **fields})

    def event(self, **fields: Any) -> None:
        """An event: an action at the zero crossing of a function."""
        self._add("event", fields)

    def input(self, **fields: Any) -> None:
        """A variable that functions can read and that a program can change between steps."""
        self._add("input", fields)

    def road(self, type: str, **fields: Any) -> None:
        """A road profile for tyres."""
        self._add("road", {"type": type, **fields})

    def shape(self, type: str, **fields: Any) -> None:
        """A shape to draw, without influence on the motion."""
        self._add("shape", {"type": type, **fields})
