"""The files systemd reads: systemd's own tools must have nothing to say about them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
UNIT = SYSTEMD / "ludo-referee.service"
CLUB = SYSTEMD / "ludo-referee@.service"
DEMO = SYSTEMD / "ludo-referee-demo.service"
KIOSK = SYSTEMD / "ludo-referee-kiosk@.service"
UNITS = (UNIT, CLUB, DEMO, KIOSK)
STANDARD_UNITS = ("basic.target", "sysinit.target", "multi-user.target", "shutdown.target", "getty@tty1.service",
                  "systemd-logind.service", "systemd-user-sessions.service")  # fmt: skip

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The little of a system that `systemd-analyze verify` looks at, with our unit and a program where it wants one."""
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    for name in STANDARD_UNITS:
        exec_start = "[Service]\nExecStart=/bin/sh\n" if name.endswith(".service") else ""
        (units / name).write_text(f"[Unit]\nDefaultDependencies=no\n{exec_start}")
    programs = {program for unit in UNITS for program in re.findall(r"^Exec\w+=\+?(/\S+)", unit.read_text(), re.MULTILINE)}
    for program in programs | {"/bin/sh"}:
        path = tmp_path / program.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    for unit in UNITS:
        shutil.copy(unit, units)
    return tmp_path


def instance(unit: Path) -> str:
    """The name by which a unit is started: a template's with something in it."""
    return unit.name.replace("@.", "@8080.")


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_verify_prints_nothing(unit: Path, image: Path) -> None:
    done = run("systemd-analyze", "verify", f"--root={image}", instance(unit))
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_verify_would_print_a_misspelt_key(unit: Path, image: Path) -> None:
    copy = image / "etc/systemd/system" / unit.name
    copy.write_text(copy.read_text().replace("RestartSec", "RestartSecs"))
    assert "RestartSecs" in run("systemd-analyze", "verify", f"--root={image}", instance(unit)).stderr


@needs_systemd
@pytest.mark.parametrize("unit", [UNIT, CLUB, DEMO], ids=lambda unit: unit.name)
def test_exposure_is_at_most_1_3(unit: Path) -> None:
    done = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure is not None, done.stderr
    assert float(exposure[1]) <= 1.3


def test_port_of_the_page_is_the_one_the_unit_allows() -> None:
    port = tomllib.loads((ROOT / "firmware/ludo_referee/defaults.toml").read_text())["page"]["port"]
    assert f"SocketBindAllow=tcp:{port}\n" in UNIT.read_text()
    service = ElementTree.parse(SYSTEMD / "ludo-referee.avahi").getroot().find("service")
    assert service is not None
    assert service.findtext("port") == str(port)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_start_is_never_given_up(unit: Path) -> None:
    text = unit.read_text()
    assert "StartLimitIntervalSec=0\n" in text
    assert "Restart=always\n" in text


def test_table_of_a_club_is_run_as_the_only_one_is() -> None:
    """But for names, ports and the switching off, so that what is mended in one unit is mended in the other."""
    only, club = (
        {line for line in unit.read_text().replace("/%i.toml", "").replace("/%i", "").splitlines() if "=" in line and line[0] != "#"}
        for unit in (UNIT, CLUB)
    )
    assert {line.partition("=")[0] for line in only - club} == {"Description", "ExecStart", "ExecStopPost", "SocketBindAllow"}
    assert {line.partition("=")[0] for line in club - only} == {"Description", "ExecStart", "SocketBindAllow"}


def test_demonstration_listens_where_its_unit_and_the_kiosk_expect_it() -> None:
    text = DEMO.read_text()
    port = re.search(r"--port (\d+)", text)
    assert port is not None
    assert f"SocketBindAllow=tcp:{port[1]}\n" in text
    assert f"@{port[1]}: the demonstration" in KIOSK.read_text()


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd is not installed")
def test_account_belongs_to_the_groups_of_all_devices(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    done = run("systemd-sysusers", f"--root={tmp_path}", SYSTEMD / "ludo-referee.sysusers")
    assert done.returncode == 0, done.stderr
    members = {line.split(":")[0]: line.split(":")[3] for line in (tmp_path / "etc/group").read_text().splitlines()}
    groups = re.search(r"^SupplementaryGroups=(.+)$", UNIT.read_text(), re.MULTILINE)
    assert groups is not None
    assert all(members[group] == "ludo-referee" for group in groups[1].split())
    assert "ludo-referee:" in (tmp_path / "etc/passwd").read_text()


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_installer_has_no_faults_shellcheck_knows() -> None:
    done = run("shellcheck", SYSTEMD / "install.sh")
    assert done.stdout == ""
