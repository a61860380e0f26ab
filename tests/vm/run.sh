#!/bin/bash
# tests/vm/run.sh bookworm|trixie|arm64 PACKAGES SECONDS COMMAND: run COMMAND as root in the virtual machine; its output and status are ours.
# Inside: the project read-only at /project, PACKAGES at /packages, /out writable (ours is printed on failure).
set -uo pipefail
what=${1:?} packages=${2:?} limit=${3:?}
shift 3
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
printf '%s\n' ': >/out/up' "$*" >"$out/command"
begun=$EPOCHREALTIME

share() { # share TAG FOLDER [readonly=on]
    arguments+=(-fsdev "local,id=$1,path=$2,security_model=none${3:+,$3}" -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
# Emulation, not KVM: nested virtual machines stop Debian's kernel while it unpacks itself.
arguments=(-accel tcg,thread=multi -smp 2 -nodefaults -no-reboot -display none -nic none -serial "file:$out/console" -device virtio-rng-pci)
case $what in
arm64)
    emulator=qemu-system-aarch64
    cache=$here/cache/arm64
    arguments+=(-M virt -cpu cortex-a72 -m 1024 -dtb "$cache/pi.dtb")
    console=ttyAMA0 root=share
    share root "$cache/root" readonly=on
    ;;
*)
    emulator=qemu-system-x86_64
    cache=$here/cache/amd64
    # without AVX: qemu 7.2 emulates it, but OpenCV's code with it dies of a segmentation fault in there
    arguments+=(-cpu max,-avx,-avx2,-fma -m 1536 -no-user-config -drive "file=$cache/$what.ext4,if=none,id=disk,format=raw,snapshot=on"
        -device virtio-blk-pci,drive=disk)
    console=ttyS0 root=disk
    ;;
esac
share project "$(cd "$here/../.." && pwd)" readonly=on
share packages "$packages" readonly=on
share out "$out"
# no_timer_check: on a busy machine the emulated timer is late, and the kernel would stop for that
TIMEFORMAT=%U
{ time timeout -k 5 "$limit" "$emulator" "${arguments[@]}" -kernel "$cache/vmlinuz" -initrd "$cache/initrd.gz" \
    -append "console=$console panic=-1 quiet no_timer_check ludo.root=$root systemd.unit=test.target \
systemd.mask=systemd-networkd.service" </dev/null; } 2>"$out/used"
if [ -f "$out/log" ]; then cat "$out/log"; fi
if [ ! -f "$out/status" ]; then
    echo "the virtual machine gave no result in $limit s; its last words:"
    tail -30 "$out/console"
    cat "$out/used"
    exit 99
fi
awk -v begun="$begun" -v up="$(stat -c %.3Y "$out/up")" -v end="$EPOCHREALTIME" -v used="$(cat "$out/used")" \
    'BEGIN {printf "the machine was up after %.0f s and done after %.0f s, of which %.0f s were work\n", up - begun, end - begun, used}'
exit "$(cat "$out/status")"
