"""The command: `python -m kingpin run model.toml`, or `kingpin` where the package is installed."""

import sys

from . import _native


def main() -> None:
    """Runs the command with the arguments of this process."""
    sys.exit(_native.command(["kingpin", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
