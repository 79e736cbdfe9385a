"""Values of variables: sequences of words that agree where they share a form at each place.

To agree is no equivalence: `a` may agree with `b`, and `b` with `c`, while `a` and `c` do not. So values are
numbered, and the pairs of a variable's values that agree are found once, by a join on the forms at the first
place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse  # type: ignore[import-untyped]

from whence.structures.words import Word

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Forms = tuple[tuple[str, ...], ...]
"""At each place the one or two forms that a word is known by, the lemma first."""


class Values:
    """Numbers for values, in the order in which they are met."""

    def __init__(self) -> None:
        self._numbers: dict[Forms, int] = {}
        self._forms: list[Forms] = []
        self._form_numbers: dict[str, int] = {}

    def number(self, words: Sequence[Word]) -> int:
        """The number of the value that these words make."""
        return self._number(tuple((word.lemma, word.written) for word in words))

    def text(self, number: int) -> str:
        """The lemmas of a value."""
        return " ".join(forms[0] for forms in self._forms[number])

    def meet(self, first: int, second: int) -> int:
        """What two values share, place by place; the first itself unless they are as long and share a form."""
        left, right = self._forms[first], self._forms[second]
        if len(left) != len(right):
            return first
        shared = [tuple(form for form in one if form in two) for one, two in zip(left, right, strict=True)]
        return self._number(tuple(filter(None, shared))) if any(shared) else first

    def by_length(self, numbers: Integers) -> dict[int, tuple[Integers, Integers]]:
        """Values of each length: their places in `numbers`, and their forms as numbers, (value, place, 2)."""
        groups: dict[int, tuple[list[int], list[list[tuple[int, int]]]]] = {}
        for place, number in enumerate(numbers.tolist()):
            forms = self._forms[number]
            places, found = groups.setdefault(len(forms), ([], []))
            places.append(place)
            found.append([(self._form(word[0]), self._form(word[-1])) for word in forms])
        return {length: (np.array(places), np.array(found)) for length, (places, found) in groups.items()}

    def _number(self, forms: Forms) -> int:
        found = self._numbers.setdefault(forms, len(self._forms))
        if found == len(self._forms):
            self._forms.append(forms)
        return found

    def _form(self, form: str) -> int:
        return self._form_numbers.setdefault(form, len(self._form_numbers))


class Agreement:
    """Which values of one variable agree. A value is called by its place in `numbers`, plus 1; 0 is no value."""

    def __init__(self, values: Values, numbers: Integers) -> None:
        self.numbers = np.unique(numbers)
        self.size = len(self.numbers) + 1
        left, right = _agreeing(values, self.numbers)
        ones = np.ones(len(left), dtype=np.int32)
        self.pairs = sparse.csr_array((ones, (left + 1, right + 1)), shape=(self.size, self.size))
        self._keys = np.unique(np.append((left + 1) * self.size + right + 1, 0))

    def places(self, numbers: Integers) -> Integers:
        """The places of values, plus 1; 0 for numbers below 0, which are no value."""
        return np.where(numbers < 0, 0, np.searchsorted(self.numbers, numbers) + 1)

    def agree(self, left: Integers, right: Integers) -> Booleans:
        """Whether values agree, pair by pair; no value agrees with no value only."""
        keys = left * self.size + right
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.asarray(self._keys[found] == keys)


def _agreeing(values: Values, numbers: Integers) -> tuple[Integers, Integers]:
    """All ordered pairs of places of values that agree."""
    pairs = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]
    for length, (places, forms) in values.by_length(numbers).items():
        if length:
            holders = np.repeat(np.arange(len(places)), 2)
            first = forms[:, 0, :].ravel()
            shape = (len(places), int(first.max()) + 1)
            holds = sparse.csr_array((np.ones(len(first), dtype=np.int32), (holders, first)), shape=shape)
            left, right = (holds @ holds.T).nonzero()
            shared = (forms[left][:, :, :, None] == forms[right][:, :, None, :]).any(axis=(2, 3)).all(axis=1)
            pairs.append((places[left[shared]], places[right[shared]]))
    return np.concatenate([left for left, _ in pairs]), np.concatenate([right for _, right in pairs])
