"""The calls by which items are added to models. Their fields are in `_items.pyi`, which is generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Items:
    """What can be added to a model."""

    def _add(self, section: str, fields: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def body(self, **fields: Any) -> None:
        """A rigid body or a point mass."""
        self._add("body", fields)

    def beam(self, **fields: Any) -> None:
        """A beam that bends, twists, shears and stretches."""
        self._add("beam", fields)

    def cable(self, **fields: Any) -> None:
        """A long cable, which hangs in its catenary and never pushes."""
        self._add("cable", fields)

    def superelement(self, **fields: Any) -> None:
        """A body of a mesh that deforms a little and moves as far as it likes."""
        self._add("superelement", fields)

    def structure(self, **fields: Any) -> None:
        """A sheet or a solid of cells between points, which deforms as far as it likes."""
        self._add("structure", fields)

    def marker(self, **fields: Any) -> None:
        """A named place, so that several elements can share it."""
        self._add("marker", fields)

    def joint(self, type: str, **fields: Any) -> None:
        """A joint: equations between bodies."""
        self._add("joint", {"type": type, **fields})

    def driver(self, type: str, **fields: Any) -> None:
        """A driver: a motion prescribed in time."""
        self._add("driver", {"type": type, **fields})

    def force(self, type: str, **fields: Any) -> None:
        """A force or a torque."""
        self._add("force", {"type": type, **fields})

    def measure(self, type: str, **fields: Any) -> None:
        """A quantity that functions may read: its value under its name, its rate as `name.rate`."""
        self._add("measure", {"type": type, **fields})

    def substructure(self, **fields: Any) -> None:
        """Bodies that make a sub-domain of their own where matrices are cut."""
        self._add("substructure", fields)

    def state(self, **fields: Any) -> None:
        """A first-order state: a number with a rate, integrated with the mechanism."""
        self._add("state", fields)

    def controller(self, type: str, **fields: Any) -> None:
        """A controller: functions read its output under its name."""
        self._add("controller", {"type": type, **fields})

    def event(self, **fields: Any) -> None:
        """What happens where a function crosses zero."""
        self._add("event", fields)

    def input(self, **fields: Any) -> None:
        """A number that functions may read and that a program may change between steps."""
        self._add("input", fields)

    def road(self, type: str, **fields: Any) -> None:
        """A road profile that tyres run on."""
        self._add("road", {"type": type, **fields})

    def shape(self, type: str, **fields: Any) -> None:
        """A shape to draw, without influence on the motion."""
        self._add("shape", {"type": type, **fields})
