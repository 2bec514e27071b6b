"""ScalarEvolution, and what is built on its expressions: trip counts and delinearization."""
