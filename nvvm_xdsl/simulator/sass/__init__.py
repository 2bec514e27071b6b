"""The executor of machine code: the meaning of the sass dialect's instructions."""
