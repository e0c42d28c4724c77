"""The table of a study: pandas reads from Parquet what it reads from CSV, with units. Arguments: the two files."""

import sys

import pandas as pd
import pyarrow.parquet as pq

table, frame = pd.read_csv(sys.argv[1], float_precision="round_trip"), pd.read_parquet(sys.argv[2])
schema = pq.read_schema(sys.argv[2])
units = [schema.field(name).metadata[b"unit"].decode() for name in frame.columns]
titles = [f"{name} [{unit}]" if unit else name for name, unit in zip(frame.columns, units)]
assert titles == list(table.columns), titles
assert frame.iloc[:, 1:-1].isna().to_numpy().any() and frame["outcome"][0].startswith("failed: ")
pd.testing.assert_frame_equal(frame.set_axis(titles, axis=1), table, check_dtype=False, check_exact=True)
print(f"study: {len(frame)} points in Parquet")
