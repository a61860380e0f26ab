#!/bin/bash
# Installs, upgrades or removes Ludo Referee on Raspberry Pi OS or Debian, Bookworm or Trixie, 64 bit.
set -euo pipefail

usage() {
    cat <<'END'
sudo systemd/install.sh [--yes] [--network] [--wheel FILE]    install, or upgrade what is there
sudo systemd/install.sh --uninstall [--yes]                   remove everything but the records

  --yes         ask nothing
  --network     the page may be opened from other devices in the house, and is announced to them
  --wheel FILE  this wheel instead of the program beside this script
END
}

here=$(cd "$(dirname "$0")" && pwd)
home=/opt/ludo-referee
records=/var/lib/ludo-referee
config=/etc/ludo-referee/config.toml
units=/etc/systemd/system
boot_begin='# ludo-referee: begin (the display needs I2C, and at 400 kHz to be quick)'
boot_end='# ludo-referee: end'
installed_units=(ludo-referee.service ludo-referee@.service ludo-referee-demo.service ludo-referee-kiosk@.service) # only the first is enabled
files=(
    "${installed_units[@]/#/$units/}"
    /etc/sysusers.d/ludo-referee.conf
    /etc/sysusers.d/ludo-referee-kiosk.conf
    /etc/tmpfiles.d/ludo-referee.conf
    /etc/modules-load.d/ludo-referee.conf
    /etc/udev/rules.d/60-ludo-referee.rules
    /etc/avahi/services/ludo-referee.service
    /usr/local/bin/ludo-referee
)

say() { printf '  %s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
available() { apt-cache show "$1" 2>/dev/null | grep -q '^Version:'; }
running() { [ -d /run/systemd/system ]; }
installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

agreed() { # everything was said; go on?
    [ -n "$yes" ] && return
    read -r -p 'Go on? [y/N] ' answer
    case $answer in y | Y | yes) ;; *) fail 'nothing was changed' ;; esac
}

yes='' network='' wheel='' task=install
while [ $# -gt 0 ]; do
    case $1 in
    --yes) yes=1 ;;
    --network) network=1 ;;
    --wheel) wheel=$(realpath "${2:?--wheel needs a file}"); shift ;;
    --uninstall) task=uninstall ;;
    --help | -h) usage; exit ;;
    *) usage >&2; fail "unknown option $1" ;;
    esac
    shift
done
[ "$(id -u)" = 0 ] || fail 'must be run as root: sudo systemd/install.sh'

boot_config() { # where the Pi reads its configuration at power-on; nothing on other machines
    local file
    for file in /boot/firmware/config.txt /boot/config.txt; do
        [ -f "$file" ] && { echo "$file"; return; }
    done
    return 0
}

without_block() { # a file without our lines
    sed "\|^$boot_begin|,\|^$boot_end|d" "$1"
}

uninstall() {
    echo 'Ludo Referee will be removed:'
    say "the service, the account ludo-referee, $home, /etc/ludo-referee and the lines in $(boot_config)"
    say "The records in $records stay; apt packages stay."
    agreed
    if running; then
        systemctl disable --now ludo-referee.service ludo-referee-demo.service 2>/dev/null || true
        systemctl stop 'ludo-referee@*' 'ludo-referee-kiosk@*' 2>/dev/null || true
    fi
    local group groups=()
    if [ -f "$home/groups" ]; then mapfile -t groups <"$home/groups"; fi
    rm -f "$units"/multi-user.target.wants/ludo-referee{,-demo,@*,-kiosk@*}.service
    rm -rf "${files[@]}" "$home" /etc/ludo-referee "$units"/ludo-referee{,-demo,@*,-kiosk@*}.service.d
    dpkg-query -S /etc/sysusers.d >/dev/null 2>&1 || rmdir --ignore-fail-on-non-empty /etc/sysusers.d 2>/dev/null || true # we made it
    local boot
    boot=$(boot_config)
    if [ -n "$boot" ] && grep -qF "$boot_begin" "$boot"; then
        without_block "$boot" >"$boot.new"
        cat "$boot.new" >"$boot" # the boot partition has no owners or modes to keep
        rm "$boot.new"
    fi
    local account
    for account in ludo-referee ludo-kiosk; do
        if getent passwd "$account" >/dev/null; then userdel "$account"; fi
    done
    for group in ludo-referee ludo-kiosk "${groups[@]}"; do
        if getent group "$group" >/dev/null; then groupdel "$group"; fi
    done
    if [ -d "$records" ]; then chown -R root:root "$records"; fi
    if running; then
        systemctl daemon-reload
        systemctl reset-failed ludo-referee.service 2>/dev/null || true
        udevadm control --reload
    fi
    echo 'Removed.'
}

packages() { # from apt: what must fit the camera stack, and what PyPI does not build for a Pi
    printf '%s\n' python3-venv python3-pip python3-numpy python3-opencv python3-pil i2c-tools
    local package
    for package in python3-picamera2 python3-lgpio python3-gpiozero python3-spidev; do # Raspberry Pi OS has them, Debian not all
        if installed "$package" || available "$package"; then echo "$package"; fi
    done
}

checked() { # anything that would make the installation fail half-way
    # shellcheck source=/dev/null
    . /etc/os-release
    case ${VERSION_CODENAME:-} in
    bookworm | trixie) ;;
    *) fail "this is ${PRETTY_NAME:-an unknown system}; Raspberry Pi OS or Debian, Bookworm or Trixie, is needed" ;;
    esac
    case $(dpkg --print-architecture) in
    arm64 | amd64) ;;
    *) fail "this system is $(dpkg --print-architecture); the 64-bit Raspberry Pi OS is needed (OpenCV is not built for 32 bit)" ;;
    esac
    [ -z "$wheel" ] || [ -f "$wheel" ] || fail "$wheel: no such file"
    [ -n "$wheel" ] || [ -f "$here/../pyproject.toml" ] || fail 'the program is not beside this script: name a wheel with --wheel FILE'
}

enable_i2c() {
    local boot
    boot=$(boot_config)
    echo i2c-dev >/etc/modules-load.d/ludo-referee.conf
    [ -n "$boot" ] || return 0
    {
        without_block "$boot"
        printf '%s\n[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n%s\n' "$boot_begin" "$boot_end"
    } >"$boot.new"
    if ! cmp -s "$boot.new" "$boot"; then
        cat "$boot.new" >"$boot"
        reboot=1
    fi
    rm "$boot.new"
}

program() { # the program in an environment of its own, above apt's packages
    if [ ! -x "$home/bin/python" ] || ! "$home/bin/python" -c '' 2>/dev/null; then
        python3 -m venv --clear --system-site-packages "$home" # also when the system's Python has changed
    fi
    local pip=("$home/bin/python" -m pip --disable-pip-version-check --quiet --no-input --no-cache-dir)
    "${pip[@]}" install --upgrade --upgrade-strategy only-if-needed "${wheel:-$here/..}"
    # Raspberry Pi OS has python3-lgpio, Debian has not; PyPI's lgpio for Python 3.13 is an empty stub, another name has the real one
    local lgpio=lgpio
    "$home/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 13))' && lgpio=adafruit-lgpio
    if ! (cd /tmp && "$home/bin/python" -c 'import lgpio; lgpio.gpiochip_open' 2>/dev/null) && ! "${pip[@]}" install "$lgpio"; then
        say "There is no lgpio for this Python: button, buzzer and lamps stay silent, the page has a button. Raspberry Pi OS has it."
    fi
    if [ -f "$here/../README.md" ]; then install -m 644 "$here/../README.md" "$home/README.md"; fi
    if [ -f "$here/../hardware/README.md" ]; then install -m 644 "$here/../hardware/README.md" "$home/HARDWARE.md"; fi
    ln -sf "$home/bin/ludo-referee" /usr/local/bin/ludo-referee
}

system_files() {
    install -m 644 -t "$units" "${installed_units[@]/#/$here/}"
    install -D -m 644 "$here/ludo-referee.sysusers" /etc/sysusers.d/ludo-referee.conf
    install -D -m 644 "$here/ludo-referee.tmpfiles" /etc/tmpfiles.d/ludo-referee.conf
    installed raspberrypi-sys-mods || install -D -m 644 "$here/ludo-referee.rules" /etc/udev/rules.d/60-ludo-referee.rules
    local group
    for group in gpio i2c spi; do # those that are ours to remove again
        getent group "$group" >/dev/null || echo "$group" >>"$home/groups"
    done
    systemd-sysusers /etc/sysusers.d/ludo-referee.conf
    systemd-tmpfiles --create /etc/tmpfiles.d/ludo-referee.conf
    chown -R ludo-referee:ludo-referee "$records" # an earlier installation may have had another number
    if [ -n "$network" ]; then
        if [ -d /etc/avahi/services ]; then
            install -m 644 "$here/ludo-referee.avahi" /etc/avahi/services/ludo-referee.service
        else
            say 'There is no avahi-daemon: the page is open to the house, but not announced there.'
        fi
        [ -e "$config" ] || printf '[page]\nhost = "0.0.0.0"  # everybody in the house\n' >"$config"
    fi
}

install_all() {
    checked
    local wanted missing=() package
    # what apt has can only be told from its lists, and is only asked when something is missing
    installed python3-opencv || [ -n "$(ls /var/lib/apt/lists/*_Packages 2>/dev/null)" ] || apt-get update -qq
    mapfile -t wanted < <(packages)
    for package in "${wanted[@]}"; do installed "$package" || missing+=("$package"); done
    echo "Ludo Referee will be installed${wheel:+ from $wheel}:"
    say "apt packages: ${missing[*]:-all there}"
    say "the program in $home, the command /usr/local/bin/ludo-referee"
    say 'the service ludo-referee under an account of its own, started at every power-on'
    if [ -n "$(boot_config)" ]; then say "I2C at 400 kHz, in $(boot_config)"; fi
    if [ -n "$network" ]; then say 'the page opened to the house, and announced there'; fi
    say "Your configuration in $config and the records in $records are kept as they are."
    agreed
    if [ ${#missing[@]} -gt 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    fi
    reboot=''
    enable_i2c
    if running && systemctl --quiet is-active ludo-referee.service; then
        trap 'systemctl start ludo-referee.service' EXIT # without a network, say, what was there goes on
        systemctl stop ludo-referee.service
    fi
    program
    trap - EXIT
    system_files
    if running; then
        systemctl daemon-reload
        udevadm control --reload && udevadm trigger
        modprobe i2c-dev 2>/dev/null || true
        systemctl enable --quiet ludo-referee.service
        systemctl restart ludo-referee.service || fail 'the service does not start: journalctl -u ludo-referee'
    else
        ln -sf -t "$units/multi-user.target.wants" ../ludo-referee.service 2>/dev/null ||
            { mkdir -p "$units/multi-user.target.wants" && ln -s ../ludo-referee.service "$units/multi-user.target.wants/"; }
    fi
    echo 'Installed. The devices are checked by: sudo ludo-referee doctor'
    if [ -n "$reboot" ]; then echo 'Restart the Pi once, so that the display gets its bus: sudo reboot'; fi
}

case $task in
install) install_all ;;
uninstall) uninstall ;;
esac
