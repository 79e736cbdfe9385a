"""What this package adds to other tasks: a metric, a method, and a generator for all of them."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from whence.errors import UsageError
from whence.metrics.metric import Metric, Scores, scores
from whence.models.generators import Reply, Request, Told, failed, untold
from whence.models.generators.choice import GeneratorPlugin, GeneratorSettings
from whence.progress import Report, unreported
from whence.structures.hypothesis import HypothesisPair
from whence.structures.results import Example, Label
from whence.tasks.dataset import AnyDataset
from whence.tasks.method import Explained, Method, Reason, Setup, TaskMethod
from whence.tasks.scoring import Answers, ScoringOptions, TaskMetrics
from whence_rationales.overlap import words

CONCEPT_F1 = Metric("concept_f1", "higher", (0.0, 1.0), "ours", "F1 of the concepts of the graph and of gold's")


def _concept_f1(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """Compare the concepts of graphs, however they are joined."""
    values: list[float | None] = []
    for example, answer in zip(dataset.examples, answers, strict=True):
        gold = {node for one in example.golds[:1] for node in one.graph.nodes}
        made = set(answer.explanation.graph.nodes) if answer and answer.explanation else set()
        values.append(2 * len(gold & made) / (len(gold) + len(made)) if gold else None)
    return [scores(CONCEPT_F1, values)]


CONCEPTS = TaskMetrics(api=1, task="explagraphs", score=_concept_f1)


@dataclass(frozen=True, slots=True)
class NoSettings:
    """There is nothing to set."""


class SharedWords:
    """Chooses the hypothesis that shares more words with the observations."""

    name = "shared words"

    def explain(
        self, examples: Sequence[Example[HypothesisPair, Label]], report: Report = unreported
    ) -> list[Explained]:
        """Choose for each example."""
        return [self._explain(example.inputs) for example in examples]

    def _explain(self, pair: HypothesisPair) -> Explained:
        observed = words(f"{pair.obs1} {pair.obs2}")
        first, second = (len(words(hypothesis) & observed) for hypothesis in (pair.hyp1, pair.hyp2))
        reason = Reason("words in common", because=(f"hypothesis 1: {first}, hypothesis 2: {second}",))
        return Explained(Label("1" if first >= second else "2"), (reason,))


def _make(_: NoSettings, __: Setup) -> SharedWords:
    return SharedWords()


SHARED_WORDS = TaskMethod(
    api=1,
    task="anli",
    method=Method("shared-words", "the hypothesis with more words of the observations", NoSettings, _make),
)


class Program:
    """A program of the user that gets the messages on its standard input, as JSON, and prints the answer."""

    def __init__(self, command: str, timeout: float) -> None:
        self.name, self._timeout = f"program {command}", timeout

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """Run the program once for each request."""
        replies = []
        for index, request in enumerate(requests):
            replies.append(self._reply(request))
            told(index, replies[-1])
        return replies

    def _reply(self, request: Request) -> Reply:
        messages = json.dumps([asdict(message) for message in request.messages])
        command = shlex.split(self.name.removeprefix("program "))
        try:
            done = subprocess.run(
                command, input=messages, capture_output=True, text=True, timeout=self._timeout, check=True
            )
        except subprocess.CalledProcessError as error:
            return failed(f"{command[0]} failed: {error.stderr.strip()[-200:]}")
        except (OSError, subprocess.SubprocessError) as error:
            return failed(str(error))
        return Reply(done.stdout)


def _program(settings: GeneratorSettings) -> Program:
    if not settings.model:
        raise UsageError("name the program: --set model=program:COMMAND")
    return Program(settings.model, settings.timeout)


PROGRAM = GeneratorPlugin(api=1, make=_program)
