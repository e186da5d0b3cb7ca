// Grids whose blocks take unlike times: how long each block's chain of additions
// and multiplications is.
#pragma once

inline double chain(double x, long turns) {
  for (long i = 0; i < turns; ++i)
    x = x * 1.0000001 + 1e-9;
  return x;
}

struct Shape {
  const char *name;
  long blocks;
  long (*turns)(long block);
};
inline const Shape shapes[] = {
    {"512 alike", 512, [](long) { return 2000l; }},
    {"work in the first 32 of 512", 512,
     [](long b) { return b < 32 ? 30000l : 50l; }},
    {"in the last 32", 512, [](long b) { return b >= 480 ? 30000l : 50l; }},
    {"in the middle 32", 512,
     [](long b) { return b >= 240 && b < 272 ? 30000l : 50l; }},
    {"in every 64th", 512, [](long b) { return b % 64 ? 50l : 120000l; }},
    {"a third of it in the first", 512,
     [](long b) { return b ? 1200l : 300000l; }},
    {"a third of it in the last", 512,
     [](long b) { return b != 511 ? 1200l : 300000l; }},
    {"growing", 512, [](long b) { return 8 * b; }},
    {"2 large", 2, [](long) { return 500000l; }},
    {"3 large", 3, [](long) { return 300000l; }},
    {"5 large", 5, [](long) { return 200000l; }},
    {"1000 of one thread", 1000, [](long) { return 300l; }},
    {"20 tiny", 20, [](long) { return 100l; }},
};

/// What both sides do for blocks of one thread.
struct Work {
  double *out;
  long *turns;
};
void runOpenMP(const Shape &shape, const Work &work);
