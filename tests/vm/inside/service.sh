# Runs in the virtual machine: the unit as it is installed, around a stand-in that opens every device.
set -eu
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then echo "good   $what"; else echo "fault  $what"; failed=1; fi
}
failed=0
unit=ludo-referee.service
page() { python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:8080/", timeout=5).read().decode())'; }
told() { page | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
shown() { systemctl show "$unit" -p "$1" --value; }

# the devices, and the groups and nodes as the installer makes them
python3 - <<'P'
import sys
sys.path.insert(0, "/run/inside")
from machine import Bus, Header, Webcam, be_a_pi
header = Header(); header.drive(17, high=True); Bus(); Webcam(); be_a_pi()
P
cp /project/systemd/ludo-referee.rules /etc/udev/rules.d/60-ludo-referee.rules
cp /project/systemd/ludo-referee.sysusers /etc/sysusers.d/ludo-referee.conf 2>/dev/null ||
    { mkdir -p /etc/sysusers.d && cp /project/systemd/ludo-referee.sysusers /etc/sysusers.d/ludo-referee.conf; }
systemd-sysusers
udevadm control --reload
udevadm trigger --action=add
udevadm settle
mkdir -p /opt/ludo-referee /etc/tmpfiles.d
cp /project/systemd/ludo-referee.tmpfiles /etc/tmpfiles.d/ludo-referee.conf
systemd-tmpfiles --create ludo-referee.conf
cp /project/systemd/ludo-referee.service /etc/systemd/system/
# only for the test: what to run, and the pretend board inside the unit's own /proc
mkdir -p /etc/systemd/system/$unit.d
cat >/etc/systemd/system/$unit.d/test.conf <<U
[Service]
ExecStart=
ExecStart=/usr/bin/python3 /run/inside/every_device.py
Environment=PYTHONPATH=$PYTHONPATH PYTHONDONTWRITEBYTECODE=1
BindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo /run/inside
WatchdogSec=20
TimeoutStartSec=600
TimeoutStopSec=120
U
chmod -R a+rX /run/inside
systemctl daemon-reload
said=$(systemd-analyze verify --recursive-errors=no $unit 2>&1 || true)
check "verify prints nothing: $said" [ -z "$said" ]
systemctl start $unit || { journalctl -u $unit -o cat --no-pager; exit 1; }
check 'it says ready and its status' [ "$(shown StatusText)" = 'everything was tried' ]
for each in pins display camera records; do check "$each: $(told $each)" [ "$(told $each)" = good ]; done
for each in 'refused disk' 'refused memory' 'refused system' 'refused home'; do
    check "$each: $(told "$each")" [ "$(told "$each")" != good ]
done
pull=$(echo /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio17/pull)
for _ in 1 2 3; do
    echo pull-down >"$pull"; sleep 0.1
    echo pull-up >"$pull"; sleep 0.1
done
check "presses: $(told presses)" [ "$(told presses)" = 3 ]
check "memory: $(($(shown MemoryCurrent) / 1000000)) MB" [ "$(shown MemoryCurrent)" -lt 190000000 ]

touch /run/ludo-referee/hang
first=$(shown MainPID)
for _ in $(seq 400); do
    sleep 0.5
    if [ "$(shown MainPID)" != "$first" ] && [ "$(shown ActiveState)" = active ]; then break; fi
done
check "hung and restarted: $(shown NRestarts)" [ "$(shown NRestarts)" = 1 ]
rm -f /run/ludo-referee/hang
begun=$(date +%s%N)
systemctl stop $unit
took=$((($(date +%s%N) - begun) / 1000000))
check "ended by itself after $took ms: $(shown Result)" [ "$(shown Result)" = success ]
check "records are kept: $(stat -c '%U %a' /var/lib/ludo-referee/kept)" [ "$(stat -c '%U %a' /var/lib/ludo-referee/kept)" = 'ludo-referee 600' ]
exit $failed
