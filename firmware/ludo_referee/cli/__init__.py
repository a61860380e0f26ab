"""The command `ludo-referee`. Each module beside this one adds its commands; heavy imports wait until a command runs."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import sys
from collections.abc import Sequence

COMMAND_MODULES = (
    "demo_command",
    "run_command",
    "replay_command",
    "look_command",
    "rules_commands",
    "die_command",
    "records_commands",
    "config_command",
    "doctor_command",
)

EXIT_BAD_INPUT = 2


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    whole = argparse.ArgumentParser(prog="ludo-referee", description="A referee for your own Ludo board.")
    whole.add_argument("--version", action="version", version=importlib.metadata.version("ludo-referee"))
    commands = whole.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMAND_MODULES:
        importlib.import_module(f"{__name__}.{name}").add(commands)
    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 2 for input that cannot be used, after one line on stderr that names it."""
    arguments = parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not _is_ours(error):
            raise
        print(f"ludo-referee: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT


def _is_ours(error: Exception) -> bool:
    """Whether an error was raised on purpose, for the person at the keyboard. The rooms' bases are looked up, not imported: a command
    that never touched vision or hardware must not load them for its error."""
    bases = (("ludo_referee.errors", "LudoError"), ("ludo_vision.errors", "VisionError"), ("ludo_hardware.ports", "DeviceError"))
    return any(module in sys.modules and isinstance(error, getattr(sys.modules[module], name)) for module, name in bases)
