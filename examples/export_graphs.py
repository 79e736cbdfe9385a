"""Explanations for other tools: GraphML, JSON-LD, Mermaid, and the papers' own strings. Graphs read back."""

import whence
from whence.formats.graphml import parse_graphml
from whence.formats.jsonld import parse_jsonld

example = whence.load("explagraphs").examples[0]
gold = example.golds[0]
print(whence.export("explagraphs", example, form="mermaid"))
print("paper:", whence.export("explagraphs", example, form="paper"))
print("GraphML reads back:", parse_graphml(whence.export("explagraphs", example, form="graphml")) == gold)
print("JSON-LD reads back:", parse_jsonld(whence.export("explagraphs", example, form="jsonld")) == gold)

proof = whence.load("entailmentbank-1").examples[4]
print("paper:", whence.export("entailmentbank-1", proof, form="paper"))
