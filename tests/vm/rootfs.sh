#!/bin/bash
# tests/vm/rootfs.sh bookworm|trixie: a small Debian with systemd and Python, as cache/amd64/SUITE.ext4.
# tests/vm/rootfs.sh bookworm-pi|trixie-pi: with all the apt packages that the installer wants as well.
# tests/vm/rootfs.sh arm64: only unpacked packages with Python, as cache/arm64/root; nothing of it runs here.
# Wants Debian packages: mmdebstrap e2fsprogs arch-test; root.
set -euo pipefail
what=${1:?bookworm, trixie, bookworm-pi, trixie-pi or arm64}
here=$(cd "$(dirname "$0")" && pwd)
options=(--quiet --dpkgopt=force-unsafe-io)
for path in man doc locale info; do options+=("--dpkgopt=path-exclude=/usr/share/$path/*"); done

if [ "$what" = arm64 ]; then
    out=$here/cache/arm64
    [ -d "$out/root/usr/bin" ] && exit 0
    mkdir -p "$out"
    rm -rf --one-file-system "$out/root.new"
    mmdebstrap "${options[@]}" --variant=extract --architectures=arm64 \
        --include=python3,libstdc++6,libgcc-s1,zlib1g,dash,coreutils bookworm "$out/root.new" >"$out/root.log" 2>&1
    mv "$out/root.new" "$out/root"
    exit 0
fi

out=$here/cache/amd64
suite=${what%-pi}
mkdir -p "$out"
include=systemd,systemd-sysv,udev,dbus,kmod,iproute2,python3
if [ "$what" = "$suite" ]; then
    include=$include,python3-spidev
else
    include=$include,procps,python3-venv,python3-pip,python3-numpy,python3-opencv,python3-pil,i2c-tools
    [ "$suite" = trixie ] && include=$include,python3-gpiozero
fi
if [ -f "$out/$what.ext4" ] && [ "$(cat "$out/$what.stamp" 2>/dev/null)" = "$include" ]; then exit 0; fi
root=$(mktemp -d) # outside the project: searches in it must not wander into a system that is being put together
chmod 755 "$root"
mmdebstrap "${options[@]}" --variant=minbase --mode=root "--include=$include" "$suite" "$root" >"$out/$what.log" 2>&1
echo pi >"$root/etc/hostname"
: >"$root/etc/fstab"
mkdir -p "$root/boot/firmware"
printf '# For more options see the documentation\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n' >"$root/boot/firmware/config.txt"
size=$(($(du -smx "$root" | cut -f1) * 5 / 4 + 400))
mke2fs -q -t ext4 -O ^has_journal -d "$root" "$out/$what.ext4.new" "${size}M"
rm -rf --one-file-system "$root" # should mmdebstrap have left a mount
mv "$out/$what.ext4.new" "$out/$what.ext4"
echo "$include" >"$out/$what.stamp"
