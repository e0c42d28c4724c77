"""A car on stiff bushings drives over a bump at three speeds."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt

MODELS = Path(__file__).parents[2] / "models"

figure, (above, below) = plt.subplots(2, 1, figsize=(8, 5.5), layout="constrained")
for speed in ("5 mph", "10 mph", "15 mph"):
    mechanism = kp.load(MODELS / "hmmwv14_stiff.toml", speed=speed).build()
    results = mechanism.run(t_end=3, tol=1e-4)
    print(f"{speed}: {results.statistics['steps']} steps, highest chassis {results['chassis.z'].max():.4f} m")
    for event in results.events[:2]:
        print(f"  {event.t:.3f} s  {event.what}")
    above.plot(results["chassis.x"], results["chassis.z"], label=speed)
    below.plot(results["chassis.x"], results["chassis.az"], label=speed, linewidth=0.8)
above.set_ylabel("chassis height [m]")
below.set_ylabel("chassis acceleration [m/s^2]")
below.set_xlabel("way [m]")
above.legend()
above.set_title("HMMWV over a half cylinder of 5 cm")
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "hmmwv_bump.png", dpi=80)
