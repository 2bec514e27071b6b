"""Search for the best pipeline of one kernel."""
