"""CIDER: which triplets of spans and relations explain what happens in a dialogue? And its four sub-tasks."""

from functools import partial
from pathlib import Path

from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    SpanPair,
    SpanQuestion,
    Triplets,
)
from whence.structures.results import Label
from whence.tasks.dialogue_triplets import claims, data, drawn, folds, predictions, rules
from whence.tasks.task import Task, no_facts

_task = partial(
    Task,
    paper="Ghosal et al. 2021, CIDER",
    source="cider",
    folder=Path(__file__).parent,
    facts=no_facts,
)

TASKS = (
    _task(
        name="cider",
        title="dialogue -> triplets of spans and relations",
        inputs=Dialogue,
        explanation=Triplets,
        rules=rules.triplet_rules,
        read=data.read,
        write=data.write,
        read_predictions=predictions.read_triplets,
        diagram=drawn.triplets_diagram,
        splits=data.SPLITS,
    ),
    _task(
        name="cider-nli",
        title="dialogue, triplet -> is it entailed?",
        inputs=DialogueClaim,
        explanation=Label,
        rules=rules.nli_rules,
        read=claims.read_claims,
        write=data.write_nli,
        read_predictions=predictions.read_nli,
        diagram=drawn.nli_diagram,
        splits=claims.claim_splits(),
    ),
    _task(
        name="cider-span",
        title="dialogue, question -> the span that answers it",
        inputs=SpanQuestion,
        explanation=Answer,
        rules=rules.span_rules,
        read=data.read_span,
        write=data.write_span,
        read_predictions=predictions.read_span,
        diagram=drawn.span_diagram,
        splits=folds.SPAN_SPLITS,
    ),
    _task(
        name="cider-choice",
        title="dialogue, question, four options -> the right one",
        inputs=ChoiceQuestion,
        explanation=Label,
        rules=rules.choice_rules,
        read=data.read_choice,
        write=data.write_choice,
        read_predictions=predictions.read_choice,
        diagram=drawn.choice_diagram,
        splits=data.CHOICE_SPLITS,
    ),
    _task(
        name="cider-relation",
        title="dialogue, two spans -> the relation between them",
        inputs=SpanPair,
        explanation=Label,
        rules=rules.relation_rules,
        read=data.read_relation,
        write=data.write_relation,
        read_predictions=predictions.read_relation,
        diagram=drawn.relation_diagram,
        splits=folds.RELATION_SPLITS,
    ),
)
