"""The simulated table in real time: a visitor of the page presses the button and drags tokens, or the table plays by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import msgspec

from ludo_hardware.simulated import SimulatedButton
from ludo_hardware.simulated_table import Point

from ..die import Revealed
from ..gestures import Finger, feel
from ..locale import message, words
from ..referee.events import PageAt
from ..referee.places import where
from ..rules.board import load_board
from ..rules.board_file import BUILT_IN
from ..web.feed import Feed, Request
from ..web.page import serve
from ..web.sink import PageSink
from .drawn_board import look_of
from .evening import TICKS_A_SECOND, DemoOptions, Evening, Reader
from .tabletop import Piece

MAY_ASK = frozenset({"button", "take", "carry", "put", "back", "who", "new"})
TITLES = {
    "ludo15": message("Ludo"), "ludo15-home4": message("Ludo, four home squares"), "madn11": message("Mensch ärgere dich nicht"),
    "parchis68": message("Parchís"),
}  # fmt: skip
SEEDED = message("This table's die follows a seed and can be repeated")
WHO = ("all", "others", "none")
AGAIN_S = 12.0  # after a game that played by itself, the next begins
QUALITY = 88
SHORTEST_PRESS_S = 0.06  # a program's click is quicker than any finger, and than the contacts' bounce
CARRIED = 0.7  # a token in the hand is so many squares up


class LiveTable:
    """Owns the evening under way. All of it runs in the thread that calls `run`; pages talk to it through the feed."""

    def __init__(
        self, options: DemoOptions, feed: Feed, language: str = "en", who: str = "all",
        reader: Callable[[Evening], Reader] | None = None, reveal: Callable[[Revealed], None] = lambda revealed: None,
    ) -> None:  # fmt: skip
        """`reveal` is given each game's pledged die when the game is left."""
        self._options, self._feed, self._language, self._who, self._reader = options, feed, language, who, reader
        self._reveal = reveal
        self._number = 0
        self._button = SimulatedButton()
        self._button.listen(self._edge)
        self.url: str | None = None  # of the page; the display shows it
        self._pressed_t = 0.0
        self._finger = Finger()
        self._held: tuple[Piece, Point, int | None] | None = None  # with where it was taken from
        self._over_t: float | None = None
        self._shown = 0
        self._set_up(options)

    def run(self, stop: threading.Event) -> None:
        """Go on until told to stop, ten times a second as far as the machine can."""
        while not stop.is_set():
            began = time.monotonic()
            self.step(began - self.begun)
            stop.wait(max(0.0, 1 / TICKS_A_SECOND - (time.monotonic() - began)))
        self._leave_die()

    def step(self, t: float) -> None:
        """Everything that is due at a second since the table was set up."""
        while not self._feed.requests.empty():
            self._answer(self._feed.requests.get())
        self._hear(t, self._button.pressed())
        evening = self._evening
        if self.url is not None and evening.session.state.url != self.url:
            evening.session.happen(PageAt(t, self.url))
        evening.advance(t)
        self._sink.refresh(t)
        self._look_after(t)
        if evening.pictures != self._drawn:
            self._show_picture()
        self._sink.show(evening.session.state)
        self._feed.publish("state", self._state())

    # --- the visitor -----------------------------------------------------------------------------------------------------

    def _answer(self, request: Request) -> None:
        """Carry a request out; one that makes no sense (a stale page) changes nothing."""
        values, tabletop = request.values, self._evening.tabletop
        match request.name:
            case "button":
                self._push(bool(values.get("pressed")), request.t - self.begun)
            case "take":
                number = values.get("id")
                if self._held is None and isinstance(number, int) and 0 <= number < len(self._pieces):
                    self._take(self._pieces[number])
            case "carry" | "put" if self._held is not None:
                point = self._point(values)
                if point is not None and request.name == "carry":
                    tabletop.carry(self._held[0], *point, CARRIED)
                    self._redraw(self._held[0])
                elif point is not None:
                    tabletop.put_down(self._held[0], point)
                    self._let_go()
            case "back" if self._held is not None:
                piece, point, place = self._held
                tabletop.put_at(piece, point)
                piece.place = place
                self._let_go()
            case "who" if values.get("who") in WHO:
                self._who = str(values["who"])
                self._seat_players()
                self._evening.autoplayer.resume(self._evening.session.state.game)
            case "new":
                self._new_game(values.get("board"))

    def _take(self, piece: Piece) -> None:
        if piece.place is None and not self._free(piece):
            return
        self._held = piece, (piece.x, piece.y), piece.place
        self._evening.tabletop.lift(piece, CARRIED)
        self._redraw(piece)

    def _redraw(self, piece: Piece) -> None:
        self._evening.hands.hold(piece)
        self._evening.redraw()

    def _let_go(self) -> None:
        self._held = None
        self._evening.hands.let_go()
        self._evening.redraw()

    def _free(self, piece: Piece) -> bool:
        """A token that stands: on a place, or beside the board."""
        return piece.lift < 0.5 and (self._held is None or self._held[0] is not piece)

    def _point(self, values: dict[str, object]) -> Point | None:
        """The board point under the pixel that a page sent."""
        x, y = values.get("x"), values.get("y")
        camera = self._evening.table.look.camera
        if isinstance(x, int | float) and isinstance(y, int | float) and 0 <= x < camera.width and 0 <= y < camera.height:
            return self._evening.table.under((float(x), float(y)))
        return None

    def _push(self, pressed: bool, t: float) -> None:
        if pressed:
            self._pressed_t = t
            self._button.press(t)
        else:
            self._button.release(max(t, self._pressed_t + SHORTEST_PRESS_S))

    def _edge(self, t: float, pressed: bool) -> None:
        self._hear(t, pressed)

    def _hear(self, t: float, pressed: bool) -> None:
        self._finger, heard = feel(self._finger, t, pressed)
        for _, gesture in heard:
            self._evening.press(gesture)

    # --- the table -------------------------------------------------------------------------------------------------------

    def _set_up(self, options: DemoOptions) -> None:
        """A table for a new game, with a clock that begins anew."""
        board = load_board(options.board)
        self._feed.clear_log()
        self._sink = PageSink(self._feed, board, self._language, die="" if options.pledged else words(self._language)(SEEDED))
        self._evening = Evening(options, [self._sink], number=self._number, reader=self._reader)
        self.begun = time.monotonic()  # the table's second 0
        self._options = options
        self._pieces = list(self._evening.tabletop.pieces)
        self._finger, self._held, self._over_t = Finger(), None, None
        self._drawn = 0
        self._seat_players()

    def _leave_die(self) -> None:
        die = self._evening.die
        if die is not None and die.thrown:
            self._reveal(die.reveal())

    def _new_game(self, board: object) -> None:
        self._leave_die()
        self._number += 1
        wanted = board if isinstance(board, str) and board in BUILT_IN else self._options.board
        preset = self._options.preset if wanted == self._options.board else None
        look = self._options.look
        if look is not None and wanted != self._options.board:
            look = replace(look_of(load_board(wanted), self._options.seed), camera=look.camera)
        self._set_up(replace(self._options, board=wanted, preset=preset, look=look))

    def _seat_players(self) -> None:
        """Which seats the table plays by itself."""
        players = self._evening.game.players
        people = {"all": (), "others": tuple(players[:1]), "none": tuple(players)}[self._who]
        self._evening.autoplayer.seats = frozenset(players) - frozenset(people)

    def _look_after(self, t: float) -> None:
        """What the players cannot do for themselves: find back when they are lost, begin anew after a game."""
        player = self._evening.autoplayer
        if player.stuck and not self._evening.hands.busy:
            player.resume(self._evening.session.state.game)
        if player.over and self._who == "all":
            self._over_t = t if self._over_t is None else self._over_t
            if t - self._over_t > AGAIN_S:
                self._new_game(None)

    def _show_picture(self) -> None:
        self._drawn = self._evening.pictures
        self._shown += 1
        _, jpeg = cv2.imencode(".jpg", self._evening.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        self._feed.publish_picture(jpeg.tobytes(), self._shown)

    def _state(self) -> dict[str, object]:
        """What only a simulated table has: who plays, which boards there are, and tokens that can be dragged."""
        spoken = words(self._language)
        boards = [[name, spoken(TITLES[name])] for name in BUILT_IN]
        return {"who": self._who, "board": self._evening.board.name, "boards": boards, "tokens": self._tokens()}

    def _tokens(self) -> list[dict[str, object]]:
        evening, spoken = self._evening, words(self._language)
        standing = {id(piece): token for piece, token in zip(evening.tabletop.pieces, evening.tabletop.tokens(), strict=True)}
        marks = evening.table.marks([standing[id(piece)] for piece in self._pieces])
        found: list[dict[str, object]] = []
        for number, (piece, mark) in enumerate(zip(self._pieces, marks, strict=True)):
            step = evening.tabletop.step_of(piece)
            place = None if step is None else where(evening.board, piece.seat, step)
            found.append({
                "id": number, "colour": str(spoken.colour(evening.board.seats[piece.seat].colour)),
                "where": "" if place is None else str(spoken.place(place.kind, place.number)), "free": self._free(piece),
                "foot": [round(mark.foot[0], 1), round(mark.foot[1], 1)], "head": [round(mark.head[0], 1), round(mark.head[1], 1)],
            })  # fmt: skip
        return found


def serve_demo(options: DemoOptions, host: str, port: int, *, language: str, who: str, ready: Callable[[str], None]) -> None:
    """The page with a table behind it until the process is interrupted; pledged dice are revealed on the console, a line a game, as
    `ludo-referee die verify` reads them. Raises LudoError when the port cannot be had."""
    feed, stop, failed = Feed(), threading.Event(), list[BaseException]()
    table = LiveTable(options, feed, language, who, reveal=lambda revealed: print(msgspec.json.encode(revealed).decode(), flush=True))

    def run() -> None:
        try:
            table.run(stop)
        except BaseException as error:  # handed to the thread that serves, which ends with it
            failed.append(error)
            feed.close()

    def listening(url: str) -> None:
        table.url = url
        ready(url)

    thread = threading.Thread(target=run, name="table")
    thread.start()
    try:
        serve(feed, host, port, may_ask=MAY_ASK, ready=listening)
    finally:
        stop.set()
        thread.join()
    if failed:
        raise failed[0]
