"""Whether throws look like those of a fair die: Pearson's χ² and how often a fair die gives a larger one."""

from __future__ import annotations

import math
from collections.abc import Sequence

ENOUGH_A_FACE = 5  # the usual least expected count for the χ² approximation


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's χ² of the counts of each face against equal chances; 0 without throws."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def probability(counts: Sequence[int]) -> float | None:
    """How often a fair die gives a χ² at least as large, 0 … 1; None with fewer than five expected throws a face."""
    if sum(counts) < ENOUGH_A_FACE * len(counts):
        return None
    return upper_tail(chi_square(counts), len(counts) - 1)


def upper_tail(value: float, freedom: int) -> float:
    """P(χ² ≥ value) with so many degrees of freedom, by the recursion Q(a + 1, x) = Q(a, x) + xᵃ e⁻ˣ / Γ(a + 1)
    (Abramowitz and Stegun 6.5.21, 26.4.19)."""
    x = value / 2
    if x <= 0:
        return 1.0
    a, tail = (0.5, math.erfc(math.sqrt(x))) if freedom % 2 else (1.0, math.exp(-x))
    while a < freedom / 2:
        tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return tail
