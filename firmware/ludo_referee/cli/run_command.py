"""`ludo-referee run`: the table at work, with button, camera and display; what the service starts."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..config import Config
    from ..journal import Journal
    from ..notify import Notifier
    from ..starts import Starts

EXIT_BUSY = 75  # EX_TEMPFAIL of sysexits.h: another one is running
EXIT_POWER_OFF = 10  # the people switched the box off: the unit powers it down
SAFE_FOLDER = "safe-start"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    run_parser = commands.add_parser("run", help="referee at the table: button, camera and display")
    run_parser.add_argument("--config", type=Path, metavar="FILE", help="default: /etc/ludo-referee/config.toml, where it exists")
    run_parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve the table; after three starts that came to nothing, safely."""
    from ..config import Config, journal_folder
    from ..journal import JournalBusy
    from ..notify import Notifier
    from ..starts import Starts

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    notifier = Notifier()
    # Not where the configuration says, for that may be what is wrong. At a terminal people see what is wrong: nothing is counted.
    starts = Starts(journal_folder(Config())) if notifier.listening else None
    safe = starts.begin() if starts is not None else None
    if safe is not None:
        logging.warning("safe start, without camera and with the standard rules: three starts in a row came to nothing (%s). "
                        "Mend that, then: sudo systemctl reload ludo-referee", safe)  # fmt: skip
    try:
        status = _serve(arguments.config, notifier, starts, safe)
    except JournalBusy as error:
        print(f"ludo-referee: {error}", file=sys.stderr)
        status = EXIT_BUSY
    except Exception as error:
        if starts is not None:
            starts.failed(" ".join(str(error).split()) or type(error).__name__)
        raise
    if starts is not None:
        starts.complete()
    return status


def _serve(file: Path | None, notifier: Notifier, starts: Starts | None, safe: str | None) -> int:
    """Serve the table, with other configurations as they come; the exit status. Raises LudoError."""
    from ..app.beginning import new_opening
    from ..app.service import End, Service
    from ..config import SYSTEM_FILE, read_config
    from ..errors import LudoError
    from ..starts import safe_config

    config = read_config(file) if safe is None else safe_config(file or SYSTEM_FILE)
    journal = _journal(config, safe)
    try:
        while True:
            service = Service(config, journal, notifier, safe=safe, steady=starts.complete if starts is not None else lambda: None)
            for number, why in ((signal.SIGTERM, End.STOPPED), (signal.SIGINT, End.STOPPED), (signal.SIGHUP, End.RELOAD)):
                signal.signal(number, lambda *_, stop=service.stop, why=why: stop(why))
            end = service.run()
            if end is not End.RELOAD:
                return EXIT_POWER_OFF if end is End.POWER_OFF else 0
            notifier.reloading()
            try:
                other = read_config(file)
                new_opening(other)
            except LudoError as error:
                logging.warning("%s; the table goes on as it was", error)
                continue
            config = other
            if safe is not None:
                safe = None
                journal.close()
                journal = _journal(config, safe)
    finally:
        journal.close()


def _journal(config: Config, safe: str | None) -> Journal:
    """The journal; a safe start has one of its own, and leaves the game that was under way alone. Raises JournalBusy."""
    from ..config import journal_folder
    from ..journal import Journal

    folder = journal_folder(config)
    return Journal.open(folder if safe is None else folder / SAFE_FOLDER, config.journal.keep_games)
