#!/bin/bash
# tests/vm/wheel.sh PACKAGES: the wheel that we build, with what it needs from PyPI, on an emulated Pi's Python: everything can be imported,
# the program says its version, the doctor comes to the end, and a picture is read. Wants the Debian package qemu-user-static.
set -euo pipefail
packages=$(realpath "${1:?}")
here=$(cd "$(dirname "$0")" && pwd)
root=$here/cache/arm64/root
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../../.venv/bin/pip" -q --disable-pip-version-check install --no-deps --no-index --target "$work/ours" "$packages"/wheels/ludo_referee-*.whl
pi() { # pi ARGUMENTS...: Python on the Pi
    (cd "$work" && env -i HOME="$work" OPENBLAS_NUM_THREADS=1 qemu-aarch64-static -L "$root" \
        -E "PYTHONPATH=$work/ours:$packages/site" -E PYTHONDONTWRITEBYTECODE=1 "$root/usr/bin/python3" "$@")
}

pi - <<'E'
import importlib, pkgutil, platform
assert platform.machine() == "aarch64", platform.machine()
names = [
    one.name for top in ("ludo_referee", "ludo_vision", "ludo_hardware")
    for one in pkgutil.walk_packages(importlib.import_module(top).__path__, top + ".") if not one.name.endswith("__main__")
]
for name in names:
    importlib.import_module(name)
import cv2, gpiozero, lgpio, luma.oled.device, numpy, smbus2
print(f"good   {len(names)} modules on {platform.machine()}, Python {platform.python_version()}, OpenCV {cv2.__version__}, numpy {numpy.__version__}")
E
echo "good   version $(pi -m ludo_referee --version)"
pi -m ludo_referee doctor --json >"$work/doctor.json" || [ $? = 1 ] # there is no Pi's hardware here: faults are right
pi -c 'import json; print("good   doctor:", *(f["what"] + " " + f["verdict"] for f in json.load(open("doctor.json"))))'
pi -m ludo_referee look "$packages/game/00a.jpg" --json >"$work/look.json"
pi -c 'import json; print("good   a picture:", str(json.load(open("look.json")))[:120])'
