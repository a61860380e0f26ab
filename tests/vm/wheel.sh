#!/bin/bash
# tests/vm/wheel.sh PACKAGES: the wheel that we build, with what it needs from PyPI, on an emulated Pi's Python: everything can be imported,
# the program says its version, the doctor comes to the end, a picture is read. Wants Linux 6.7 and the Debian package qemu-user-static.
set -euo pipefail
if [ "${2:-}" != inside ]; then # a namespace of its own: neither mounts nor the emulator's registration are left behind
    exec unshare --user --map-root-user --mount "$0" "$(realpath "${1:?}")" inside
fi
packages=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/cache/arm64/root
mount -t tmpfs tmpfs /mnt
mkdir /mnt/{ours,home}
"$here/../../.venv/bin/pip" -q --disable-pip-version-check install --no-deps --no-index --target /mnt/ours "$packages"/wheels/ludo_referee-*.whl
mkdir -p "$root"/{packages,mnt,proc,dev}
for each in proc dev mnt; do mount --rbind "/$each" "$root/$each"; done
mount --bind "$packages" "$root/packages"
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
elf='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00' # AArch64 programs
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":aarch64:M::$elf:$mask:$(command -v qemu-aarch64-static):F" >/proc/sys/fs/binfmt_misc/register
pi() { # pi ARGUMENTS...: Python on the Pi
    chroot "$root" /usr/bin/env -i -C /mnt/home PATH=/usr/bin HOME=/mnt/home OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH=/mnt/ours:/packages/site python3 "$@"
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
pi -m ludo_referee doctor --json >/mnt/home/doctor.json || [ $? = 1 ] # there are no devices here: faults are right
pi - <<'E'
import json
found = {one["what"]: one["verdict"] for one in json.load(open("doctor.json"))}
assert all(found[what] == "good" for what in ("python", "numpy", "opencv", "lgpio")), found
print("good   doctor:", *(f"{what} {verdict}," for what, verdict in found.items()))
E
pi -m ludo_referee look /packages/game/00a.jpg --json >/mnt/home/look.json
pi -c 'import json; print("good   a picture:", str(json.load(open("look.json")))[:100])'
