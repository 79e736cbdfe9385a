"""A model that restates unread answers: what it restates is read and counted, what it makes up is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whence.files import dump_json
from whence.models.generators import Reply, Request
from whence.pipeline.reread import reread
from whence.pipeline.score import score
from whence.structures.results import UNREAD, Prediction, Problem
from whence.tasks import TASKS
from whence.tasks.dataset import Predictions
from whence.tasks.loading import samples
from whence.tasks.scoring import ScoringOptions

TASK = TASKS["explagraphs"]


class _Restating:
    name = "restating"

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies = list(replies)
        self.asked: list[Request] = []

    def replies(
        self, requests: Sequence[Request], report: Callable[[int, Reply], None] = lambda _index, _reply: None
    ) -> list[Reply]:
        self.asked += requests
        return self._replies


def test_restated_answers_are_read_and_said() -> None:
    dataset = samples(TASK)
    prompt = TASK.prompt()
    assert prompt is not None
    examples = dataset.examples
    shown = [dump_json(prompt.show(example.inputs, example.golds[0])) for example in examples]
    answers = [Prediction(example.id, example.golds[0]) for example in examples]
    for index in (3, 4, 5, 6):
        answers[index] = Prediction(examples[index].id, None, f"prose {index}", (Problem(UNREAD, "", "prose"),))
    restating = _Restating(
        [Reply(shown[3]), Reply("NONE"), Reply(shown[0]), Reply("", finish="failed", failure="no route")]
    )
    numbers = tuple(range(1, len(answers) + 1))
    again = reread(TASK, dataset, Predictions(tuple(answers), numbers), restating)
    unread = [index for index, answer in enumerate(again.predictions) if answer.explanation is None]
    assert unread == [4, 5, 6]  # no answer, the example of the form copied, no reply
    assert again.predictions[3].explanation == examples[3].golds[0]
    assert all(one.messages[1].text.endswith(f"prose {n}") for n, one in enumerate(restating.asked, 3))
    report = score(TASK, dataset, again, ScoringOptions(), samples=50)
    assert str(report.signature).endswith("|reread:1|mended:1")
    assert "restating" in next(note.text for note in report.notes if note.name == "reread")
