"""People make, verify and rate explanations, losing nothing: one workflow engine, one configuration a collection.

`Collection` has the verbs. Pure parts decide: `configuration` and `consistency` say what a collection is,
`eligibility` who may do what, `deciding` how many are wanted and what they come to, `answers` what is wrong with
one. The rest is transactions: `assigning`, `submitting`, `routing`, `earning`, over the tables of a `store`.
"""
