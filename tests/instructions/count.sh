#!/bin/sh
# Instructions of accelerations by every solver and of three runs, counted by callgrind: one line "what count" each.
# usage: count.sh DIRECTORY_OF_BINARIES   (with `kingpin` and `examples/accelerations`, built for release)
set -eu
here=$(dirname "$0")
models=$here/../../models
bin=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

count() { # what, further options of callgrind, command
    what=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file="$room/out" "$@" >/dev/null 2>"$room/err" ||
        { cat "$room/err" >&2; exit 1; }
    echo "$what $(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$room/err")"
}

"$bin/kingpin" generate chain --size 50 >"$room/chain50.toml"
"$bin/kingpin" generate chain --size 1000 >"$room/chain1000.toml"
solvers="elimination elimination-unsplit reduced-envelope reduced-band augmented-ldlt augmented-sparse recursive recursive-sparse"
dense="reduced-dense augmented-dense recursive-dense"
for model in "$models/hmmwv14.toml" "$models/andrews.toml" "$room/chain50.toml" "$room/chain1000.toml"; do
    name=$(basename "$model" .toml)
    # matrices with the square of a thousand bodies say nothing about evaluation
    [ "$name" = chain1000 ] && more="" || more=$dense
    for solver in $solvers $more; do
        count "$name/$solver" --toggle-collect='accelerations::counted' "$bin/examples/accelerations" "$model" "$solver" 3
    done
done
run() { # model, method, tolerance
    count "run/$1" "$bin/kingpin" run "$models/$1.toml" --method "$2" --tol "$3" --no-results
}
run hmmwv14_stiff for-rosen 1e-3
run andrews dop853 1e-8
run double_pendulum_stiff for-sdirk 1e-4
