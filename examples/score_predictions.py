"""Score predictions: here the gold trees without the first step of the longest, and with one missing."""

from dataclasses import replace

import whence
from whence.structures.results import Prediction
from whence.tasks.dataset import Predictions

dataset = whence.load("entailmentbank-1")
*answers, _ = (Prediction(example.id, example.golds[0]) for example in dataset.examples)
place = max(range(len(answers)), key=lambda place: len(answers[place].explanation.steps))
tree = answers[place].explanation
answers[place] = replace(answers[place], explanation=replace(tree, steps=tree.steps[1:]))
predictions = Predictions(tuple(answers), tuple(range(1, len(answers) + 1)))

report = whence.score("entailmentbank-1", dataset, predictions, lenient=True)
for figure in report.measurements:
    if figure.value is not None:
        print(f"{figure.name:24} {figure.value:8.3f}  ({figure.low:.3f} to {figure.high:.3f})")
print("why items fail:", dict(report.causes))
print([note.text for note in report.notes])
