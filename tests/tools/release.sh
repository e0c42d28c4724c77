#!/bin/sh
# What people install, in target/release-files: the command as a tarball, the wheel for Python, source packages of the
# crates, a list of contents and checksums. Linked with zig, so that the binaries run on glibc 2.17 and later.
set -eu
cd "$(git rev-parse --show-toplevel)"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)
target=$machine-unknown-linux-gnu
out=$PWD/target/release-files
venv=$PWD/target/release-tools
rm -rf "$out" && mkdir -p "$out"

# maturin, zig and auditwheel come from Python's package index, into a folder of their own
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check 'maturin[zig]>=1.9,<2' ziglang cargo-zigbuild auditwheel
export PATH="$venv/bin:$PATH"
# the page is built once, for the command and for the packages
[ -d viewer/node_modules ] || (cd viewer && npm ci --no-audit --no-fund --loglevel=error)

echo "command"
cargo zigbuild --release --quiet --package kingpin-cli --bin kingpin --target "$target.2.17"
folder=kingpin-$version-$machine-linux
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/$folder/completions"
cp "target/$target/release/kingpin" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$stage/$folder/"
python3 -m ziglang version >/dev/null 2>&1 || true
strip --strip-all "$stage/$folder/kingpin" 2>/dev/null || "$venv/bin/python" -m ziglang objcopy --strip-all "$stage/$folder/kingpin" "$stage/$folder/kingpin"
cp -r models "$stage/$folder/models"
for shell in bash zsh fish; do "$stage/$folder/kingpin" completions "$shell" >"$stage/$folder/completions/kingpin.$shell"; done
tar czf "$out/$folder.tar.gz" -C "$stage" "$folder"
echo "  $(wc -c <"$stage/$folder/kingpin") bytes stripped"

echo "wheel"
maturin build --release --quiet --zig --compatibility manylinux2014 --out "$out"
auditwheel show "$out"/kingpin_dynamics-*.whl | tr '\n' ' '
echo

echo "source packages"
tests/tools/packages.sh
cp target/package/kingpin*.crate "$out/"
# a registry in a folder, from which `cargo install` takes the packages
sed "s/VERSION/$version/g" tests/tools/install-from-packages.sh >"$out/install-from-packages.sh"
chmod +x "$out/install-from-packages.sh"

cd "$out"
{
    echo "Kingpin $version"
    echo
    for file in *; do
        [ "$file" = CONTENTS.txt ] && continue
        case $file in
        *.tar.gz) about="the command, shipped models, shell completions; Linux $machine, glibc 2.17 or later" ;;
        *.whl) about="the Python package kingpin-dynamics, imported as kingpin; Python 3.9 or later" ;;
        kingpin-cli-*.crate) about="sources of the command, the report page inside" ;;
        *.crate) about="sources of a library crate" ;;
        *) about="installs the command from the source packages; needs Rust, no Node.js" ;;
        esac
        echo "$file  $about"
    done
} >CONTENTS.txt
sha256sum -- * >SHA256SUMS
cat CONTENTS.txt
