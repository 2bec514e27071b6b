// clang includes this header of the toolkit's cuRAND, which may not be installed.
