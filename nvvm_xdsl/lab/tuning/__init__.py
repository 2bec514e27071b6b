"""Search for the pipeline that makes the best code of one kernel."""
