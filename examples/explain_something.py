"""Explain something of your own: facts of the sample table store for an answer, ranked without any download."""

import whence
from whence.structures.facts import Question
from whence.structures.results import Example

facts = whence.load("worldtree").facts
asked = Example("mine", Question("What causes the tides of the sea?", "the moon"))
found = whence.explain("worldtree", asked, facts=facts, count=3)
for use in found.explanation.facts:
    print(use.role, "|", found.facts[use.id].text)
picture = whence.draw("worldtree", asked, found.explanation, facts=found.facts)
print(len(picture.nodes), "boxes")
