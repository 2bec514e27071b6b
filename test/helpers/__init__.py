"""What several tests share: programs, kernels, generators, and the runner of the lit tests."""
