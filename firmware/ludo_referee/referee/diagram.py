"""The transition table as a picture and a list for firmware/README.md.

`python -m ludo_referee.referee.diagram README.md` writes them between the file's markers; a test holds that they are there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .state import Phase
from .transitions import EVERYWHERE, TABLE

BEGIN, END = "<!-- transitions: made by ludo_referee.referee.diagram -->", "<!-- end of transitions -->"


def picture() -> str:
    """A Mermaid state diagram. Questions go back to where they came from, and what happens in every phase is left to the list."""
    labels: dict[tuple[Phase, Phase], list[str]] = {}
    for (phase, trigger), transition in TABLE.items():
        if phase is not Phase.CHOOSING and trigger not in EVERYWHERE:
            for to in transition.leads:
                if to is not phase:
                    labels.setdefault((phase, to), []).append(trigger)
    labels[Phase.LOOKING, Phase.SETTING_UP] = ["board_found", *labels[Phase.LOOKING, Phase.SETTING_UP]]
    edges = [f"    {_name(phase)} --> {_name(to)}: {', '.join(triggers)}" for (phase, to), triggers in labels.items()]
    return "\n".join(["```mermaid", "stateDiagram-v2", f"    [*] --> {_name(Phase.LOOKING)}", *edges, "```"])


def _name(phase: Phase) -> str:
    return phase.value.replace(" ", "_")


def listing() -> str:
    """A table of what each event does, grouped by event and meaning."""
    phases: dict[tuple[str, str], list[str]] = {}
    for (phase, trigger), transition in TABLE.items():
        phases.setdefault((trigger, transition.what), []).append(phase.value)
    rows = []
    for (trigger, what), where in phases.items():
        rows.append(f"| {trigger} | {'any' if len(where) == len(Phase) else ', '.join(where)} | {what} |")
    return "\n".join(["| event | in phase | what it does |", "|---|---|---|", *rows])


def section() -> str:
    """The whole section between the markers, markers included."""
    return "\n".join([BEGIN, picture(), "", listing(), END])


def renewed(text: str) -> str:
    """A file's text with the section between the markers drawn afresh. Raises ValueError without markers."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the text has no section between {BEGIN} and {END}")
    return before + section() + after


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(renewed(file.read_text("utf-8")), "utf-8")
