"""Load a task's samples, look at one, break it, see what the rules say, and write its picture."""

import tempfile
from dataclasses import replace
from pathlib import Path

import whence
from whence.drawing import to_svg, to_text
from whence.structures.graph import Graph

dataset = whence.load("explagraphs")  # or "dev", or the path of a file
example = dataset.examples[0]
print(example.inputs.belief, "|", example.inputs.argument)

picture = whence.draw("explagraphs", example)  # a notebook shows it as it is
print(to_text(picture, width=100))

gold = example.golds[0]
print("problems of the gold graph:", whence.check("explagraphs", example))
halved = replace(gold, graph=Graph(gold.graph.edges[:2]))
for problem in whence.check("explagraphs", example, halved):
    print("problem of half of it:", problem.rule, problem.message)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "graph.svg"
    path.write_text(to_svg(picture))
    print("picture:", path.name, path.stat().st_size > 1000)
