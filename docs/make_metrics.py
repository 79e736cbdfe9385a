"""Writes docs/metrics/README.md: the metrics of our own tasks from their declarations; plug-ins add none here.

.venv/bin/python docs/make_metrics.py
"""

from __future__ import annotations

from pathlib import Path

from whence import plugins
from whence.metrics.metric import Metric
from whence.pipeline.score import slice_names
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.loading import samples
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions
from whence.tasks.task import AnyTask

INTRODUCTION = """\
# Metrics

`whence score TASK PREDICTIONS --gold GOLD` measures all metrics of a task. They have the names that the papers give them. Every figure has
a 95% interval over items, a floor and a ceiling, and every run a signature of all that it depends on: task, data, protocol, similarity, versions.

```sh
whence score explagraphs predictions.tsv --gold dev --by depth --against other.tsv --html report.html
```

## Protocols

| protocol | what it is |
|---|---|
| `official` | equals the released evaluator to the last digit, quirks included; the default, because it is what people compare with |
| `paper` | follows the paper's text where text and code differ |
| `whence` | our own, where we think we do better |

| task | what `paper` does differently | what `whence` does differently |
|---|---|---|
| `explagraphs` | at most 8 edges, no two concepts joined twice | nothing |
| `entailmentbank-*` | F1 counted over all items (micro), similarity strictly above the threshold; steps read as they are meant | steps read as they are meant; ties between conclusions are spread out, so that gold scores 100; a repeated id gets the gold of its own row |
| `worldtree` | NDCG: facts missing from a ranking gain nothing | the same |
| `cider-span` | `nm`: no word in common; `f1`: SQuAD's | the same |
| `anlg` | METEOR is not rounded | the same |
| others | nothing | nothing |

Figures have the scale in which the released evaluator prints them: those of EntailmentBank and some of CIDER are
percentages, the others shares.

## Metrics that need a model

BERTScore, BLEURT, SeCA, EA and `steps.valid` need a model, which you name. Without one they are listed as not measured. So they are where the
model has no [licence](licences.md): a calibration that shows that the metric tells gold from wrong answers (`whence models calibrate`).
Of the models that ship, only the verifier has one, for `steps.valid`; `--uncalibrated` prints figures of the others with a warning.

| option | value | what it is |
|---|---|---|
| `--similarity` | `embedded` | BERTScore on the encoder that `whence models get encoder` fetches; *not* the paper's BERTScore, and its name says so |
| | `embedded-cosine` | the cosine of its sentence vectors |
| | a folder | BERTScore on a local `transformers` checkpoint; `FOLDER#17` takes its layer 17 |
| | `regression:FOLDER` | a checkpoint with one output, as BLEURT has |
| | `exact`, `tokf1` | plain functions, for tests |
| `--step` | `reader`, `large`, `both` | a verifier: a step is as valid as its conclusion surely follows. `reader` is the one that ships, on the weights of `whence models get reader`; `large` asks a language model; `both` pools the two |
| `--seca`, `--ea`, `--step` | `embedded` | a small head that ships with the package |
| | a folder | a model made by `whence train`, or a checkpoint |

## Intervals, comparison, breakdowns

- **Intervals** are Wilson's, from the standard error of the figure over items ([how, and whether they cover](../design/021-intervals.md)).
- **Floors and ceilings** stand beside every figure: what the best trivial answer gets on the same items, and what gold or people get by
  the same scorer. A figure is *not above its floor* unless a paired test shows it (p < .05). `whence tasks TASK` says what the trivial
  answers are; [what they get on the published data](../lab/floors.md). Floors of metrics that need a model are measured with `--floors`.
- **Comparison** (`--against FILE`) is by McNemar's test where items are right or wrong, the paired t test for means, approximate
  randomisation for the rest, with Holm's correction for the number of metrics.
- **Breakdowns** (`--by NAME`) are the same figures over groups of items. Each task lists its own below.
- **Strictness.** Predictions are matched by id, or by row where a published format has no ids. Missing and repeated predictions are
  refused, since guessing would change a figure; `--lenient` counts missing ones as wrong and keeps the first of repeated ones.

## Human judgements

`--judgements FILE` takes people's answers to a question that has the name of a metric. For the judged items it gives the automatic
and the human figure and the difference; for all items, a prediction-powered estimate with its interval; and how many
judgements an interval of ±2 points would need. The file has a header and one row per judgement; `judge`, `part` and `count` may be
left out:

```
item	question	answer	judge
dev-1	StCA	yes	anna
dev-1	StCA	no	ben
```
"""

CRASHES = """
## Where the released scripts crash or guess, and what we do

| case | released | here |
|---|---|---|
| EntailmentBank: no `$proof$` slot, or an empty line | crash | a problem (`format`), all figures 0 |
| ExplaGraphs: no edges match at all (0/0 in G-BLEU, G-ROUGE, G-BS) | division by zero | 0, counted in the note |
| ExplaGraphs: distance above the normaliser | assertion | 1, counted in the note |
| ART: labels and predictions of different lengths | silently cut to the shorter | refused |
| CIDER relation: precision and recall | printed under each other's name | printed the right way round, with a note |
| WorldTree NDCG: missing facts | a padding of a million ranks, in memory | the same value in closed form |
"""


def declared(task: AnyTask) -> dict[tuple[str, str], tuple[Metric, list[str]]]:
    """The metrics of a task, and the protocols that each meaning holds under."""
    dataset = samples(task)
    answers = [Prediction(example.id, example.golds[0]) for example in dataset.examples]
    found: dict[tuple[str, str], tuple[Metric, list[str]]] = {}
    for protocol in SCORING_PROTOCOLS:
        for scores in task.scoring().score(dataset, answers, ScoringOptions(protocol)):
            metric = scores.metric
            found.setdefault((metric.name, metric.meaning), (metric, []))[1].append(protocol)
    return found


def section(names: list[str]) -> str:
    """The metrics and breakdowns that tasks share."""
    task = TASKS[names[0]]
    rows = []
    for metric, protocols in declared(task).values():
        where = "" if len(protocols) == len(SCORING_PROTOCOLS) else f" ({', '.join(protocols)})"
        rows.append(f"| `{metric.name}` | {metric.better} | {metric.source} | {metric.meaning}{where} |")
    breakdowns = ", ".join(f"`{name}`" for name in slice_names(task))
    more = "\n`equivalence.f1` is defined in [tree equivalence](tree-equivalence.md).\n"
    return (
        f"\n## {', '.join(names)}\n\n| metric | better | source | what it says |\n|---|---|---|---|\n"
        + "\n".join(rows)
        + f"\n\nBreakdowns: {breakdowns}.\n"
        + (more if task.name.startswith("entailmentbank") else "")
    )


def main() -> None:
    """Writes the page."""
    own = [name for name, entry in plugins.registered(plugins.TASKS).items() if plugins.is_own(entry)]
    ordered = [name for name in TASKS if name in own]
    trees = [name for name in ordered if name.startswith("entailmentbank")]
    others = [[name] for name in ordered if name not in trees]
    page = INTRODUCTION + "".join(section(names) for names in [*others, trees]) + CRASHES
    (Path(__file__).parent / "metrics/README.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
