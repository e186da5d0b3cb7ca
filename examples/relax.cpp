// Heat in a plate: a time step that is recorded once and replayed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If kernels are so small that a launch costs as much as its kernel, replay a
// graph of all launches of a step: it costs less than single launches. An
// update of the graph changes the edge's temperature between two replays.

#include <xcc/xcc.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int size = 32; // points in each direction

static void heat_edge(float *plate, float degrees) {
  if (auto i = xcc::global_id(); i < size)
    plate[i] = degrees;
}

static void spread(const float *from, float *to) {
  const int x =
      int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  const int y =
      int(xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y);
  if (x < 1 || y < 1 || x >= size - 1 || y >= size - 1)
    return;
  const float *at = from + y * size + x;
  to[y * size + x] = 0.25f * (at[-1] + at[1] + at[-size] + at[size]);
}

/// The same on the host.
static float on_host(int steps) {
  std::vector<float> from(size * size, 0.0f), to(from);
  for (int step = 0; step != steps; ++step)
    for (int half = 0; half != 50; ++half) {
      for (int x = 0; x != size; ++x)
        from[x] = step < steps / 2 ? 100.0f : 40.0f;
      for (int y = 1; y != size - 1; ++y)
        for (int x = 1; x != size - 1; ++x)
          to[y * size + x] =
              0.25f * (from[y * size + x - 1] + from[y * size + x + 1] +
                       from[(y - 1) * size + x] + from[(y + 1) * size + x]);
      from.swap(to);
    }
  return from[size / 2 * size + size / 2];
}

int main() {
  constexpr int steps = 40;
  xcc::stream s;
  xcc::buffer<float> a(size * size), b(size * size);
  a.fill(0);
  b.fill(0);
  auto heat = [&](float *plate, float degrees) {
    xcc::launch({{1}, {size}, 0, s}, heat_edge, plate, degrees);
  };
  auto step = xcc::graph::record(s, [&] {
    float *from = a.data(), *to = b.data();
    for (int half = 0; half != 50; ++half) {
      heat(from, 100.0f);
      xcc::launch({{4, 4}, {8, 8}, 0, s}, spread, from, to);
      std::swap(from, to);
    }
  });

  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i != steps; ++i) {
    if (i == steps / 2) // it gets colder: every launch of heat_edge changes
      for (std::size_t k = 0; k != step.size(); k += 2)
        step.update(k, s, [&] { heat(k % 4 ? b.data() : a.data(), 40.0f); });
    step.replay(s);
  }
  s.synchronize();
  const std::chrono::duration<double, std::micro> took =
      std::chrono::steady_clock::now() - begun;

  std::vector<float> plate(size * size);
  a.copy_to(plate.data(), plate.size());
  const float middle = plate[size / 2 * size + size / 2];
  const float expected = on_host(steps);
  const bool right = std::fabs(middle - expected) <= 1e-3f * expected;
  std::printf("relax: %zu launches in a graph, replayed %d times\n",
              step.size(), steps);
  std::printf("device: %s\n", xcc::device::current().name());
  std::printf("time: %.1f us for each replay\n", took.count() / steps);
  std::printf("check: %.3f degrees in the middle, the host says %.3f: %s\n",
              double(middle), double(expected), right ? "correct" : "wrong");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
