"""Writes docs/metrics/licences.md: what metrics with the models that ship give gold, perturbed gold and random answers.

.venv/bin/python docs/make_licences.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whence.models.calibration import FILE, LEAST_AUC, Calibration, fault_of, read_calibrations
from whence.models.trained import BUNDLED
from whence.models.verifier.choice import ADAPTER
from whence.pipeline.calibrate import controls_for
from whence.tasks import TASKS

INTRODUCTION = f"""\
# Licences of models behind metrics

A metric that asks a model is worth what the model is worth. So `whence score` prints such a figure only if the model has a licence for
it: a calibration that shows that the metric tells gold from answers that a person would call wrong.

```sh
whence models calibrate explagraphs SeCA --model models/seca      # writes models/seca/calibration.json
whence score explagraphs answers.tsv --gold dev --seca models/seca
```

- **What is measured.** Gold answers; gold made wrong by rule, in several ways; and random answers. Wrong graphs pass the gate of StCA, so that
  the model alone must tell them. Metrics that compare with gold are given it in other words: another person's hypothesis for ART, other words for
  relations and for common turns of phrase elsewhere.
- **AUC** is how often a gold item scores higher than a wrong one, ties counted half. It must be {LEAST_AUC:g} against every kind of wrong
  answer. SeCA must also give gold graphs .75.
- **Without a licence** the metric is listed as not measured, with the reason. `--uncalibrated` prints the figure with that reason as a
  warning, in the table, the report, the JSON and the signature. A model that was changed has no calibration: it is known by its fingerprint.

From Python, `ScoringOptions` takes any scorer as it is; `whence.pipeline.licences.licensed` applies the licences.

## The models that ship

Written by `python docs/make_licences.py` from the files that `whence models calibrate TASK METRIC --model MODEL` made. `reader` is the
[verifier](../score_my_model.md#6-answers-with-verdicts), which was trained to tell what follows; the others are similarities and small heads. Most of these
tell another topic; none tells a negation.
"""


def shipped() -> Iterator[tuple[str, Calibration]]:
    """The name of each model with its calibrations."""
    for path in sorted(BUNDLED.glob(f"*/{FILE}")):
        name = path.parent.name
        for calibration in read_calibrations(path):
            yield name.removeprefix("similarity.") if name.startswith("similarity.") else "embedded", calibration
    for calibration in read_calibrations(ADAPTER / FILE):
        yield "reader", calibration


def rows() -> Iterator[str]:
    """The table, line by line."""
    yield "| metric, model | answers | figure | AUC of gold | licence |"
    yield "|---|---|---|---|---|"
    ordered = sorted(shipped(), key=lambda row: (row[1].family, row[1].metric, row[0]))
    for name, found in ordered:
        controls = controls_for(TASKS[found.task], found.metric)
        verdict = "no" if fault_of(found, controls.least_gold) else "yes"
        for index, one in enumerate(found.figures):
            first = (
                f"**{found.metric}**, `{name}` ({found.task} {found.gold}, {found.n} items)" if not index else ""
            )
            auc = "" if one.auc is None else f"{one.auc:.3f}"
            yield f"| {first} | {one.kind}: {one.name} | {one.figure:.3f} | {auc} | {'' if index else verdict} |"


def licensed() -> str:
    """Which of them have a licence, in a sentence."""
    names = [
        f"{found.metric} with `{name}`"
        for name, found in shipped()
        if not fault_of(found, controls_for(TASKS[found.task], found.metric).least_gold)
    ]
    return f"**Licensed: {', '.join(names) or 'none of them'}.**\n"


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, licensed(), *rows(), ""])


if __name__ == "__main__":
    (Path(__file__).parent / "metrics" / "licences.md").write_text(page(), encoding="utf-8")
