"""Every view has a screen, and every screen fits its display."""

from __future__ import annotations

import pytest

from ludo_referee import screens
from ludo_referee.referee import views as every_view
from ludo_referee.referee.views import View
from ludo_referee.screens.examples import EXAMPLES
from ludo_referee.screens.registry import SCREENS


def test_every_view_class_has_a_screen_and_an_example() -> None:
    views = {kind for kind in vars(every_view).values() if isinstance(kind, type) and issubclass(kind, View) and kind is not View}
    assert views == set(SCREENS)
    assert views == {type(view) for view in EXAMPLES.values()}


def test_a_view_without_a_screen_is_refused() -> None:
    with pytest.raises(LookupError, match="View"):
        screens.draw(View())
