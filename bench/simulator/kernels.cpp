// Kernels of different kinds, one for each run, for the simulators' speed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: kernels NAME
//
// Launches one kernel and prints the processor time in seconds that the process
// used from the launch to its end. run.py divides the instructions by it.

#include <xcc/warp.h>
#include <xcc/xcc.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

template <class Kernel> void measure(xcc::launch_config shape, Kernel kernel) {
  // The first launch of a process loads the program's image.
  xcc::launch({1, 1}, [] {});
  xcc::synchronize();
  const double begin = processor_seconds();
  xcc::launch(shape, kernel);
  xcc::synchronize();
  std::printf("%.6f\n", processor_seconds() - begin);
}

/// Loads and stores of neighbouring elements.
void saxpy() {
  constexpr unsigned n = 1 << 22;
  xcc::buffer<float> x(n), y(n);
  x.fill(1.0f);
  y.fill(2.0f);
  measure({n / 256, 256}, [x = x.data(), y = y.data()] {
    const unsigned i = xcc::block_idx().x * 256 + xcc::thread_idx().x;
    y[i] = 3.0f * x[i] + y[i];
  });
}

/// Shared memory and barriers.
void matmul() {
  constexpr unsigned n = 512, tile = 16;
  xcc::buffer<float> a(n * n), b(n * n), c(n * n);
  a.fill(1.0f);
  b.fill(2.0f);
  measure({{n / tile, n / tile}, {tile, tile}},
          [a = a.data(), b = b.data(), c = c.data()] {
            static xcc::block_shared<float[tile][tile]> left, right;
            const auto [x, y, z] = xcc::thread_idx();
            const unsigned row = xcc::block_idx().y * tile + y,
                           column = xcc::block_idx().x * tile + x;
            float sum = 0;
            for (unsigned at = 0; at < n; at += tile) {
              left[y][x] = a[row * n + at + x];
              right[y][x] = b[(at + y) * n + column];
              xcc::sync_block();
              for (unsigned k = 0; k < tile; ++k)
                sum += left[y][k] * right[k][x];
              xcc::sync_block();
            }
            c[row * n + column] = sum;
          });
}

/// Floating-point arithmetic in registers.
void orbits() {
  constexpr unsigned n = 1 << 13;
  xcc::buffer<float> out(n);
  measure({n / 256, 256}, [out = out.data()] {
    const unsigned i = xcc::block_idx().x * 256 + xcc::thread_idx().x;
    float x = 1.0f + float(i), y = 0.5f, vx = 0, vy = 0.1f;
    for (int step = 0; step != 40000; ++step) {
      const float inverse = 1.0f / (x * x + y * y + 0.01f);
      vx -= x * inverse * 0.01f;
      vy -= y * inverse * 0.01f;
      x += vx;
      y += vy;
    }
    out[i] = x + y;
  });
}

/// Each thread reads all of an array, and computes with it.
void bodies() {
  constexpr unsigned n = 2048;
  xcc::buffer<float> x(n), y(n), out(n);
  x.fill(1.5f);
  y.fill(0.25f);
  measure({n / 128, 128}, [x = x.data(), y = y.data(), out = out.data()] {
    const unsigned i = xcc::block_idx().x * 128 + xcc::thread_idx().x;
    const float mine = float(i) * 0.001f;
    float sum = 0;
    for (unsigned round = 0; round != 40; ++round)
      for (unsigned k = 0; k != n; ++k) {
        const float dx = x[k] - mine, dy = y[k] - mine;
        const float square = dx * dx + dy * dy + 0.01f;
        sum += dx / (square * __builtin_sqrtf(square));
      }
    out[i] = sum;
  });
}

/// Whole numbers in registers.
void hash() {
  constexpr unsigned n = 1 << 13;
  xcc::buffer<unsigned> out(n);
  measure({n / 256, 256}, [out = out.data()] {
    const unsigned i = xcc::block_idx().x * 256 + xcc::thread_idx().x;
    unsigned h = i, g = ~i;
    for (unsigned round = 0; round != 40000; ++round) {
      h = (h ^ (h >> 16)) * 0x7feb352du + g;
      g = (g << 13 | g >> 19) ^ (h >> 15) ^ round;
    }
    out[i] = h ^ g;
  });
}

/// Threads that take different ways, and different times.
void collatz() {
  constexpr unsigned n = 1 << 19;
  xcc::buffer<unsigned> out(n);
  measure({n / 256, 256}, [out = out.data()] {
    const unsigned i = xcc::block_idx().x * 256 + xcc::thread_idx().x;
    unsigned long long v = i + 1;
    unsigned steps = 0;
    while (v != 1) {
      if (v % 2)
        v = 3 * v + 1;
      else
        v /= 2;
      ++steps;
    }
    out[i] = steps;
  });
}

/// Sums by shuffles and an atomic operation.
void sums() {
  constexpr unsigned n = 1 << 21;
  xcc::buffer<int> in(n), out(1);
  in.fill(3);
  out.fill(0);
  measure({n / 256, 256}, [in = in.data(), out = out.data()] {
    const unsigned i = xcc::block_idx().x * 256 + xcc::thread_idx().x;
    const int sum = xcc::warp_reduce(in[i]);
    if (xcc::lane_id() == 0)
      __atomic_fetch_add(out, sum, __ATOMIC_RELAXED);
  });
}

/// One thread that reads a text byte by byte, as programs on one thread do.
void words() {
  std::string text;
  while (text.size() < 5000000)
    text += "the quick brown fox, jumps over 13 lazy dogs; ";
  xcc::buffer<char> in(text.size());
  xcc::buffer<unsigned> out(256);
  in.copy_from(text.data(), text.size());
  out.fill(0);
  measure({1, 1}, [in = in.data(), size = text.size(), out = out.data()] {
    char word[32];
    unsigned length = 0;
    for (std::size_t at = 0; at != size; ++at) {
      const char c = in[at];
      const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (letter && length < sizeof(word)) {
        word[length++] = c;
      } else if (length) {
        unsigned h = 5381;
        for (unsigned k = 0; k != length; ++k)
          h = h * 33 + (unsigned char)word[k];
        ++out[h % 256];
        length = 0;
      }
    }
  });
}

constexpr struct {
  const char *name;
  void (*run)();
} kernels[] = {{"saxpy", saxpy},   {"matmul", matmul}, {"orbits", orbits},
               {"bodies", bodies}, {"hash", hash},     {"collatz", collatz},
               {"sums", sums},     {"words", words}};

} // namespace

int main(int argc, char **argv) {
  for (const auto &k : kernels)
    if (argc == 2 && !std::strcmp(argv[1], k.name)) {
      k.run();
      return 0;
    }
  std::puts("usage: kernels saxpy|matmul|orbits|hash|collatz|sums|words");
  return 2;
}
