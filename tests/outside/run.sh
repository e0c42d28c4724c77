#!/bin/sh
# Exports of five models, two with beams, read by pandas, NumPy, PyVista and the validator of glTF. Python and Node.js are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/target/outside
mkdir -p "$work"

[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
[ -d "$work/node_modules/gltf-validator" ] ||
  npm install --silent --no-fund --no-audit --no-save --prefix "$work" gltf-validator@2.0.0-dev.3.10

cd "$root"
${CARGO:-cargo} build --quiet --package kingpin-cli --features parquet
models="slider_crank four_bar hmmwv14_stiff cable_swing cantilever"
places= files=
for model in $models; do
  place=$work/$model
  rm -rf "$place"
  mkdir -p "$place"
  case $model in cable_swing) end=0.2 ;; cantilever) end=0.02 ;; *) end=1 ;; esac
  target/debug/kingpin run "models/$model.toml" --t-end $end --quiet -o "$place/results" > "$place/run.txt"
  target/debug/kingpin export "$place/results" --format csv,npy,parquet -o "$place/out" \
    --gltf "$place/out/motion.glb" --vtk "$place/out/motion.pvd"
  places="$places $place" files="$files $place/out/motion.glb"
done
rm -rf "$work/study" "$work/points.parquet"
target/debug/kingpin sweep models/pendulum.toml --vary "point_mass=[0,1,2] kg" --metric "last(bob_x)" --t-end 0.2 --quiet \
  -o "$work/study" > "$work/study.txt"
target/debug/kingpin export "$work/study" -o "$work/points.parquet"
PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python" "$here/study.py" "$work/study/table.csv" "$work/points.parquet"
PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python" "$here/check.py" $places
node "$here/validate.mjs" "$work/node_modules" $files
