# Runs in the virtual machine: the installer on a system like the Pi's, from nothing to nothing, and a game with the program it installs:
# a USB camera sees the table, the button is pressed, display and page are read. In the middle of the game the new version is installed.
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
signs=/run/table
shown() { systemctl show "$unit" -p "$1" --value; }
version() { ludo-referee --version 2>&1 | tail -1; }
traces() { # every file that somebody may have put somewhere, and the accounts
    find /etc /opt /usr/local /root /home /boot /srv /var/lib /var/cache -xdev -not -path '/var/lib/ludo-referee*' \
        -not -path '/var/lib/systemd/*' -not -path '/var/cache/apt/*.bin' -not -name '*-' -not -name .pwd.lock | sort
    getent passwd
    getent group
}
waits() { # waits SECONDS COMMAND...: until it is so
    local tries=$(($1 * 2))
    shift
    for _ in $(seq $tries); do
        "$@" && return
        sleep 0.5
    done
    return 1
}
took() { echo "$((SECONDS - begun)) s"; }
install() { bash /project/systemd/install.sh --yes "$@"; }
wheel() { ls /packages/"$1"/ludo_referee-*.whl; }
# no network in here: pip takes what was put ready
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/packages/wheels
tests=$PYTHONPATH
unset PYTHONPATH
if [ -d /packages/apt ]; then cp -r /packages/apt/. /usr/lib/python3/dist-packages/; fi

PYTHONPATH=$tests python3 /run/inside/play.py /packages/game >/out/play.log 2>&1 &
waits 300 [ -e $signs/ready ] || { cat /out/play.log; exit 1; }
camera=/dev/v4l/by-id/usb-Pretend_Webcam_0001-video-index0
waits 300 [ -e $camera ] || { ls -lR /dev/v4l; udevadm info -n /dev/video0; exit 1; }
traces >/run/traces.before
mkdir -p /etc/ludo-referee /etc/systemd/system/$unit.d
cat >$config <<T
[table]
players = ["A", "B"]
die = "taps"
[camera]
kind = "v4l2"
device = "$camera"
width_px = 480
height_px = 360
rate_hz = 3.0
lost_after_s = 120.0  # an emulated processor looks for the board a long time
[lamps]
pins = { A = 5, B = 6 }
T
# only for the test: the pretend board inside the unit's own /proc, and patience for the processor
cat >/etc/systemd/system/$unit.d/test.conf <<U
[Service]
BindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo
WatchdogSec=300
TimeoutStartSec=600
U
cp $boot /run/boot.before
cp $config /run/config.before

echo '--- an older version'
begun=$SECONDS
install --wheel "$(wheel older)"
check "version: $(version), after $(took)" [ "$(version)" = 0.0.9 ]
check 'I2C is asked for once' [ "$(grep -c i2c_arm_baudrate=400000 $boot)" = 1 ]
check "account: $(id ludo-referee)" [ "$(id -Gn ludo-referee | tr ' ' '\n' | grep -cE '^(gpio|i2c|spi|video)$')" = 4 ]
check "the bus belongs to its group: $(stat -c '%G %a' /dev/i2c-1)" [ "$(stat -c '%G %a' /dev/i2c-1)" = 'i2c 660' ]
check "service: $(shown ActiveState), $(shown StatusText)" [ "$(shown ActiveState)" = active ]
begun=$SECONDS
touch $signs/play
waits 3600 [ -e $signs/upgrade -o -e $signs/played ] || true
echo "--- the new version over it, in the middle of the game, $(took) after its beginning"
cp $boot /run/boot.after
begun=$SECONDS
install --wheel "$(wheel wheels)"
check "version: $(version), after $(took)" [ "$(version)" != 0.0.9 ]
check 'the boot configuration is not changed once more' cmp $boot /run/boot.after
check 'the configuration is as it was' cmp $config /run/config.before
rm -f $signs/upgrade
waits 3600 [ -e $signs/played ] || true
cat /out/play.log
check 'the game was played' [ "$(cat $signs/played)" = 0 ]
check "service: $(shown ActiveState), $(shown StatusText)" [ "$(shown ActiveState)" = active ]
check "restarts: $(shown NRestarts)" [ "$(shown NRestarts)" = 0 ]
check "processor time of the service: $(($(shown CPUUsageNSec) / 1000000000)) s, memory $(($(shown MemoryCurrent) / 1000000)) MB" true
echo '--- the doctor'
ludo-referee doctor --json >/run/doctor.json || true
python3 -c "import json; [print('      ', f['verdict'], f['what'] + ':', f['found']) for f in json.load(open('/run/doctor.json'))]"
for what in python numpy opencv lgpio groups service watchdog storage pins button bus display camera; do
    line=$(python3 -c "
import json
print(*(f'{f[\"verdict\"]} {f[\"found\"]}' for f in json.load(open('/run/doctor.json')) if f['what'] == '$what'))")
    check "doctor, $what: $line" [ "${line%% *}" != fault ]
done
begun=$(date +%s%N)
systemctl stop $unit
took=$((($(date +%s%N) - begun) / 1000000))
check "stopped in $took ms" [ $took -lt 10000 ]
touch $signs/end
journalctl -u $unit -o cat --no-pager | tail -30
ludo-referee games
check 'the records tell of the game' [ "$(ludo-referee export --format csv last | wc -l)" -gt 6 ]

echo '--- the same version once more, then removed'
begun=$SECONDS
install --wheel "$(wheel wheels)" >/dev/null
check "again, after $(took)" [ "$(shown ActiveState)" = active ]
bash /project/systemd/install.sh --uninstall --yes
check 'the boot configuration is as it was' cmp $boot /run/boot.before
check 'the records are left' [ -n "$(ls -A /var/lib/ludo-referee)" ]
traces >/run/traces.after
left=$(diff /run/traces.before /run/traces.after | grep '^[<>]' | tr '\n' ' ') || true
check "nothing else is left: $left" [ -z "$left" ]
bash /project/systemd/install.sh --uninstall --yes >/dev/null
check 'removing what is not there is no fault' true
exit $failed
