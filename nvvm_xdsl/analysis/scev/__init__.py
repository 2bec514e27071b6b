"""ScalarEvolution and analyses based on its expressions: trip counts and delinearization."""
