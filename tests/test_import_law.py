"""The walls of the house: which room may import which."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIRMWARE = ROOT / "firmware" / "ludo_referee"
OURS = ("ludo_referee", "ludo_vision", "ludo_hardware")
WIRING = {"app", "cli", "demo", "web"}


def imports(path: Path, package_root: Path) -> set[str]:
    """Absolute names of all modules that a file imports, at any depth, type-checking blocks included."""
    package = path.relative_to(package_root).with_suffix("").parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level]
                module = ".".join((*base, *(node.module or "").split("."))).rstrip(".")
                found |= {module} if node.module else {f"{module}.{name.name}" for name in node.names}
            else:
                found.add(node.module or "")
    return found


def files(room: Path) -> list[Path]:
    found = sorted(room.rglob("*.py"))
    assert found, f"{room} has no code"
    return found


@pytest.mark.parametrize("path", files(FIRMWARE / "rules"), ids=lambda p: p.name)
def test_rules_import_nothing_but_rules_and_the_standard_library(path: Path) -> None:
    for name in imports(path, ROOT / "firmware"):
        top = name.split(".")[0]
        assert name.startswith("ludo_referee.rules") or name == "ludo_referee.errors" or top in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", files(FIRMWARE / "referee"), ids=lambda p: p.name)
def test_referee_imports_only_rules_and_the_standard_library(path: Path) -> None:
    for name in imports(path, ROOT / "firmware"):
        top = name.split(".")[0]
        allowed = ("ludo_referee.rules", "ludo_referee.referee", "ludo_referee.errors")
        assert name.startswith(allowed) or top in sys.stdlib_module_names, name


@pytest.mark.parametrize("room", ["vision/ludo_vision", "hardware/ludo_hardware"])
def test_vision_and_hardware_import_no_other_room(room: str) -> None:
    own = room.split("/")[1]
    for path in files(ROOT / room):
        for name in imports(path, ROOT / room.split("/")[0]):
            top = name.split(".")[0]
            assert top == own or top not in OURS, f"{path.name} imports {name}"


def test_only_the_wiring_knows_vision_and_hardware() -> None:
    for path in files(FIRMWARE):
        room = path.relative_to(FIRMWARE).parts[0].removesuffix(".py")
        if room not in WIRING:
            for name in imports(path, ROOT / "firmware"):
                assert not name.startswith(("ludo_vision", "ludo_hardware")), f"{path.relative_to(ROOT)} imports {name}"


def test_the_parent_process_imports_neither_numpy_nor_opencv() -> None:
    import subprocess

    code = "import ludo_referee.app, ludo_referee.cli, sys; print([m for m in ('numpy', 'cv2') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
