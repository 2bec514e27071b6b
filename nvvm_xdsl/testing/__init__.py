"""Differential testing: does a module still do what it did?

`assert_same_behaviour` is what tests call; `random_kernels` makes modules to try it on, and
`reducer` makes failing ones small.
"""
