"""A suspension swept over stiffness and damping: how far the body moves, how hard its passengers are shaken."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt

# a quarter of a car: the wheel on its tyre, the body on its suspension, over a step of the road
model = kp.Model("quarter_car", space="planar", parameters={"k": "20 kN/m", "c": "1.5 kN*s/m"})
model.body(name="wheel", mass="40 kg", inertia=1, position=[0, "30 cm"])
model.body(name="car", mass="300 kg", inertia=10, position=[0, "80 cm"])
model.joint("translational", name="axle", body1="ground", body2="wheel", axis=[0, 1])
model.joint("translational", name="guide", body1="ground", body2="car", axis=[0, 1])
model.force("spring", name="tyre", body1="ground", body2="wheel", stiffness="180 kN/m", rest_length="30 cm",
            actuator={"t": [0, 0.5, 0.52, 10], "value": [0, 0, "9 kN", "9 kN"]})
model.force("spring", name="strut", body1="wheel", body2="car", stiffness="k", damping="c", rest_length="50 cm")
model.measure("distance", name="travel", body1="wheel", body2="car")
model.simulation(t_end=3, frame="5 ms")

table = kp.sweep(
    model,
    {"k": "8..40 kN/m:8", "c": "0.3..4 kN*s/m:8"},
    {"shake": "rms(car.ay)", "travel": "max(travel) - min(travel)"},
)
print(table.describe().loc[["min", "max"]])
stiffness, damping = table.columns[:2]

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for panel, column in zip(axes, table.columns[2:4]):
    grid = table.pivot(index=damping, columns=stiffness, values=column)
    drawn = panel.contourf(grid.columns, grid.index, grid.to_numpy(), levels=12)
    figure.colorbar(drawn, ax=panel)
    panel.set_title(column)
    panel.set_xlabel(stiffness)
axes[0].set_ylabel(damping)
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "sweep_suspension.png", dpi=80)
