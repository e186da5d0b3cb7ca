// Unlike blocks as a loop of OpenMP's with a dynamic schedule.
#include "shapes.h"

void runOpenMP(const Shape &shape, const Work &work) {
#pragma omp parallel for schedule(dynamic)
  for (long b = 0; b < shape.blocks; ++b)
    work.out[b] = chain(work.out[b], work.turns[b]);
}
