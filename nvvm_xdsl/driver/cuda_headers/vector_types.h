// In place of the toolkit's header.
#include "cuda_min.h"
