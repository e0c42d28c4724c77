"""Times at equal errors, from points (error, seconds) of several settings."""

from math import exp, log


def frontier(points):
    """The points of which no other has both a smaller error and a smaller time, the most accurate first.

    >>> frontier([(1e-3, 1.0), (1e-4, 3.0), (1e-5, 2.0), (1e-6, 8.0)])
    [(1e-06, 8.0), (1e-05, 2.0), (0.001, 1.0)]
    """
    best, kept = float("inf"), []
    for error, seconds in sorted(points):
        if seconds < best:
            best = seconds
            kept.append((error, seconds))
    return kept


def time_at(points, error):
    """Seconds to reach an error, by linear interpolation of logarithms; None if no point is accurate enough.

    >>> round(time_at([(1e-2, 1.0), (1e-4, 100.0)], 1e-3), 9)
    10.0
    >>> time_at([(1e-2, 1.0), (1e-4, 100.0)], 1.0)
    1.0
    >>> time_at([(1e-2, 1.0), (1e-4, 100.0)], 1e-5)
    """
    kept = frontier([(max(e, 1e-16), s) for e, s in points])
    if not kept or error < kept[0][0]:
        return None
    for (tight, slow), (loose, fast) in zip(kept, kept[1:]):
        if error < loose:
            part = (log(error) - log(tight)) / (log(loose) - log(tight))
            return exp(log(slow) + part * (log(fast) - log(slow)))
    # looser than all settings: the time of the fastest
    return kept[-1][1]


def fastest(of_methods, error):
    """The method with the least time at an error, and the time; None if none reaches it."""
    times = [(time_at(points, error), method) for method, points in of_methods.items()]
    times = [(seconds, method) for seconds, method in times if seconds is not None]
    return min(times) if times else None


def duration(seconds):
    """A time with three digits; nothing for None.

    >>> duration(1.234e-5), duration(0.0456), duration(2.5e-7)
    ('12.3 µs', '45.6 ms', '250 ns')
    """
    if seconds is None:
        return ""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def table(head, rows):
    """A table in Markdown."""
    widths = [max(len(str(row[k])) for row in [head, *rows]) for k in range(len(head))]
    lines = [" | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) for row in [head, *rows]]
    return "\n".join(f"| {line} |" for line in [lines[0], " | ".join("-" * width for width in widths), *lines[1:]])
