// What it costs the host to put fifty kernels into a stream, launched one by one
// and replayed as a graph, without the wait for them: the fastest of some
// thousand times, which on a mock driver is the least disturbed by it.
#include <xcc/xcc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

static void add(float *to, float what) {
  if (auto i = xcc::global_id(); i < 64)
    to[i] += what;
}

template <class F> static double fastest(xcc::stream &s, F enqueue) {
  using clock = std::chrono::steady_clock;
  double best = 1;
  for (int i = 0; i != 3000; ++i) {
    const auto start = clock::now();
    enqueue();
    best = std::min(
        best, std::chrono::duration<double>(clock::now() - start).count());
    s.synchronize();
  }
  return best * 1e6;
}

int main() {
  xcc::buffer<float> data(64);
  data.fill(0);
  xcc::stream s;
  auto launches = [&] {
    for (int i = 0; i != 50; ++i)
      xcc::launch({{1}, {16}, 0, s}, add, data.data(), 1.0f);
  };
  auto fifty = xcc::graph::record(s, launches);
  const double one = fastest(s, launches),
               all = fastest(s, [&] { fifty.replay(s); });
  std::printf("50 launches %.2f us, replay %.2f us, %.2f\n", one, all,
              all / one);
}
