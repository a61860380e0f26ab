#!/bin/bash
# tests/vm/test.sh devices|service|arm64|install [bookworm|trixie]: what the virtual machines show. Run by make; see README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
task=${1:?devices, arm64, service or install}
suite=${2:-bookworm}
python=3.11
[ "$suite" = trixie ] && python=3.13
arch=amd64
[ "$task" = arm64 ] && arch=arm64

missing=()
for tool in qemu-system-x86_64:qemu-system-x86 mmdebstrap:mmdebstrap busybox:busybox-static cpio:cpio depmod:kmod mke2fs:e2fsprogs xz:xz-utils \
    gcc-12:gcc-12 make:make; do
    command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
done
if [ "$arch" = arm64 ]; then
    for tool in qemu-system-aarch64:qemu-system-arm aarch64-linux-gnu-gcc-12:gcc-12-aarch64-linux-gnu fdtput:device-tree-compiler \
        arch-test:arch-test qemu-aarch64-static:qemu-user-static; do
        command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
    done
fi
if [ ${#missing[@]} -gt 0 ]; then
    echo "the virtual machine needs: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 2
fi

what=$suite
[ "$arch" = arm64 ] && what=arm64
[ "$task" = install ] && what=$suite-pi
"$here/rootfs.sh" "$what"
"$here/kernel.sh" "$arch"
"$here/packages.sh" "$arch" "$python"
packages=$here/cache/$arch/packages/$python
path=/packages/site:/project/firmware:/project/vision:/project/hardware
inside="export PYTHONPATH=$path PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1; mkdir -p /run/work; cd /run/work
cp -r /project/tests/vm/inside /run/inside"
pytest='python3 -m pytest -q --color=no -p no:cacheprovider -c /dev/null --rootdir=/run/inside -W ignore::DeprecationWarning --durations=5'

game() { # what the camera is to see
    rm -rf "$packages/game"
    (cd "$here/../.." && OPENBLAS_NUM_THREADS=1 .venv/bin/python -m tests.vm.game "$packages/game")
}

# The limits are for a machine that has much else to do; README.md says what it takes alone.
case $task in
devices)
    "$here/run.sh" "$what" "$packages" 1800 "$inside; $pytest /run/inside/test_*.py"
    ;;
arm64)
    "$here/run.sh" "$what" "$packages" 1800 "$inside; $pytest /run/inside/test_*.py"
    game
    "$here/wheel.sh" "$packages"
    ;;
service)
    "$here/run.sh" "$what" "$packages" 1800 "$inside; bash /run/inside/service.sh"
    ;;
install)
    game
    "$here/run.sh" "$what" "$packages" 7200 "$inside; bash /run/inside/install.sh"
    ;;
esac
