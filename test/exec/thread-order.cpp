// What one thread writes it reads again in the order of the program, through
// whatever pointer, while several threads are run in one instruction.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O1 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O3 -std=c++20 -offload-arch=native %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

constexpr unsigned Threads = 256, Each = 8, Size = Threads * Each;

/// Runs `launch` on a buffer and `thread(t, memory)` for each t on another.
template <class T = int, class L, class F>
void compare(const char *what, L launch, F thread) {
  std::vector<T> got(Size), expected(Size);
  for (unsigned i = 0; i < Size; ++i)
    got[i] = expected[i] = T(i * 7 % 1001);
  launch(got.data());
  xcc::synchronize();
  for (long t = 0; t < Threads; ++t)
    thread(t, expected.data());
  if (got != expected) {
    std::printf("%s: DIFFERS\n", what);
    return;
  }
  std::printf("%s: same\n", what);
}

/// The same code as a kernel, as a lambda, and as the body of parallel_for.
template <class T = int, class F> void threads(const char *what, F thread) {
  compare<T>(
      what,
      [&](T *p) {
        xcc::launch({{4}, {Threads / 4}},
                    [=] { thread(long(xcc::global_id()), p); });
      },
      thread);
  compare<T>(
      what,
      [&](T *p) {
        xcc::launch({{2}, {16, 8}}, [=] {
          long t = xcc::thread_idx().y * 16 + xcc::thread_idx().x;
          thread(xcc::block_idx().x * 128 + t, p);
        });
      },
      thread);
  compare<T>(
      what,
      [&](T *p) {
        xcc::parallel_for(Threads, [=](std::size_t t) { thread(long(t), p); });
      },
      thread);
}

void two(int *p, const int *q, int *out) {
  int t = xcc::global_id();
  int s = 0;
  for (int i = 0; i < 4; ++i) {
    p[t * 4 + i] = i;
    s += q[t * 4 + i];
  }
  out[t] = s;
}

struct Point {
  int x, y, z, w;
};

void points(Point *p, const Point *q) {
  long t = xcc::global_id();
  p[t].x = q[t].y + 1;
  p[t].y = q[t].x * 2;
  p[t].z = q[t].w - q[t].y;
  p[t].w = q[t].z ^ q[t].x;
}

int main() {
  // CHECK: two parameters: same
  compare(
      "two parameters",
      [](int *p) {
        xcc::launch({{2}, {Threads / 2}}, two, p, (const int *)p,
                    p + 4 * Threads);
      },
      [](long t, int *p) {
        for (int i = 0; i < 4; ++i)
          p[t * 4 + i] = i;
        p[4 * Threads + t] = 6;
      });

  // CHECK-COUNT-3: turned: same
  threads("turned", [w = 5](long t, int *q) {
    for (int i = 0; i < 4; ++i)
      q[t * 4 + i] = q[t * 4 + ((i + 2) & 3)] * 3 + w;
  });
  // CHECK-COUNT-3: turned short: same
  threads<short>("turned short", [w = 5](long t, short *q) {
    for (int i = 0; i < 4; ++i)
      q[t * 4 + i] = q[t * 4 + ((i + 2) & 3)] * 3 + w;
  });
  // CHECK-COUNT-3: backwards: same
  threads("backwards", [](long t, int *q) {
    for (int i = 7; i > 0; --i)
      q[t * 8 + i] += q[t * 8 + i - 1] - q[t * 8 + 7 - i];
  });
  // CHECK-COUNT-3: strided: same
  threads("strided", [](long t, int *q) {
    for (unsigned i = 0; i < 8; ++i)
      q[t + i * Threads] += q[t + ((i + 3) & 7) * Threads];
  });
  // CHECK-COUNT-3: by data: same
  threads("by data", [](long t, int *q) {
    int s = 0;
    for (int i = 0; i < 4; ++i) {
      s += q[t * 8 + i];
      q[t * 8 + (unsigned(s) & 7)] += i;
    }
    q[t * 8] = s;
  });
  // CHECK-COUNT-3: halves: same
  threads("halves", [](long t, int *q) {
    auto *h = reinterpret_cast<unsigned char *>(q);
    for (int i = 0; i < 4; ++i) {
      q[t * 8 + i] *= 3;
      h[t * 32 + 16 + i] = h[t * 32 + i * 4 + 1];
    }
  });
  // CHECK-COUNT-3: conditional: same
  threads("conditional", [](long t, int *q) {
    for (int i = 0; i < 4; ++i)
      if (q[t * 8 + i] % 2) {
        q[t * 8 + (i ^ 1)] = t;
        q[t * 8 + 4 + i] = q[t * 8 + (i ^ 1)] + q[t * 8 + i];
      }
  });
  // CHECK-COUNT-3: one pointer after the other: same
  threads("one pointer after the other", [](long t, int *q) {
    int *own = q + t * 8;
    for (int *p = own; p != own + 7; ++p)
      p[1] += p[0];
  });

  // A loop of one thread that its author calls safe: its turns are, the order
  // within a turn is not up for choice either.
  // CHECK: a loop called safe: same
  auto safe = [](long t, int *q) {
    const int *r = q;
    if (t == 3)
#pragma clang loop vectorize(assume_safety)
      for (int i = 0; i < int(Size) / 2; ++i) {
        q[2 * i] = i;
        q[2 * i + 1] += r[2 * i];
      }
  };
  compare(
      "a loop called safe",
      [&](int *p) {
        xcc::launch({{1}, {Threads}}, [=] { safe(long(xcc::global_id()), p); });
      },
      [](long t, int *q) {
        if (t == 3)
          for (int i = 0; i < int(Size) / 2; ++i) {
            q[2 * i] = i;
            q[2 * i + 1] += q[2 * i];
          }
      });

  // CHECK: structures: same
  compare(
      "structures",
      [](int *p) {
        xcc::launch({{1}, {Threads}}, points, (Point *)p, (const Point *)p);
      },
      [](long t, int *q) {
        int *p = q + t * 4;
        p[0] = p[1] + 1;
        p[1] = p[0] * 2;
        p[2] = p[3] - p[1];
        p[3] = p[2] ^ p[0];
      });

  // Between barriers, in loops that all threads take together, and through
  // arrays of the thread's own.
  // CHECK: barriers: same
  compare(
      "barriers",
      [](int *p) {
        xcc::launch(
            {{2}, {Threads / 2}},
            [=, q = p](int turns) {
              long t = xcc::global_id();
              int own[4] = {int(t), 1, 2, 3};
              for (int turn = 0; turn < turns; ++turn) {
                for (int i = 0; i < 4; ++i) {
                  own[unsigned(p[t * 8 + i]) & 3] += own[i];
                  p[t * 8 + ((i + 1) & 3)] = q[t * 8 + i] + own[(i + 1) & 3];
                  own[i] += p[t * 8 + 4 + i];
                }
                xcc::sync_block();
              }
              p[t * 8 + 7] = own[3];
            },
            3);
      },
      [](long t, int *p) {
        int own[4] = {int(t), 1, 2, 3};
        for (int turn = 0; turn < 3; ++turn)
          for (int i = 0; i < 4; ++i) {
            own[unsigned(p[t * 8 + i]) & 3] += own[i];
            p[t * 8 + ((i + 1) & 3)] = p[t * 8 + i] + own[(i + 1) & 3];
            own[i] += p[t * 8 + 4 + i];
          }
        p[t * 8 + 7] = own[3];
      });

  // CHECK: by the size of the grid: same
  compare(
      "by the size of the grid",
      [](int *p) {
        xcc::launch(
            {{2}, {16}},
            [=, q = p](unsigned n) {
              for (long t = xcc::global_id(); t < long(n);
                   t += xcc::grid_dim().x * xcc::block_dim().x)
                for (int i = 0; i < 4; ++i) {
                  p[t * 8 + i] += i;
                  p[t * 8 + i + 4] = q[t * 8 + i] - q[t * 8 + (i ^ 1)];
                }
            },
            Threads);
      },
      [](long t, int *p) {
        for (int i = 0; i < 4; ++i) {
          p[t * 8 + i] += i;
          p[t * 8 + i + 4] = p[t * 8 + i] - p[t * 8 + (i ^ 1)];
        }
      });
}
