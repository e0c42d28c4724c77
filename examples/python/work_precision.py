"""Work and precision: how methods turn steps into digits on a stiff double pendulum."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt

MODELS = Path(__file__).parents[2] / "models"

mechanism = kp.load(MODELS / "double_pendulum_stiff.toml").build()
end = 0.5
reference = mechanism.run(t_end=end, tol=1e-11, method="radau", frame=end)

figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
for method in ("for-rosen", "for-sdirk", "esdirk", "radau"):
    work, error = [], []
    for power in range(3, 9):
        results = mechanism.run(t_end=end, tol=10.0**-power, method=method, frame=end)
        counts = results.statistics
        work.append(counts["evaluations"] + counts["factorisations"])
        places = [name for name in results if name.endswith((".x", ".y"))]
        error.append(max(abs(results[name][-1] - reference[name][-1]) for name in places))
    axes.loglog(error, work, "o-", label=method)
    print(f"{method:10} error {error[0]:.1e} to {error[-1]:.1e}, work {work[0]} to {work[-1]}")
axes.set_xlabel("error of positions at the end [m]")
axes.set_ylabel("evaluations and factorisations")
axes.invert_xaxis()
axes.legend()
axes.grid(True, which="both", alpha=0.2)
axes.set_title("A stiff double pendulum")
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "work_precision.png", dpi=80)
