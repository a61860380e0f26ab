#!/bin/bash
# tests/vm/kernel.sh amd64|arm64: Debian's kernel with pretend devices, as cache/ARCH/{vmlinuz,initrd.gz} (and pi.dtb for arm64).
# Debian leaves gpio-sim out, and no kernel has buses that tell what was written: they are built beside its headers, in seconds.
# Wants Debian packages: gcc-12 make xz-utils cpio kmod busybox-static; for arm64 also gcc-12-aarch64-linux-gnu device-tree-compiler
# qemu-system-arm.
set -euo pipefail
arch=${1:?amd64 or arm64}
here=$(cd "$(dirname "$0")" && pwd)
out=$here/cache/$arch
work=$out/work
mkdir -p "$out"

apt=(-q)
if [ "$arch" != "$(dpkg --print-architecture)" ]; then # lists of their own: the machine's stay as they are
    mkdir -p "$out"/apt/lists/partial "$out"/apt/cache/archives/partial
    apt+=(-o "Dir::State::Lists=$out/apt/lists" -o "Dir::Cache=$out/apt/cache" -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch")
    [ -n "$(ls "$out"/apt/lists/*Packages* 2>/dev/null)" ] || apt-get "${apt[@]}" -o APT::Sandbox::User=root update >/dev/null
fi
get() { apt-get "${apt[@]}" -o APT::Sandbox::User=root download "$@" >/dev/null; }

meta=linux-image-6.12-$arch
apt-cache "${apt[@]}" show "$meta" >/dev/null 2>&1 || meta=linux-image-$arch
image=$(apt-cache "${apt[@]}" depends "$meta" | awk '/Depends:/ {print $2; exit}')
release=${image#linux-image-}
abi=${release%-"$arch"}
source=linux-source-$(echo "$release" | cut -d. -f1,2)
version=$(apt-cache "${apt[@]}" policy "$image" | awk '/Candidate/ {print $2}')
stamp="$release $version $(cat "$0" "$here/init" "$here"/modules/* | sha256sum | cut -c1-16)"
if [ -f "$out/stamp" ] && [ "$(cat "$out/stamp")" = "$stamp" ]; then exit 0; fi

rm -rf "$work"
mkdir -p "$work"/{deb,tree,modules,tools}
cd "$work/deb"
get "$image:$arch=$version" "linux-headers-$release:$arch=$version" "linux-headers-$abi-common=$version" "$source=$version" "busybox-static:$arch"
apt-get -q -o APT::Sandbox::User=root download "linux-kbuild-$abi=$version" >/dev/null # programs that run here, not there
for package in *.deb; do
    case $package in
    linux-source*) ;;
    busybox*) dpkg-deb -x "$package" "$work/tools" ;;
    *) dpkg-deb -x "$package" "$work/tree" ;;
    esac
done
# two files out of the whole source; tar stops reading before the end, which is no fault
dpkg-deb --fsys-tarfile linux-source*.deb | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
    tar -xJ -C "$work/modules" --strip-components=1 --wildcards '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c' || true
rm -f linux-source*.deb

headers=$work/tree/usr/src/linux-headers-$release
sed -i "s#include /usr/src#include $work/tree/usr/src#" "$headers/Makefile"
rm -f "$headers/vmlinux" # with it, make wants pahole for debug information nobody reads
cd "$work/modules"
mv drivers/gpio/gpio-sim.c gpio-sim-main.c
mv kernel/irq/irq_sim.c .
# gpio-sim needs irq_sim, which Debian leaves out as well: both become one module. irq_to_desc is not for modules.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/handle_simple_irq(irq_data_to_desc(irq_get_irq_data(irqnum)))/
        s#<linux/irq.h>#<linux/irq.h>\n\#include <linux/irqdesc.h>#' irq_sim.c
cp "$here"/modules/* .
printf '%s\n' 'obj-m += gpio-sim.o i2c-recorder.o spi-recorder.o' 'gpio-sim-y := gpio-sim-main.o irq_sim.o' >Kbuild
make -s -C "$headers" M="$work/modules" modules
prefix=''
[ "$arch" = arm64 ] && prefix=aarch64-linux-gnu-
"${prefix}strip" --strip-debug ./*.ko
mkdir -p "$work/tree/lib/modules/$release/updates"
cp ./*.ko "$work/tree/lib/modules/$release/updates/"
depmod -b "$work/tree" "$release"

# initramfs: busybox, and the modules unpacked with a list of each one's needs in the order to load them
ram=$work/ram
mkdir -p "$ram"/{bin,proc,sys,dev,newroot,lower,over,modules}
cp "$work/tools/bin/busybox" "$ram/bin/"
install -m 755 "$here/init" "$ram/init"
put() { # put LIST MODULE...
    local list=$1 module path name
    shift
    for module in "$@"; do
        modprobe -d "$work/tree" -S "$release" --show-depends "$module" | awk '/^insmod/ {print $2}'
    done | awk '!seen[$0]++' | while read -r path; do
        name=$(basename "$path" .xz)
        case $path in
        *.xz) xz -dc "$path" ;;
        *) cat "$path" ;;
        esac >"$ram/modules/$name"
        echo "$name" >>"$ram/modules/$list"
    done
}
put boot virtio_pci virtio_blk ext4 9p 9pnet_virtio overlay
put gpio-sim gpio-sim
put i2c-recorder i2c-dev i2c-recorder
put spi-recorder spi-recorder
put vivid vivid
put usb-camera vhci-hcd uvcvideo # USB's own, over a cable that ends in a program
(cd "$ram" && find . | cpio -o -H newc --quiet) | gzip -3 >"$out/initrd.gz"
cp "$work/tree/boot/vmlinuz-$release" "$out/vmlinuz"
if [ "$arch" = arm64 ]; then # a Pi 4B by its device tree, where gpiozero and doctor look for the board
    qemu-system-aarch64 -M virt,dumpdtb="$out/pi.dtb" -cpu cortex-a72 -smp 2 -m 1024 -nodefaults -display none >/dev/null 2>&1
    fdtput -t s "$out/pi.dtb" / model 'Raspberry Pi 4 Model B Rev 1.5'
    fdtput -c "$out/pi.dtb" /system
    fdtput -t x "$out/pi.dtb" /system linux,revision c03115
fi
rm -rf "$work"
echo "$stamp" >"$out/stamp"
echo "kernel $release for $arch is ready"
