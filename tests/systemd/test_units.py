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
STANDARD_UNITS = ("basic", "sysinit", "multi-user", "shutdown")

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The little of a system that `systemd-analyze verify` looks at, with our unit and a program where it wants one."""
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    for name in STANDARD_UNITS:
        (units / f"{name}.target").write_text("[Unit]\nDefaultDependencies=no\n")
    for program in re.findall(r"^Exec\w+=\+?(/\S+)", UNIT.read_text(), re.MULTILINE):
        path = tmp_path / program.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    shutil.copy(UNIT, units)
    return tmp_path


@needs_systemd
def test_verify_prints_nothing(image: Path) -> None:
    done = run("systemd-analyze", "verify", f"--root={image}", UNIT.name)
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


@needs_systemd
def test_verify_would_print_a_misspelt_key(image: Path) -> None:
    unit = image / "etc/systemd/system" / UNIT.name
    unit.write_text(unit.read_text().replace("WatchdogSec", "WatchDogSecs"))
    assert "WatchDogSecs" in run("systemd-analyze", "verify", f"--root={image}", UNIT.name).stderr


@needs_systemd
def test_exposure_is_at_most_1_3() -> None:
    done = run("systemd-analyze", "security", "--offline=true", "--no-pager", UNIT)
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure is not None, done.stderr
    assert float(exposure[1]) <= 1.3


def test_port_of_the_page_is_the_one_the_unit_allows() -> None:
    port = tomllib.loads((ROOT / "firmware/ludo_referee/defaults.toml").read_text())["page"]["port"]
    assert f"SocketBindAllow=tcp:{port}\n" in UNIT.read_text()
    service = ElementTree.parse(SYSTEMD / "ludo-referee.avahi").getroot().find("service")
    assert service is not None
    assert service.findtext("port") == str(port)


def test_start_is_never_given_up() -> None:
    text = UNIT.read_text()
    assert "StartLimitIntervalSec=0\n" in text
    assert "Restart=always\n" in text


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
