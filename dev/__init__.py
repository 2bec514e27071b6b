"""Developer tools: generators, instruction gates, rule proofs and conformance runs."""
