"""A debugger over recordings of simulated launches: its core has no user interface."""
