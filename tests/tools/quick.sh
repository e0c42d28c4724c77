#!/bin/sh
# Format, lints, and the tests of what changed since a commit, uncommitted changes included; slow tests are left out.
# usage: quick.sh [BASE]   (default: the commit at which `make test` last passed in this tree, else the one before)
set -eu
cd "$(git rev-parse --show-toplevel)"
base=${1:-}
[ -n "$base" ] || base=$(cat target/passed 2>/dev/null || true)
git rev-parse --quiet --verify "$base^{commit}" >/dev/null 2>&1 || base=$(git rev-parse HEAD~1)
changed=$( { git diff --name-only "$base" --; git ls-files --others --exclude-standard; } | sort -u)
[ -n "$changed" ] || { echo "nothing changed since $(git rev-parse --short "$base")"; exit 0; }
is() { printf '%s\n' "$changed" | grep -Eq "$1"; }

# crates whose sources changed, and whatever depends on them; fixtures and shipped models belong to the crates that read them
filter=
add() { filter="${filter:+$filter or }$1"; }
for manifest in crates/*/Cargo.toml tests/*/Cargo.toml examples/Cargo.toml; do
    folder=$(dirname "$manifest")
    name=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)
    if is "^$folder/(src/|build.rs|Cargo.toml|[a-z_]*\.rs$)"; then add "rdeps(=$name)"; elif is "^$folder/"; then add "package(=$name)"; fi
done
is '^models/|^docs/gallery/' && add 'package(kingpin-io) or package(kingpin-cli)'
is '\.md$|^docs/' && add 'test(/guide|readme|typed|bibliography|validation/)'
is '^Cargo\.(toml|lock)$' && add 'all()'

make --no-print-directory format
if is '\.(rs|toml)$'; then make --no-print-directory lints; fi
if [ -n "$filter" ]; then
    echo "tests: $filter"
    cargo nextest run --workspace --profile quick --no-tests pass --status-level fail -E "$filter"
fi
if is '^viewer/'; then make --no-print-directory page-checks; fi
if is '^crates/kingpin-python/'; then make --no-print-directory python; fi
