"""Conclusions in the words of a model: one that learnt to conclude (head `conclusion`), or a language model."""

from __future__ import annotations

from collections.abc import Sequence

from whence.errors import DataError
from whence.files import digest_of
from whence.models.generators.embedded import LocalSettings, server
from whence.models.items import TextItem
from whence.tasks.entailment_trees.heads.wrong_steps import premises_text
from whence.tasks.entailment_trees.methods.written.writer import Writer, ended
from whence.tasks.entailment_trees.proof_automaton import WordsForm

_TASK = (
    "From the facts alone, write one short new sentence that must be true if they are true. Combine the facts "
    "into one statement; do not list them."
)
_EXAMPLES = (
    (("a trout is a kind of fish", "fish have gills"), "a trout has gills"),
    (("if an object is dropped, then gravity pulls it down", "Ana drops a cup"), "gravity pulls the cup down"),
    (("melting changes a solid into a liquid", "ice is a solid"), "melting changes ice into a liquid"),
    (("iron is a kind of metal", "copper is a kind of metal"), "iron and copper are both kinds of metal"),
    (("a plant needs light to grow", "there is no light in a cellar"), "a plant cannot grow in a cellar"),
    (
        ("friction causes the temperature of an object to rise", "rubbing two hands is a cause of friction"),
        "rubbing two hands causes their temperature to rise",
    ),
)
_TOKENS = 40


class TrainedWriter:
    """A writer of the head `conclusion`."""

    def __init__(self, writer: Writer) -> None:
        self.name = writer.name
        self._writer = writer

    def write(self, premises: Sequence[str]) -> list[str]:
        """The sentence that it finds most likely."""
        form = WordsForm()
        (verdict,) = self._writer.write([TextItem("", premises_text(premises))], lambda _: form)
        return [ended(form, verdict)]


class LanguageModelWriter:
    """A language model in a GGUF file, asked after a few examples; what stands before the premises is kept."""

    def __init__(self, settings: LocalSettings) -> None:
        self._settings = settings
        self.name = f"{settings.file.stem}@{digest_of(settings.file)[:8]}"

    def write(self, premises: Sequence[str]) -> list[str]:
        """The likeliest sentence."""
        request = {
            "prompt": f"{_TASK}\n\n{_examples()}{_question(premises)}",
            "max_tokens": _TOKENS,
            "temperature": 0,
            "stop": ["\n"],
            "cache_prompt": True,
        }
        document = server(self._settings).handle_completions(request)
        try:
            return [str(document["choices"][0]["text"]).strip().removesuffix(".")]
        except (KeyError, IndexError, TypeError):
            raise DataError(self._settings.file, expected="a sentence", found=str(document)[:200]) from None


def _examples() -> str:
    return "".join(f"{_question(premises)} {conclusion}\n\n" for premises, conclusion in _EXAMPLES)


def _question(premises: Sequence[str]) -> str:
    facts = "".join(f"- {premise}\n" for premise in premises)
    return f"Facts:\n{facts}Conclusion:"
