"""Every view has a screen, and every screen fits its display."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludo_referee import screens
from ludo_referee.referee import views as every_view
from ludo_referee.referee.views import Ready, ThrowCounts, ToRoll, View
from ludo_referee.screens.examples import EXAMPLES, FOUR, PLEDGE
from ludo_referee.screens.registry import SCREENS
from ludo_referee.screens.setup import HINTS


def test_every_view_class_has_a_screen_and_an_example() -> None:
    views = {kind for kind in vars(every_view).values() if isinstance(kind, type) and issubclass(kind, View) and kind is not View}
    assert views == set(SCREENS)
    assert views == {type(view) for view in EXAMPLES.values()}


@pytest.mark.parametrize("name", ["captured", "finished 1"])
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_flash_shows_the_picture_inverted_and_not_a_white_panel(name: str, size: tuple[int, int]) -> None:
    pictures = {picture.tobytes() for _, picture in screens.frames(EXAMPLES[name], size)[:6]}
    assert len(pictures) == 2
    one, other = pictures
    assert bytes(~byte & 0xFF for byte in one) == other


def test_nothing_flashes_faster_than_three_times_a_second() -> None:
    for name, view in EXAMPLES.items():
        film = screens.frames(view)
        shares = [sum(picture.histogram()[128:]) / (128 * 64) for _, picture in film]
        times = [sum(seconds for seconds, _ in film[:index]) for index in range(len(film))]
        jumps = [t for t, before, after in zip(times[1:], shares, shares[1:], strict=False) if abs(after - before) > 0.25]
        for first, third in zip(jumps, jumps[2:], strict=False):  # two jumps, there and back, are one flash
            assert third - first >= 1 / 3, name


def test_a_box_without_a_camera_always_says_what_is_to_be_done() -> None:
    view = EXAMPLES["no camera, move"]
    assert len({screens.draw(view, t=t).tobytes() for t in range(20)}) == 1


def test_die_stands_still_after_at_most_1_2_seconds_and_shows_no_face_early() -> None:
    film = screens.frames(EXAMPLES["rolled 5"])
    assert sum(seconds for seconds, _ in film) <= 1.2
    assert film[-1][1].tobytes() == screens.draw(EXAMPLES["rolled 5"], t=30.0).tobytes()
    assert all(picture.tobytes() != film[-1][1].tobytes() for _, picture in film[:-1])


@pytest.mark.parametrize("size", [(128, 64), (128, 32), (132, 64)])
@pytest.mark.parametrize("number", [88, 888])
def test_numbers_of_throws_stand_apart(size: tuple[int, int], number: int) -> None:
    view = ThrowCounts(tuple((seat, colour, (number,) * 6) for seat, colour in enumerate(FOUR)), 0.0, 1.0)
    picture = screens.draw(view, size)
    row = picture.crop((0, 22, size[0], 32) if size == (128, 32) else (0, 20, size[0], 30))
    empty = "".join(" " if row.crop((x, 0, x + 1, row.height)).getbbox() is None else "#" for x in range(row.width))
    assert len(re.split(" {2,}", empty.strip())) == 1 + 6  # the seat's shape and a number a face; two digits are one pixel apart


def test_next_change_leads_through_the_film_and_its_loop() -> None:
    view = EXAMPLES["ready classic"]
    assert isinstance(view, Ready)
    t, seen = 0.0, []
    pages = 3 + len(view.rules)
    for _ in range(2 * pages):
        seen.append(screens.draw(view, t=t).tobytes())
        change = screens.next_change(view, t)
        assert change is not None
        assert change > t
        assert screens.draw(view, t=change - 0.01).tobytes() == seen[-1]
        t = change
    assert seen[:pages] == seen[pages:]
    assert len(set(seen)) == pages


def test_a_still_picture_never_changes() -> None:
    assert screens.next_change(EXAMPLES["roll turn"], 5.0) is None
    assert screens.next_change(EXAMPLES["rolled 5"], 1.2) is None


def test_every_hint_of_vision_has_words() -> None:
    """The hints are strings between two rooms: what vision's source gives as hints is what the screen knows."""
    import ludo_vision.errors

    source = "".join(path.read_text(encoding="utf-8") for path in Path(ludo_vision.__file__).parent.glob("*.py"))
    assert ludo_vision.errors.BoardNotFound.__doc__ is not None
    given = set(re.findall(r'BoardNotFound\((?:[^()]|\([^()]*\))*?"([a-z_]+)"\)', source)) | set(re.findall(r'_Doubt\("([a-z_]+)"', source))
    documented = set(re.findall(r"[a-z]+(?:_[a-z]+)?(?=[,.])", ludo_vision.errors.BoardNotFound.__doc__.partition("one of ")[2]))
    assert {"too_dark", "corner_outside"} <= given
    assert given | documented <= set(HINTS)


def said(name: str, size: tuple[int, int]) -> str:
    """All that the display says of an example in one loop."""
    changes = SCREENS[type(EXAMPLES[name])].changes
    return " / ".join(text for t in (0.0, *changes) for text in screens.canvas_of(EXAMPLES[name], size, t).said)


@pytest.mark.parametrize("name", ["ready classic", "dice ready"])
@pytest.mark.parametrize("size", [(128, 64), (128, 32), (132, 64)])
def test_the_pledge_is_shown_before_the_first_throw(name: str, size: tuple[int, int]) -> None:
    assert f"{PLEDGE[:16]} {PLEDGE[16:32]}" in said(name, size)


@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_where_a_yard_cannot_be_counted_it_is_said_that_a_press_leads_on(size: tuple[int, int]) -> None:
    assert "Then press" in said("place unseen", size)
    assert "Then press" not in said("place some", size)
    assert "Then press" not in said("place none", size)


def test_seats_are_told_apart_without_colour() -> None:
    shapes = {screens.draw(ToRoll(seat, "red")).tobytes() for seat in range(4)}
    assert len(shapes) == 4


def test_a_view_without_a_screen_is_refused() -> None:
    with pytest.raises(LookupError, match="View"):
        screens.draw(View())
