#!/bin/sh
# Installs the command from the source packages beside this file: needs Rust, neither Node.js nor the repository.
# usage: install-from-packages.sh [OPTIONS OF CARGO INSTALL]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
{
    echo '[patch.crates-io]'
    for package in "$here"/kingpin*-VERSION.crate; do
        tar xzf "$package" -C "$room"
        name=$(basename "$package" -VERSION.crate)
        echo "$name = { path = \"$room/$name-VERSION\" }"
    done
} >"$room/config.toml"
cargo install --config "$room/config.toml" --path "$room/kingpin-cli-VERSION" "$@"
