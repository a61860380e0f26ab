"""`ludo-referee run`: the table at work, with button, camera and display; what the service starts."""

from __future__ import annotations

import argparse
import logging
import signal
from pathlib import Path

EXIT_BUSY = 75  # EX_TEMPFAIL of sysexits.h: another one is running
EXIT_POWER_OFF = 10  # the people switched the box off: the unit powers it down


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    run_parser = commands.add_parser("run", help="referee at the table: button, camera and display")
    run_parser.add_argument("--config", type=Path, metavar="FILE", help="default: /etc/ludo-referee/config.toml, where it exists")
    run_parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import sys

    from ..app.service import End, Service
    from ..config import ConfigError, journal_folder, read_config
    from ..journal import Journal, JournalBusy
    from ..notify import Notifier

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    config = read_config(arguments.config)
    notifier = Notifier()
    try:
        journal = Journal.open(journal_folder(config), config.journal.keep_games)
    except JournalBusy as error:
        print(f"ludo-referee: {error}", file=sys.stderr)
        return EXIT_BUSY
    try:
        while True:
            service = Service(config, journal, notifier)
            for number, why in ((signal.SIGTERM, End.STOPPED), (signal.SIGINT, End.STOPPED), (signal.SIGHUP, End.RELOAD)):
                signal.signal(number, lambda *_, stop=service.stop, why=why: stop(why))
            end = service.run()
            if end is not End.RELOAD:
                return EXIT_POWER_OFF if end is End.POWER_OFF else 0
            notifier.reloading()
            try:
                config = read_config(arguments.config)
            except ConfigError as error:
                logging.warning("%s; the table goes on as it was", error)
    finally:
        journal.close()
