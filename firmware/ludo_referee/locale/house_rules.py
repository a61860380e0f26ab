"""The house rules in plain words: presets, switches and their values, for the display, the page and the console."""

from __future__ import annotations

from . import Words, message

PRESETS = {
    "classic": message("Classic Ludo"),
    "family": message("Family Ludo"),
    "indian": message("Indian Ludo"),
    "indian_block": message("Indian Ludo with blocks"),
    "madn": message("Mensch ärgere dich nicht"),
    "parchis": message("Parchís"),
    "own": message("Our own rules"),
}

SWITCHES = {
    "entry": message("Leave the yard with"),
    "fast_entry": message("First token out faster"),
    "tries": message("Tries when all are in the yard"),
    "own_landing": message("Landing on an own token"),
    "stack_max": message("Tokens on one square"),
    "block_pass": message("Who may pass a block"),
    "block_stops_owner": message("A block stops its owner"),
    "blocks_on_safe": message("Blocks on safe squares"),
    "pair_half": message("Pairs move half an even roll"),
    "pair_captures_pair": message("A pair takes a pair"),
    "safe": message("Safe squares"),
    "safe_landing": message("Safe square with a stranger"),
    "enter_captures_on_safe": message("Entering takes on a safe start"),
    "full_start_sends_home": message("Entering clears a full start"),
    "overshoot": message("Too high a roll for home"),
    "home_jump": message("Jumping in the home column"),
    "force_entry": message("Must leave the yard"),
    "clear_start": message("Must clear the start"),
    "open_block_on_six": message("A six opens own blocks"),
    "six_value_all_out": message("A six counts, all tokens out"),
    "six_bonus": message("A six rolls again"),
    "six_bonus_if_no_move": message("Again even if a six cannot move"),
    "three_sixes": message("Three sixes in a row"),
    "capture_bonus": message("Reward for a capture"),
    "home_bonus": message("Reward for a token home"),
    "capture_n": message("Squares for a capture"),
    "home_n": message("Squares for a token home"),
    "bonus_passes_block": message("A reward passes blocks"),
    "must_capture": message("Must capture"),
    "take_back": message("Taking back"),
    "initial_on_start": message("Tokens on the start at first"),
    "play_on": message("Play on for 2nd to 4th"),
    "start_order": message("Who starts"),
}

VALUES = {
    "yes": message("yes"),
    "no": message("no"),
    "fast_entry off": message("no"),
    "fast_entry any": message("with any roll"),
    "fast_entry one_or_six": message("with 1 or 6"),
    "own_landing forbidden": message("forbidden"),
    "own_landing preceding": message("stop behind it"),
    "own_landing stack": message("stand together"),
    "own_landing block": message("make a block"),
    "block_pass never": message("nobody"),
    "block_pass six": message("a six"),
    "block_pass six_or_one": message("a six or a one"),
    "block_pass always": message("everybody"),
    "safe none": message("none"),
    "safe stars": message("stars"),
    "safe stars_starts": message("stars and starts"),
    "safe board": message("as printed"),
    "safe_landing coexist": message("stand together"),
    "safe_landing forbidden": message("forbidden"),
    "overshoot illegal": message("may not move"),
    "overshoot bounce": message("bounces back"),
    "three_sixes forfeit": message("third does not count"),
    "three_sixes undo_turn": message("whole turn is void"),
    "three_sixes last_home": message("last token to the yard"),
    "three_sixes no_bonus": message("no further roll"),
    "three_sixes off": message("no limit"),
    "capture_bonus none": message("nothing"),
    "capture_bonus roll": message("another roll"),
    "capture_bonus move": message("extra squares"),
    "home_bonus none": message("nothing"),
    "home_bonus roll": message("another roll"),
    "home_bonus move": message("extra squares"),
    "take_back off": message("no"),
    "take_back previous": message("last move"),
    "take_back whole_turn": message("whole turn"),
    "start_order highest": message("highest roll"),
    "start_order fixed": message("first seat"),
}


def preset_name(preset: str, words: Words) -> str:
    """The name people use for a preset; a preset of the family's own keeps its own name."""
    return words(PRESETS[preset]) if preset in PRESETS else preset


def switch_name(switch: str, words: Words) -> str:
    """What a switch is about, in a few words."""
    return words(SWITCHES[switch])


def value_name(switch: str, value: str, words: Words) -> str:
    """A switch's value in words; numbers as they are, several as `1_6`."""
    text = VALUES.get(f"{switch} {value}", VALUES.get(value))
    return words(text) if text else value.replace("_", ", ")
