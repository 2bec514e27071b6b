// A binary search whose interval keeps the middle never ends.
#include "../cuda_min.h"

extern "C" __global__ void search(const int *sorted, int n, int wanted, int *place) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] <= wanted)
      low = middle;
    else
      high = middle;
  }
  *place = low;
}
