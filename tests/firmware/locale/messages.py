"""All messages that stand in the program, found in its source."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

import ludo_referee
from ludo_referee.locale import COLOUR_CASES, COLOURS, PLACE_NAMES, PLACES

PROGRAM = Path(ludo_referee.__file__).parent


class Message(NamedTuple):
    context: str
    text: str
    plural: str
    where: str

    @property
    def key(self) -> str:
        """As in a compiled catalogue."""
        text = f"{self.text}\0{self.plural}" if self.plural else self.text
        return f"{self.context}\x04{text}" if self.context else text


def in_source() -> list[Message]:
    """Texts given to `message(…)`, `words(…)` and `….count(one, many, …)`."""
    found = []
    for path in sorted(PROGRAM.rglob("*.py")):
        where = str(path.relative_to(PROGRAM))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant) and isinstance(argument.value, str)]
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
                if name in ("message", "words") and len(texts) == 1 and texts[0] not in ("en", "id"):
                    found.append(Message("", texts[0], "", where))
                elif name == "count" and len(texts) == 2:
                    found.append(Message("", texts[0], texts[1], where))
    return found


def in_tables() -> list[Message]:
    """Colours in their cases, places and ranks: messages with a context."""
    found = [Message(f"colour {case}".strip(), colour, "", "locale") for case in COLOUR_CASES for colour in COLOURS]
    found += [Message(f"place {case}".strip(), name, "", "locale") for case, names in PLACE_NAMES.items() for name in names.values()]
    return found + [Message("rank", rank, "", "locale") for rank in PLACES]


def everything() -> dict[str, Message]:
    """Every message once, by its key."""
    return {found.key: found for found in in_source() + in_tables()}
