"""What a person means with one button: taps and holds from a bouncing level. Pure: the levels and their times come in as values.

A press becomes a gesture when it is released, so that a stuck button never acts; a tap waits a moment for a second one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things take. A level counts when it has lasted longer than contacts bounce; a press of `stuck_s` is nobody's: the button
    is stuck, or something lies on it."""

    bounce_s: float = 0.03
    double_tap_s: float = 0.35
    hold_s: float = 2.0
    long_hold_s: float = 6.0
    stuck_s: float = 15.0


TIMING = Timing()

Heard = tuple[float, str]
"""A gesture: the second of its (last) release, and tap, double_tap, hold or long_hold."""


@dataclass(frozen=True, slots=True)
class Finger:
    """What is known of the button. A button that is down at the start counts only after it was seen up."""

    level: bool = True  # the newest raw level
    level_t: float = 0.0
    pressed: bool = True  # the level without bounces
    burst_t: float | None = None  # the first raw edge since `pressed` was last true to the level
    down_t: float | None = None  # when the present press began; None: not seen
    tapped_t: float | None = None  # a tap that may become a double tap

    def stuck(self, t: float, timing: Timing = TIMING) -> bool:
        """The button has been down for longer than anybody presses, or since before the start."""
        return self.pressed and (self.down_t is None or t - self.down_t >= timing.stuck_s)


def feel(finger: Finger, t: float, level: bool, timing: Timing = TIMING) -> tuple[Finger, tuple[Heard, ...]]:
    """What is known after the level was `level` (True: down) at `t` seconds, and the gestures that became certain.

    To be called at every edge, and now and then (while it is down about every 50 ms) with the level read from the pin: time alone makes
    gestures certain, and an edge that got lost is made good."""
    finger, heard = _settle(finger, t, timing)
    if level != finger.level:
        burst = t if finger.burst_t is None else finger.burst_t
        finger = replace(finger, level=level, level_t=t, burst_t=burst)
    if finger.tapped_t is not None and finger.burst_t is None and not finger.pressed and t - finger.tapped_t > timing.double_tap_s:
        heard = (*heard, (finger.tapped_t, "tap"))
        finger = replace(finger, tapped_t=None)
    return finger, heard


def certain_at(finger: Finger, timing: Timing = TIMING) -> float | None:
    """The second from which time alone makes something certain, when no further edge comes; None: nothing is in doubt."""
    if finger.burst_t is not None:
        return finger.level_t + timing.bounce_s
    if finger.tapped_t is not None and not finger.pressed:
        return finger.tapped_t + timing.double_tap_s
    return None


def pressing(finger: Finger, t: float, timing: Timing = TIMING) -> bool:
    """Whether a press is under way, or was let go a moment ago, that may yet be a tap. From its first edge on: people feel 30 ms."""
    if finger.pressed:
        return finger.down_t is not None and t - finger.down_t < timing.hold_s
    return finger.level or finger.tapped_t is not None


def _settle(finger: Finger, t: float, timing: Timing) -> tuple[Finger, tuple[Heard, ...]]:
    """Let a level that has lasted count."""
    if round(t - finger.level_t, 6) <= timing.bounce_s:
        return finger, ()
    began = finger.burst_t
    if finger.level == finger.pressed or began is None:
        return finger if began is None else replace(finger, burst_t=None), ()
    finger = replace(finger, pressed=finger.level, burst_t=None)
    return (replace(finger, down_t=began), ()) if finger.pressed else _release(finger, began, timing)


def _release(finger: Finger, t: float, timing: Timing) -> tuple[Finger, tuple[Heard, ...]]:
    """The press that ended at `t` as a gesture; a tap before it is one of its own or half of a double tap."""
    down_t, tapped_t = finger.down_t, finger.tapped_t
    finger = replace(finger, down_t=None, tapped_t=None)
    if down_t is None:
        return finger, ()
    earlier: tuple[Heard, ...] = () if tapped_t is None else ((tapped_t, "tap"),)
    length = t - down_t
    if length >= timing.hold_s:
        kind = "hold" if length < timing.long_hold_s else "long_hold"
        return finger, earlier if length >= timing.stuck_s else (*earlier, (t, kind))
    if tapped_t is not None and down_t - tapped_t <= timing.double_tap_s:
        return finger, ((t, "double_tap"),)
    return replace(finger, tapped_t=t), earlier
