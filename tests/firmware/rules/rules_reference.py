"""A second engine, slow and plain, written from the rules alone: an oracle for the one that ships. It shares no code with it.

Boards are numbers, a position is {seat: [step, step, step, step]}, rules are a plain dictionary of every switch. Tokens walk square
by square, one token at a time.
"""

from __future__ import annotations

BOARDS = {  # length, starts, ring squares of a seat's way, home squares, a finish?, stars, the board's own safe squares (ring indices)
    "ludo15": (52, [0, 13, 26, 39], 51, 5, True, {8, 21, 34, 47}, {0, 13, 26, 39, 8, 21, 34, 47}),
    "ludo15-home4": (52, [0, 13, 26, 39], 51, 4, False, {8, 21, 34, 47}, {0, 13, 26, 39, 8, 21, 34, 47}),
    "madn11": (40, [0, 10, 20, 30], 40, 4, False, set(), set()),
    "parchis68": (68, [4, 21, 38, 55], 64, 7, True, {11, 28, 45, 62}, {n - 1 for n in (5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68)}),
}


class Reference:
    """Legal moves and turns on one board with one set of rules."""

    def __init__(self, rules, seats):
        self.rules = rules
        self.seats = sorted(seats)
        self.length, self.starts, self.ring, self.home, self.finish, stars, own_list = BOARDS[rules["board"]]
        self.last = self.ring + self.home - (0 if self.finish else 1)
        self.safe = {
            "none": set(), "stars": stars, "stars_starts": stars | set(self.starts), "board": own_list,
        }[rules["safe"]]

    # --- squares ------------------------------------------------------------------------------------------------------

    def square(self, seat, step):
        """The ring index under a step, or a name of its own for a square nobody else reaches."""
        if 0 <= step < self.ring:
            return (self.starts[seat] + step) % self.length
        return (seat, step)

    def standing(self, position, square):
        """(seat, step) of every token on a square."""
        return [(s, r) for s in self.seats for r in position[s] if r >= 0 and self.square(s, r) == square]

    def blocks(self, position, square):
        """The seats that have a block on a square."""
        if self.rules["own_landing"] != "block" or isinstance(square, tuple):
            return set()
        if square in self.safe and not self.rules["blocks_on_safe"]:
            return set()
        there = [s for s, _ in self.standing(position, square)]
        return {s for s in there if there.count(s) >= 2}

    def walk(self, step, count):
        """The steps a token touches, one after another; None if it runs out of squares."""
        touched, direction = [], 1
        if step == self.last:
            return None
        for _ in range(count):
            if step == self.last:
                if self.rules["overshoot"] != "bounce":
                    return None
                direction = -1
            step += direction
            if step < 0:
                return None
            touched.append(step)
        return touched

    # --- legal moves --------------------------------------------------------------------------------------------------

    def legal(self, position, seat, die=None, bonus=None, entered=True, arrivals=(), earned=False):
        """Sorted [(from, to, tokens, [(seat, step), …])]."""
        rules, own = self.rules, position[seat]
        value = bonus if die is None else die
        if die == 6 and -1 not in own:
            value = rules["six_value_all_out"]
        free = rules["bonus_passes_block"] and (die is None or earned)
        moves = []
        for r in sorted(set(own)):
            if r == -1:
                if die is not None and self.may_enter(die, entered):
                    moves.append(self.enter(position, seat, arrivals))
                continue
            moves.append(self.step(position, seat, r, value, die, free))
            if rules["pair_half"] and own.count(r) >= 2 and seat in self.blocks(position, self.square(seat, r)) and value % 2 == 0:
                moves.append(self.pair(position, seat, r, value // 2, die, free))
        moves = [m for m in moves if m is not None]
        for duty in (self.forced_entry, self.cleared_start, self.opened_block, self.captures):
            kept = [m for m in moves if duty(position, seat, die, m)]
            moves = kept or moves
        return sorted(moves)

    def may_enter(self, die, entered):
        fast = {"off": (), "any": (1, 2, 3, 4, 5, 6), "one_or_six": (1, 6)}[self.rules["fast_entry"]]
        return die in self.rules["entry"] or (not entered and die in fast)

    def enter(self, position, seat, arrivals):
        rules, square = self.rules, self.square(seat, 0)
        there = self.standing(position, square)
        mine = [t for t in there if t[0] == seat]
        foes = [t for t in there if t[0] != seat]
        if mine and rules["own_landing"] in ("forbidden", "preceding"):
            return None
        if self.blocks(position, square) - {seat}:
            return None
        room = rules["stack_max"] or 99
        if square not in self.safe or rules["enter_captures_on_safe"]:
            return (-1, 0, 1, foes) if len(mine) + 1 <= room else None
        if foes and rules["safe_landing"] == "forbidden":
            return None
        if len(there) < room:
            return (-1, 0, 1, [])
        if rules["full_start_sends_home"] and foes and len(there) == room:
            seats = [s for s, _ in foes]
            order = [s for s in arrivals if s in seats] or seats
            return (-1, 0, 1, [next(t for t in foes if t[0] == order[-1])])
        return None

    def wall(self, position, seat, step, die, free):
        """Whether a token of the seat may not go on over this step of its way."""
        rules = self.rules
        if not self.finish and not rules["home_jump"] and step >= self.ring and step in position[seat]:
            return True
        if free or rules["block_pass"] == "always" or (die == 6 and rules["block_pass"] in ("six", "six_or_one")):
            return False
        owners = self.blocks(position, self.square(seat, step))
        return bool(owners if rules["block_stops_owner"] else owners - {seat})

    def step(self, position, seat, r, value, die, free):
        rules, own = self.rules, list(position[seat])
        own.remove(r)
        rest = {**position, seat: own}
        if die == 1 and rules["block_pass"] == "six_or_one" and r + 1 < self.ring and self.wall(position, seat, r + 1, die, free):
            touched = [r + 2]
        else:
            touched = self.walk(r, value)
        if touched is None:
            return None
        target = touched[-1]
        shares = rules["own_landing"] in ("stack", "block") or (self.finish and target == self.last)
        if target in own and not shares:
            if rules["own_landing"] == "forbidden":
                return None
            while target in own and target != r:
                target -= 1
                touched.append(target)
            if target == r or target < 0:
                return None
            if r + value <= self.last:
                touched = touched[: touched.index(target) + 1]
        between = [s for s in touched[:-1] if s not in (r, target)]
        if any(self.wall(position, seat, s, die, free) for s in between):
            return None
        return self.land(rest, seat, r, target, 1)

    def pair(self, position, seat, r, half, die, free):
        own = list(position[seat])
        own.remove(r)
        own.remove(r)
        touched = self.walk(r, half)
        if touched is None:
            return None
        target = touched[-1]
        if any(self.wall(position, seat, s, die, free) for s in touched[:-1] if s not in (r, target)):
            return None
        return self.land({**position, seat: own}, seat, r, target, 2)

    def land(self, rest, seat, r, target, tokens):
        """The move with its captures, the moving tokens already taken off the board."""
        rules, square = self.rules, self.square(seat, target)
        there = self.standing(rest, square)
        mine = [t for t in there if t[0] == seat]
        foes = [t for t in there if t[0] != seat]
        room = rules["stack_max"] or 99
        if target >= self.ring:
            if self.finish and target == self.last:
                return (r, target, tokens, [])
            return (r, target, tokens, []) if len(mine) + tokens <= (room if self.finish else 1) else None
        if self.blocks(rest, square) - {seat}:
            strong = rules["pair_captures_pair"] and tokens == 2 and square not in self.safe
            if not strong or any([s for s, _ in foes].count(s) > 2 for s in self.seats):
                return None
        if square in self.safe:
            if foes and rules["safe_landing"] == "forbidden":
                return None
            return (r, target, tokens, []) if len(there) + tokens <= room else None
        return (r, target, tokens, foes) if len(mine) + tokens <= room else None

    # --- duties -------------------------------------------------------------------------------------------------------

    def forced_entry(self, position, seat, die, move):
        return self.rules["force_entry"] and move[0] == -1

    def cleared_start(self, position, seat, die, move):
        return self.rules["clear_start"] and -1 in position[seat] and move[0] == 0

    def opened_block(self, position, seat, die, move):
        if not self.rules["open_block_on_six"] or die != 6 or move[2] != 1 or move[0] < 0:
            return False
        return seat in self.blocks(position, self.square(seat, move[0]))

    def captures(self, position, seat, die, move):
        return self.rules["must_capture"] and bool(move[3])


class ReferenceGame:
    """A whole game by the table of turns. `step(die, choose)` rolls once; `choose(moves)` picks a legal move."""

    def __init__(self, rules, seats, turn, position=None):
        self.oracle = Reference(rules, seats)
        self.rules = rules
        first = [0] * rules["initial_on_start"] + [-1] * (4 - rules["initial_on_start"])
        self.position = {s: list(position[s]) if position else list(first) for s in sorted(seats)}
        self.entered = {s: any(r >= 0 for r in self.position[s]) for s in self.position}
        self.ranking = []
        self.arrivals = {}
        self.note_arrivals()
        self.over = False
        self.begin_turn(turn)

    def begin_turn(self, seat):
        self.turn = seat
        self.sixes = 0
        self.tries = self.rules["tries"] if not self.anything_in_play(seat) else 1
        self.open = (self.copy(), dict(self.entered), {k: list(v) for k, v in self.arrivals.items()})
        self.last_move = None
        self.why = set()

    def copy(self):
        return {s: list(p) for s, p in self.position.items()}

    def at_end(self, seat, r):
        if self.oracle.finish:
            return r == self.oracle.last
        return r >= self.oracle.ring and all(s in self.position[seat] for s in range(r + 1, self.oracle.last + 1))

    def anything_in_play(self, seat):
        return any(r >= 0 and not self.at_end(seat, r) for r in self.position[seat])

    def note_arrivals(self):
        for owner in self.position:
            square = self.oracle.square(owner, 0)
            there = [s for s, _ in self.oracle.standing(self.position, square)]
            order = []
            for s in [*self.arrivals.get(owner, []), *([owner] * there.count(owner)), *there]:
                if order.count(s) < there.count(s):
                    order.append(s)
            self.arrivals[owner] = order

    def legal(self, die=None, bonus=None):
        s = self.turn
        earned = bool(self.why & {"capture", "home"})
        return self.oracle.legal(self.position, s, die, bonus, self.entered[s], self.arrivals[s], earned)

    def next_seat(self):
        order = [s for s in sorted(self.position) if s > self.turn] + [s for s in sorted(self.position) if s <= self.turn]
        self.begin_turn(next(s for s in order if s not in self.ranking))

    def step(self, die, choose):
        rules, seat = self.rules, self.turn
        self.sixes = self.sixes + 1 if die == 6 else 0
        if self.sixes == 3 and rules["three_sixes"] in ("forfeit", "undo_turn", "last_home"):
            if rules["three_sixes"] == "undo_turn":
                self.position, self.entered, self.arrivals = self.open
            if rules["three_sixes"] == "last_home" and self.last_move and self.last_move[1] < self.oracle.ring:
                for _ in range(self.last_move[2]):
                    self.position[seat].remove(self.last_move[1])
                    self.position[seat].append(-1)
                self.note_arrivals()
            self.next_seat()
            return
        further = not (rules["three_sixes"] == "no_bonus" and self.sixes >= 3)
        moves = self.legal(die=die)
        if not moves:
            again = die == 6 and rules["six_bonus"] and rules["six_bonus_if_no_move"] and further
            self.why = {"six"}
            if not again and further and self.tries > 1 and not self.anything_in_play(seat):
                self.tries -= 1
                again, self.why = True, {"try"}
            if not again:
                self.next_seat()
            return
        why = {"six"} if die == 6 and rules["six_bonus"] else set()
        bonuses = []
        chosen, moving = choose(moves), die
        while True:
            why |= self.make(chosen, bonuses)
            if all(self.at_end(seat, r) for r in self.position[seat]):
                self.finish()
                return
            self.why |= {"capture"} if moving is None else set()
            while bonuses:
                bonus = bonuses.pop(0)
                moves = self.legal(bonus=bonus)
                if moves:
                    break
            else:
                break
            chosen, moving = choose(moves), None
        self.why = why
        if not why or not further:
            self.next_seat()

    def make(self, move, bonuses):
        rules, seat = self.rules, self.turn
        origin, target, tokens, captured = move
        self.tries = 1
        self.last_move = move
        for _ in range(tokens):
            self.position[seat].remove(origin)
            self.position[seat].append(target)
        for foe, r in captured:
            self.position[foe].remove(r)
            self.position[foe].append(-1)
        self.entered[seat] = self.entered[seat] or origin == -1
        self.note_arrivals()
        why = set()
        if captured and rules["capture_bonus"] == "roll":
            why.add("capture")
        home = target >= self.oracle.ring and self.at_end(seat, target)
        if home and rules["home_bonus"] == "roll":
            why.add("home")
        if rules["capture_bonus"] == "move":
            bonuses += [rules["capture_n"]] * len(captured)
        if home and rules["home_bonus"] == "move":
            bonuses += [rules["home_n"]] * tokens
        return why

    def finish(self):
        self.ranking.append(self.turn)
        left = [s for s in self.position if s not in self.ranking]
        if len(left) <= 1 or not self.rules["play_on"]:
            self.ranking += left if self.rules["play_on"] else []
            self.over = True
        else:
            self.next_seat()
