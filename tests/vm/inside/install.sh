# Runs in the virtual machine: the installer on a system like the Pi's, from nothing to nothing, with the real program on pretend devices.
set -eu
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then echo "good   $what"; else echo "fault  $what"; failed=1; fi
}
failed=0
unit=ludo-referee.service
config=/etc/ludo-referee/config.toml
boot=/boot/firmware/config.txt
log=/sys/kernel/debug/i2c-recorder/log
shown() { systemctl show "$unit" -p "$1" --value; }
version() { ludo-referee --version 2>&1 | tail -1; }
written() { # the display gets something within 20 s
    for _ in $(seq 40); do
        [ "$(wc -c <$log)" -gt 0 ] && return
        sleep 0.5
    done
    return 1
}
install() { bash /project/systemd/install.sh --yes "$@"; }
# no network in here: pip takes what was put ready
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/packages/wheels
tests=$PYTHONPATH
unset PYTHONPATH

PYTHONPATH=$tests python3 - <<'P'
import sys
sys.path.insert(0, "/run/inside")
from machine import Bus, Header, Webcam, be_a_pi
header = Header(); header.drive(17, high=True); Bus(); Webcam(); be_a_pi()
P
mkdir -p /etc/ludo-referee /etc/systemd/system/$unit.d
printf '[camera]\nkind = "v4l2"\nwidth_px = 640\nheight_px = 480\n' >$config
printf '[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n' >/etc/systemd/system/$unit.d/test.conf
cp $boot /run/boot.before
cp $config /run/config.before
find / -xdev -name '*ludo*' -not -path '/run/*' | sort >/run/names.before

echo '--- an older version'
install --wheel "$(ls /packages/older/ludo_referee-*.whl)"
check "version: $(version)" [ "$(version)" = 0.0.9 ]
check 'I2C is asked for once' [ "$(grep -c i2c_arm_baudrate=400000 $boot)" = 1 ]
echo x >$log

echo '--- the new version over it'
install --wheel "$(ls /packages/wheels/ludo_referee-*.whl)"
check "version: $(version)" [ "$(version)" != 0.0.9 ]
cp $boot /run/boot.after
install --wheel "$(ls /packages/wheels/ludo_referee-*.whl)" >/dev/null
check 'once more changes nothing' cmp $boot /run/boot.after
check 'the configuration is as it was' cmp $config /run/config.before
check "account: $(id ludo-referee)" [ "$(id -Gn ludo-referee | tr ' ' '\n' | grep -cE '^(gpio|i2c|spi|video)$')" = 4 ]
check "the bus belongs to its group: $(stat -c '%G %a' /dev/i2c-1)" [ "$(stat -c '%G %a' /dev/i2c-1)" = 'i2c 660' ]
for _ in $(seq 60); do [ "$(shown ActiveState)" = active ] && break; sleep 0.5; done
check "service: $(shown ActiveState), $(shown StatusText)" [ "$(shown ActiveState)" = active ]
check "restarts: $(shown NRestarts)" [ "$(shown NRestarts)" = 0 ]
check 'the display shows something' written
pull=$(echo /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio17/pull)
sleep 3
echo x >$log
echo pull-down >"$pull"; sleep 0.2
echo pull-up >"$pull"
check 'a press changes the display' written
echo '--- the doctor'
ludo-referee doctor --json >/run/doctor.json || true
for what in python numpy opencv lgpio groups service watchdog storage pins button bus display; do
    line=$(python3 -c "
import json
print(*(f'{f[\"verdict\"]} {f[\"found\"]}' for f in json.load(open('/run/doctor.json')) if f['what'] == '$what'))")
    check "doctor, $what: $line" [ "${line%% *}" != fault ]
done
begun=$(date +%s%N)
systemctl stop $unit
took=$((($(date +%s%N) - begun) / 1000000))
check "stopped in $took ms" [ $took -lt 6000 ]
journalctl -u $unit -o cat --no-pager | tail -30

echo '--- removed'
bash /project/systemd/install.sh --uninstall --yes
check 'the boot configuration is as it was' cmp $boot /run/boot.before
check 'no account is left' [ -z "$(getent passwd ludo-referee)" ]
check 'the records are left' [ -n "$(ls -A /var/lib/ludo-referee)" ]
find / -xdev -name '*ludo*' -not -path '/run/*' -not -path '/var/lib/ludo-referee*' | sort >/run/names.after
check "nothing else is left: $(comm -13 /run/names.before /run/names.after | tr '\n' ' ')" [ -z "$(comm -13 /run/names.before /run/names.after)" ]
exit $failed
