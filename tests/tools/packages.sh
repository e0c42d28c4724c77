#!/bin/sh
# Source packages of the crates in target/package, the built page and the shipped models inside that of the command.
set -eu
cd "$(git rev-parse --show-toplevel)"
inside=crates/kingpin-cli
trap 'rm -rf "$inside/page" "$inside/models"' EXIT
rm -rf "$inside/page" "$inside/models"
[ -d viewer/node_modules ] || (cd viewer && npm ci --no-audit --no-fund --loglevel=error)
(cd viewer && node node_modules/vite/bin/vite.js build --logLevel warn --emptyOutDir --outDir "../$inside/page")
cp -r models "$inside/models"
cargo package --workspace --exclude kingpin-examples --exclude kingpin-testing --exclude kingpin-trust --exclude kingpin-python \
    --no-verify --allow-dirty --quiet
for package in target/package/*.crate; do
    echo "$(basename "$package") $(tar tzf "$package" | wc -l) files, $(wc -c <"$package") bytes"
done
tar tzf target/package/kingpin-cli-*.crate | grep -q '/page/index.html$' || { echo "the page is missing"; exit 1; }
tar tzf target/package/kingpin-cli-*.crate | grep -q '/models/common/hmmwv14.toml$' || { echo "models are missing"; exit 1; }
