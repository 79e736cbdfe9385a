"""Score what a model said in an inspect_ai run; lm-evaluation-harness's samples_*.jsonl go the same way.

The log is made here, in the form in which inspect_ai writes it. One answer is JSON, one is the paper's string,
and the rest are no graphs: they stay, with what is wrong with them, and count as wrong.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path

import whence

dataset = whence.load("explagraphs")
first, second, *others = dataset.examples
edges = [{"head": e.head, "relation": e.relation, "tail": e.tail} for e in first.golds[0].graph.edges]
said = {
    first.id: "Here it is:\n```json\n" + json.dumps({"stance": first.golds[0].stance, "graph": edges}) + "\n```",
    second.id: whence.export("explagraphs", second, form="paper"),
} | {example.id: "I cannot say." for example in others}
samples = [
    {
        "id": name,
        "epoch": 1,
        "input": "...",
        "target": "",
        "output": {"model": "m", "choices": [], "completion": text},
    }
    for name, text in said.items()
]
log = {"version": 2, "status": "success", "eval": {"task": "graphs", "model": "m"}, "samples": samples}

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "2026-01-01T00-00-00_graphs.json"
    path.write_text(json.dumps(log))
    predictions = whence.answers("explagraphs", path, dataset)
read = Counter(prediction.explanation is not None for prediction in predictions.predictions)
print(f"{read[True]} answers were read, {read[False]} were not:", predictions.predictions[-1].problems[0].message)
report = whence.score("explagraphs", dataset, predictions)
print({figure.name: round(figure.value, 2) for figure in report.measurements if figure.value is not None})
