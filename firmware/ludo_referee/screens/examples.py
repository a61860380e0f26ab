"""A view of every class with the values it can have: the contact sheet shows them, the tests draw them in every language."""

from __future__ import annotations

from ..locale import LANGUAGES
from ..locale.broken_rules import RULES
from ..locale.house_rules import PRESETS, SWITCHES, VALUES
from ..referee.in_force import in_force
from ..referee.views import (
    Address,
    AgreeUndo,
    CannotSee,
    Captured,
    Choice,
    Choose,
    Dice,
    DieEntry,
    Displaced,
    FinishedSeat,
    Goodbye,
    Looking,
    MoveByHand,
    NoMove,
    NotKept,
    Over,
    PlaceTokens,
    Ready,
    RecordingMade,
    RestoreTable,
    ReturnToken,
    Rolled,
    SafeStart,
    Shaken,
    TakenBack,
    ThrowCounts,
    ToMove,
    ToRoll,
    View,
    Where,
    Wrong,
)
from ..rules.ruleset import PRESETS as PLAYED
from ..rules.ruleset import Rules
from .choosing import ANSWERS
from .play import WHY_NOT, WHY_ROLL
from .setup import HINTS
from .trouble import MEANWHILE, RECORDED, WHAT_HIDES, WHAT_IS_WRONG, WHY_BY_HAND

FOUR = ("red", "green", "yellow", "blue")
RANKING = ((2, "yellow"), (0, "red"), (3, "blue"), (1, "green"))

YARD, START, STAR, FINISH = Where("yard", 0, -1), Where("start", 0, 0), Where("star", 0, 8), Where("finish", 0, 56)
SQUARE, FAR, HOME = Where("square", 12, 11), Where("square", 48, 47), Where("home", 3, 53)
PLEDGE = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def _answers(question: str) -> tuple[Choice, ...]:
    return tuple(Choice(key.split()[1]) for key in ANSWERS if key.split()[0] == question)


NUMBERS = {"entry": ("6", "1_6", "5"), "tries": ("1", "3"), "stack_max": ("2", "16"), "six_value_all_out": ("6", "7", "12"),
           "capture_n": ("10", "20"), "home_n": ("10", "20"), "initial_on_start": ("0", "1")}  # fmt: skip


def _values(switch: str) -> tuple[Choice, ...]:
    words = [key.split()[1] for key in VALUES if key.startswith(switch + " ")]
    return tuple(Choice(key) for key in words or NUMBERS.get(switch, ("yes", "no")))


def _all(question: str, choices: tuple[Choice, ...]) -> dict[str, View]:
    return {f"{question} {choice.key}": Choose(question, choices, index) for index, choice in enumerate(choices)}


def _counted(seat: int, colour: str, rolled: int, moved: int) -> Wrong:
    places = (Where("square", step, step) for step in (10 + moved, 10 + rolled))
    return Wrong("wrong_count", seat, colour, Where("square", 10, 10), next(places), rolled, moved, rule="counted", due=next(places))


MOVES = (Choice("move", 0, "red", YARD, START), Choice("move", 0, "red", SQUARE, STAR), Choice("none"))

EXAMPLES: dict[str, View] = {
    "looking": Looking(),
    **{f"looking {hint}": Looking(hint) for hint in HINTS},
    "place none": PlaceTokens(FOUR, (0, 0, 0, 0)),
    "place some": PlaceTokens(FOUR, (4, 2, -1, None), "missing", 1),
    "place unseen": PlaceTokens(FOUR, (4, None, None, 0)),
    "place many": PlaceTokens(FOUR, (4, 2, 5, 4), "too_many", 2),
    "place stranger": PlaceTokens(FOUR, (4, 4, 4, 4), "stranger", 2),
    "place one": PlaceTokens(FOUR, (0, 0, 4, 0), "one_seat", 2),
    "place all": PlaceTokens(FOUR, (4, 4, 4, 4)),
    "restore": RestoreTable(2, "yellow"),
    "restore rolled": RestoreTable(2, "yellow", 4),
    "restore same": RestoreTable(0, "red", 6, same=True),
    "restore same next": RestoreTable(2, "yellow", same=True),
    "restore moved": RestoreTable(0, "red", 4, moved=(Displaced(2, "yellow", FAR, HOME), Displaced(0, "red", STAR, YARD))),
    **_all("restore", (Choice("put_back"), Choice("as_it_stands"))),
    **{f"ready {preset}": Ready(index % 4, FOUR[index % 4], preset, PLEDGE, in_force(Rules(**PLAYED.get(preset, {}))))
       for index, preset in enumerate(PRESETS)},
    "ready no pledge": Ready(1, "green", "classic"),
    "ready opening": Ready(0, "red", "classic", PLEDGE, in_force(Rules()), opening=True),
    "address": Address("http://192.168.178.123:8080"),
    "address name": Address("http://ludo.local:8080"),
    **{f"roll {why}": ToRoll(index % 4, FOUR[index % 4], why) for index, why in enumerate(WHY_ROLL)},
    "roll robot": ToRoll(2, "yellow", robot=True),
    **{f"shaken {colour}": Shaken(seat, colour) for seat, colour in enumerate(FOUR)},
    "safe start": SafeStart(),
    "die entry": DieEntry(0, "red", None),
    "die entry 3": DieEntry(2, "yellow", 3),
    **{f"rolled {value}": Rolled(value % 4, FOUR[value % 4], value) for value in range(1, 7)},
    "move": ToMove(0, "red", 4),
    "move one": ToMove(1, "green", 6, origins=(YARD,)),
    "move two": ToMove(2, "yellow", 5, origins=(STAR, FAR)),
    "move three": ToMove(3, "blue", 2, origins=(SQUARE, FAR, HOME)),
    "move four": ToMove(2, "yellow", 6, origins=(YARD, START, STAR, HOME)),
    "move only": ToMove(0, "red", 6, origins=(YARD,), only=(YARD, START)),
    "move only far": ToMove(2, "yellow", 3, origins=(FAR,), only=(FAR, HOME)),
    "move robot": ToMove(2, "yellow", 3, only=(STAR, FAR), robot=True),
    "move bonus": ToMove(0, "red", 20, bonus=True, origins=(SQUARE, FAR)),
    **{f"no move {why}": NoMove(index, FOUR[index], 6, why) for index, why in enumerate(WHY_NOT)},
    "no move again": NoMove(2, "yellow", 6, "no_move", again=True),
    "captured": Captured(0, "red", ((3, "blue"),)),
    "captured two": Captured(1, "green", ((2, "yellow"), (2, "yellow"))),
    "captured both": Captured(3, "blue", ((0, "red"), (1, "green"))),
    "return": ReturnToken(((3, "blue"),)),
    "return three": ReturnToken(((2, "yellow"), (2, "yellow"), (1, "green"))),
    "taken back": TakenBack(2, "yellow", 6),
    "wrong count +1": _counted(0, "red", 4, 5),
    "wrong count +3": _counted(2, "yellow", 2, 5),
    "wrong count -1": _counted(1, "green", 4, 3),
    "wrong count -2": _counted(3, "blue", 4, 2),
    "wrong count 20": _counted(2, "yellow", 4, 24),
    "wrong count, no way on": Wrong("wrong_count", 0, "red", SQUARE, FAR, 4, 2, rule="counted"),
    **{f"wrong {rule}": Wrong("blocked", 2, "yellow", SQUARE, FAR, 4, None, rule=rule) for rule in RULES},
    **{f"wrong {why}": Wrong(why, 2, "yellow", SQUARE, FAR, 4, None) for why in WHAT_IS_WRONG},
    "wrong two": Wrong("several_moved", 3, "blue", SQUARE, FAR, 4, None, 2),
    "wrong from yard": Wrong("wrong_token", 3, "blue", YARD, START, 4, None),
    "wrong unseen": Wrong("unclear_change", None, None, None, None, 4, None),
    **{f"hand {why}": MoveByHand(index, FOUR[index], FAR, YARD, 1, why) for index, why in enumerate(WHY_BY_HAND)},
    "hand many": MoveByHand(2, "yellow", HOME, STAR, 3, "compare"),
    "agree undo": AgreeUndo(2, "yellow"),
    **{f"hidden {what}": CannotSee(what) for what in WHAT_HIDES},
    "hidden, wait": CannotSee("camera_lost", 2, "yellow"),
    **{f"hidden, {doing}": CannotSee("camera_lost", 2, "yellow", doing) for doing in MEANWHILE},
    "no camera, move": CannotSee("no_camera", 2, "yellow", "move"),
    "hidden, robot": CannotSee("camera_lost", 2, "yellow", "move", (STAR, FAR)),
    **{f"recording {how}": RecordingMade(how) for how in RECORDED},
    "not kept": NotKept(),
    **_all("language", tuple(Choice(language) for language in LANGUAGES)),
    **_all("preset", tuple(Choice(preset) for preset in PRESETS)),
    "preset own": Choose("preset", (Choice("own"),), 0),
    **_all("rules", _answers("rules")),
    **_all("blind", _answers("blind")),
    **_all("start", _answers("start")),
    **_all("players", tuple(Choice(seats) for seats in ("0123", "02", "012", "23"))),
    **_all("dispute", _answers("dispute")),
    "dispute undo of": Choose("dispute", (Choice("go_on"), Choice("undo", 2, "yellow")), 1),
    **_all("reading", _answers("reading")),
    **_all("again", _answers("again")),
    **_all("power", _answers("power")),
    **{f"moved {index}": Choose("moved", MOVES, index) for index in range(len(MOVES))},
    "reading where": Choose("reading", (Choice("move", 2, "yellow", FAR, HOME), Choice("take_back", 2, "yellow", STAR, YARD)), 1),
    "moved single": Choose("moved", MOVES[:1], 0),
    **{name: view for switch in SWITCHES for name, view in _all(f"rule:{switch}", _values(switch)).items()},
    **{f"finished {place}": FinishedSeat(place - 1, FOUR[place - 1], place) for place in range(1, 5)},
    "over two": Over(RANKING[:2]),
    "over three": Over(RANKING[:3]),
    "over four": Over(RANKING),
    "throws two": ThrowCounts(((0, "red", (11, 9, 12, 8, 10, 13)), (2, "yellow", (9, 9, 9, 12, 11, 7))), 1.85, 0.87),
    "throws four": ThrowCounts(tuple((seat, FOUR[seat], (120, 99, 121, 98, 110, 133)) for seat in range(4)), 11.85, 0.037),
    "throws few": ThrowCounts(((0, "red", (1, 0, 2, 0, 0, 3)),), 0.0, None),
    "dice ready": Dice((), 6, PLEDGE),
    "dice ready 20": Dice((), 20),
    **{f"dice {count} of 6": Dice((6, 3, 5, 2)[:count], 6) for count in range(1, 5)},
    **{f"dice {count} of 20": Dice((20, 3, 17, 12)[:count], 20) for count in range(1, 5)},
    "good night": Goodbye(),
}
