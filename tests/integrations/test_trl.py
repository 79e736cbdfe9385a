"""One step of trl's GRPO with our reward, on a model of a few hundred weights made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.integrations.answers import TASK, asked

trl = pytest.importorskip("trl", reason="needs trl: make integrations")

from whence.integrations.datasets import to_dataset  # noqa: E402
from whence.integrations.trl import reward_function  # noqa: E402


def _tiny() -> tuple[Any, Any]:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    words = ["<pad>", "<eos>", "<unk>", *sorted({word for one in asked() for word in one.answer.split()})][:60]
    tokenizer = Tokenizer(WordLevel({word: index for index, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left"
    )
    wrapped.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    shape = {"n_embd": 8, "n_layer": 1, "n_head": 1, "n_positions": 1024, "vocab_size": len(words)}
    return GPT2LMHeadModel(GPT2Config(**shape, eos_token_id=1, pad_token_id=0)), wrapped


def test_a_step_of_grpo_asks_for_our_rewards(tmp_path: Path) -> None:
    model, tokenizer = _tiny()
    reward, calls = reward_function(TASK), []

    def counted(completions: Any, **columns: Any) -> list[float | None]:
        calls.append((completions, reward(completions, **columns), columns))
        return calls[-1][1]

    counted.__name__ = reward.__name__
    settings = trl.GRPOConfig(
        output_dir=str(tmp_path),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=4,
        max_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        logging_steps=1,
    )
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=counted,
        args=settings,
        train_dataset=to_dataset(TASK),
        processing_class=tokenizer,
    )
    trainer.train()
    ((completions, values, columns),) = calls
    assert len(completions) == len(values) == 2 and {"record", "prompts"} <= set(columns)
    assert all(0 <= value <= 1 for value in values)
    assert f"rewards/{reward.__name__}/mean" in trainer.state.log_history[0]
    # The same columns with gold answers.
    right = {one.record: one.answer for one in asked()}
    assert reward(
        [[{"role": "assistant", "content": right[record]}] for record in columns["record"]], **columns
    ) == [1, 1]
