"""Workers for the tests of the camera's process; it imports them by name in an interpreter of its own."""

import os
import signal
import sys
from multiprocessing.connection import Connection


def echo(connection: Connection, greeting: str) -> None:
    """Greet, then send back what comes."""
    connection.send(greeting)
    while True:
        connection.send(connection.recv())


def imported(connection: Connection) -> None:
    """Which of the heavy modules this interpreter has."""
    connection.send(sorted({"numpy", "cv2", "ludo_referee"} & set(sys.modules)))
    connection.recv()


def fail(connection: Connection) -> None:
    raise OSError("the camera is used by another program: stop that")


def blunder(connection: Connection) -> None:
    connection.send("begun")
    raise KeyError("slot")


def killed(connection: Connection) -> None:
    connection.send("begun")
    os.kill(os.getpid(), signal.SIGKILL)


def mute(connection: Connection) -> None:
    """A camera that hangs at once."""
    signal.pause()


def hang(connection: Connection) -> None:
    """A camera that hangs after the first picture, in the middle of telling so."""
    connection.send("begun")
    os.write(connection.fileno(), b"\x00\x00\x10\x00")  # the length of a message that does not follow
    signal.pause()
