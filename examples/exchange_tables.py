"""Write examples as rows that `datasets` and pandas read, in JSONL and in Parquet, and read them back.

`datasets.load_dataset("json", data_files="examples.jsonl")` and `pandas.read_parquet("examples.parquet")` open
these files. Parquet needs the extra: pip install 'whence[parquet]'.
"""

import json
import tempfile
from pathlib import Path

import whence

dataset = whence.load("worldtree")
with tempfile.TemporaryDirectory() as folder:
    lines, table = Path(folder) / "examples.jsonl", Path(folder) / "examples.parquet"
    whence.save("worldtree", dataset, lines, form="rows")
    whence.save("worldtree", dataset, table)
    print("columns:", *json.loads(lines.read_text().splitlines()[0]))
    for path in (lines, table):
        print(path.name, "reads back as it was:", whence.load("worldtree", path).examples == dataset.examples)
