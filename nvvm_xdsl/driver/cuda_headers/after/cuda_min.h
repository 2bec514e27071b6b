// Sources that include "cuda_min.h" need nothing of it with the headers of a CUDA toolkit.
