"""What all integrations share, and the reward functions of trl, which need no package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.integrations.answers import TASK, answers, asked, scored

import whence
from whence.errors import UsageError
from whence.integrations.lm_eval import write_tasks
from whence.integrations.questions import (
    figures_of,
    judge_record,
    measured_metrics,
    prompted_tasks,
    questions,
    rows,
    sample_questions,
    text_of,
)
from whence.integrations.trl import reward_function


@pytest.mark.parametrize("task", prompted_tasks())
def test_gold_answers_are_worth_one(task: str) -> None:
    """But for triplets whose spans no turn has, which the prompt cannot ask for."""
    shots = sample_questions(task)
    values = [judge_record(one.record, one.answer).value or 0 for one in shots]
    assert shots and min(values) > 0.9
    assert {one.name for one in measured_metrics(task)} <= set(judge_record(shots[0].record, "?").figures)
    assert all(
        0 <= figure <= 1 or figure != figure
        for figure in figures_of(judge_record(shots[0].record, "?"), task).values()
    )


def test_rows_are_texts_and_a_chat() -> None:
    first = rows(TASK)[0]
    assert [one["role"] for one in first["prompt"]] == ["system", "user"]
    assert all(isinstance(value, str) for name, value in first.items() if name != "prompt")


def test_what_cannot_be_asked_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no prompt"):
        questions("worldtree")
    hidden = tmp_path / "hidden.tsv"
    hidden.write_text("a belief\tan argument\n")
    with pytest.raises(UsageError, match="no gold"):
        questions(TASK, str(hidden))
    with pytest.raises(UsageError, match="a text or a list of messages"):
        text_of(7)


def test_mean_figures_are_those_of_score() -> None:
    judged = [judge_record(one.record, text) for one, text in zip(asked(), answers(), strict=True)]
    expected = scored()
    for one in measured_metrics(TASK):
        values = [judge.figures[one.name] for judge in judged]
        assert sum(values) / len(values) == pytest.approx(expected[one.name], abs=1e-12)


# trl


def test_rewards_by_record_and_by_columns() -> None:
    reward = reward_function(TASK)
    assert reward.__name__ == "whence_explagraphs"
    chats = [[{"role": "assistant", "content": text}] for text in answers()]
    records = [one.record for one in asked()]
    by_record = reward(prompts=["?"] * len(chats), completions=chats, record=records, trainer_state=object())
    assert by_record[0] == 0 and by_record[2:] == [1.0] * (len(chats) - 2)
    examples = whence.load(TASK).examples
    by_column = reward(
        completions=answers(),
        belief=[one.inputs.belief for one in examples],
        argument=[one.inputs.argument for one in examples],
        gold=[one.golds[0] for one in examples],
    )
    assert by_column == by_record
    assert reward_function(TASK, ["SA"])(completions=answers(), record=records)[2] == 1


def test_rewards_need_gold() -> None:
    with pytest.raises(UsageError, match="column `record`"):
        reward_function(TASK)(completions=["x"], belief=["b"], argument=["a"])


# lm-evaluation-harness


def test_task_files_name_what_there_is(tmp_path: Path) -> None:
    names = write_tasks(tmp_path, ["cider-nli", TASK])
    assert names == ["whence_cider_nli", "whence_explagraphs"]
    text = (tmp_path / "whence_cider_nli.yaml").read_text()
    settings = dict(line.split(": ", 1) for line in text.splitlines())
    metrics = {one["metric"]: one["aggregation"] for one in json.loads(settings["metric_list"])}
    assert metrics["value"] == metrics["accuracy"] == "mean"
    assert metrics["precision"] == "nanmean"
    assert (tmp_path / "whence_utils.py").is_file()
