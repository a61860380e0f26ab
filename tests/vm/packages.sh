#!/bin/bash
# tests/vm/packages.sh amd64|arm64 PYTHON: what PyPI has for that machine, as cache/ARCH/packages/PYTHON/{site,wheels}.
# site/ is unpacked, for tests; wheels/ is for the installer. A requirement without a wheel for the machine fails here, in seconds.
set -euo pipefail
arch=${1:?amd64 or arm64} python=${2:?a version such as 3.11}
here=$(cd "$(dirname "$0")" && pwd)
project=$here/../..
pip=("$project/.venv/bin/pip" -q --disable-pip-version-check)
out=$here/cache/$arch/packages/$python
stamp=$(cat "$0" "$project/pyproject.toml" | sha256sum)

if [ ! -f "$out/stamp" ] || [ "$(cat "$out/stamp")" != "$stamp" ]; then
    rm -rf "$out"
    mkdir -p "$out/wheels"
    mapfile -t wanted < <("$project/.venv/bin/python" - "$project/pyproject.toml" <<'P'
import sys, tomllib
print(*tomllib.load(open(sys.argv[1], "rb"))["project"]["dependencies"], sep="\n")
P
)
    [ "$python" = 3.13 ] || wanted+=(lgpio) # PyPI's for 3.13 is an empty stub
    machine=x86_64
    [ "$arch" = arm64 ] && machine=aarch64
    platforms=(--platform "manylinux2014_$machine")
    for libc in 17 24 27 28 31 34; do platforms+=(--platform "manylinux_2_${libc}_$machine"); done
    "${pip[@]}" wheel --no-deps -w "$out/wheels" font-roboto 2>/dev/null # a source archive, but pure Python
    "${pip[@]}" download --only-binary=:all: --implementation cp --python-version "$python" "${platforms[@]}" \
        --find-links "$out/wheels" -d "$out/wheels" "${wanted[@]}" hatchling
    "${pip[@]}" install --target "$out/site" --only-binary=:all: --implementation cp --python-version "$python" "${platforms[@]}" \
        --find-links "$out/wheels" "${wanted[@]}" pytest numpy opencv-python-headless
    if [ "$python" = 3.13 ]; then # Raspberry Pi OS's python3-lgpio, which Debian has not: the module for 3.11 runs there as well
        "${pip[@]}" install --target "$out/apt" --no-deps --only-binary=:all: --implementation cp --python-version 3.11 "${platforms[@]}" lgpio
        mv "$out"/apt/_lgpio.*.so "$out/apt/_lgpio.so"
    fi
    echo "$stamp" >"$out/stamp"
fi

# the program itself, as it is now and as an older version to upgrade from
source=("$project"/{firmware,vision,hardware,pyproject.toml,README.md,LICENSE})
stamp=$(find "${source[@]}" -type f -not -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum | sha256sum)
if [ -f "$out/ours" ] && [ "$(cat "$out/ours")" = "$stamp" ]; then exit 0; fi
rm -rf "$out"/wheels/ludo_referee-* "$out/older"
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "${source[@]}" "$copy"
"${pip[@]}" wheel --no-deps -w "$out/wheels" "$copy"
sed -i 's/^version = .*/version = "0.0.9"/' "$copy/pyproject.toml"
"${pip[@]}" wheel --no-deps -w "$out/older" "$copy"
echo "$stamp" >"$out/ours"
