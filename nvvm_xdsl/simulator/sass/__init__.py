"""The executor of machine code: the semantics of the sass dialect's instructions."""
