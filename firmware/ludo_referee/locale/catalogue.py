"""Reads gettext .po files, so that a text is mended by editing one file, with nothing to build."""

from __future__ import annotations

import ast
import gettext
import struct
from collections.abc import Iterable, Mapping
from io import BytesIO

from ..errors import LudoError

CONTEXT_GLUE = "\x04"  # between context and message in a compiled catalogue (gettext manual, "The Format of GNU MO Files")
PLURAL_GLUE = "\x00"


class CatalogueError(LudoError, ValueError):
    """A .po file cannot be read; the text names file, line and fault."""


def parse(text: str, name: str = "catalogue") -> dict[str, str]:
    """Message key → translation of a .po file, keys and plural forms glued as in a compiled catalogue.

    Untranslated, fuzzy and obsolete entries are left out, as msgfmt does. Raises CatalogueError.
    """
    messages: dict[str, str] = {}
    fields: dict[str, str] = {}
    fuzzy = False
    keyword = ""

    def close() -> None:
        nonlocal fields, fuzzy
        forms = [fields[key] for key in sorted(fields) if key.startswith("msgstr")]
        if "msgid" in fields and forms and all(forms) and not fuzzy:
            key = fields["msgid"]
            if "msgid_plural" in fields:
                key += PLURAL_GLUE + fields["msgid_plural"]
            if "msgctxt" in fields:
                key = fields["msgctxt"] + CONTEXT_GLUE + key
            if key in messages:
                raise CatalogueError(f"{name}: the message {fields['msgid']!r} is there twice. Delete one.")
            messages[key] = PLURAL_GLUE.join(forms)
        fields, fuzzy = {}, False

    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                close()
                fuzzy = True
            continue
        if not line:
            continue
        if not line.startswith('"'):
            keyword, _, line = line.partition(" ")
            if keyword in ("msgctxt", "msgid") and any(key.startswith("msgstr") for key in fields):
                close()
            fields[keyword] = ""
        try:
            piece = ast.literal_eval(line.strip())
            fields[keyword] += piece
        except (SyntaxError, ValueError, KeyError, TypeError):
            raise CatalogueError(f"{name}, line {number}: {raw.strip()!r} is not a line of a .po file.") from None
    close()
    return messages


def compiled(messages: Mapping[str, str]) -> bytes:
    """The .mo form of the messages (version 0, little endian, no hash table), for `gettext.GNUTranslations`."""
    entries = [(key.encode(), value.encode()) for key, value in sorted(messages.items())]
    keys = _table([key for key, _ in entries], start=28 + 16 * len(entries))
    values = _table([value for _, value in entries], start=28 + 16 * len(entries) + sum(len(key) + 1 for key, _ in entries))
    head = struct.pack("<7I", 0x950412DE, 0, len(entries), 28, 28 + 8 * len(entries), 0, 0)
    blob = b"".join(text + b"\0" for column in zip(*entries, strict=True) for text in column)
    return head + keys + values + blob


def _table(texts: Iterable[bytes], start: int) -> bytes:
    table = b""
    for text in texts:
        table += struct.pack("<2I", len(text), start)
        start += len(text) + 1
    return table


def translations(text: str, name: str = "catalogue") -> gettext.GNUTranslations:
    """The standard library's catalogue object for a .po file's text."""
    return gettext.GNUTranslations(BytesIO(compiled(parse(text, name))))
