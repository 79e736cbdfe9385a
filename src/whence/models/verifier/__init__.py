"""The verifier: does a conclusion follow from premises, contradict them, or is it unknown?

    verifier = ReaderVerifier(reader_folder, adapter_folder)
    [verdict] = verifier.judge([Inference(("a robin is a kind of bird", "birds lay eggs"), "a robin lays eggs")])
    verdict.follows  # a calibrated probability

`entailment` has the values and the interface that every verifier keeps, `reader` the one that ships (a base model
with a low-rank adapter), `language_model` a second judge that asks a language model, `choice` the one that a user
names, or both as one; `steps` makes a verifier the judge of steps of `whence score --step`.
"""
