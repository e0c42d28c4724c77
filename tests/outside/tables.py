"""Tables: pandas and NumPy read what the folder of results holds, to the bit, with names and units."""

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq


def check(folder, out):
    header = json.loads((folder / "channels.json").read_text())
    names = ["time"] + [channel["name"] for channel in header["channels"]]
    units = ["s"] + [channel["unit"] for channel in header["channels"]]
    rows = np.fromfile(folder / "rows.f64", "<f8").reshape(-1, len(names))
    assert len(rows) > 10, len(rows)

    array = np.load(out / "results.npy")
    assert array.shape == rows.shape and np.array_equal(array, rows, equal_nan=True)
    columns = json.loads((out / "results.npy.json").read_text())["columns"]
    assert [column["name"] for column in columns] == names and [column["unit"] for column in columns] == units

    table = pd.read_csv(out / "results.csv", float_precision="round_trip")
    assert list(table.columns) == [f"{name} [{unit}]" if unit else name for name, unit in zip(names, units)]
    assert np.array_equal(table.to_numpy(), rows, equal_nan=True)

    frame = pd.read_parquet(out / "results.parquet")
    assert list(frame.columns) == names
    assert np.array_equal(frame.to_numpy(), rows, equal_nan=True)
    schema = pq.read_schema(out / "results.parquet")
    assert [schema.field(name).metadata[b"unit"].decode() for name in names] == units
    assert pq.read_metadata(out / "results.parquet").metadata[b"model"].decode() == header["model"]
    return f"{len(rows)} frames of {len(names) - 1} channels in CSV, NumPy and Parquet"
