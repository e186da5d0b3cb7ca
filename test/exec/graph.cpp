// Launches, copies and fills are recorded once and replayed, with other
// arguments; what cannot be recorded is refused in words.
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O0 -std=c++17 %s -o %t0 && %t0 | FileCheck %s
#include "Inputs/same.h"

#include <thread>
#include <vector>

static void add(int *to, int n, int what) {
  if (auto i = xcc::global_id(); i < std::size_t(n))
    to[i] += what;
}
static void scale(int *to, int n, int by) {
  if (auto i = xcc::global_id(); i < std::size_t(n))
    to[i] *= by;
}
struct large {
  int values[200];
};
static void add_large(int *to, int n, large what) {
  if (auto i = xcc::global_id(); i < std::size_t(n))
    to[i] += what.values[i % 200];
}
static void in_shared(int *to, int n) {
  int *all = xcc::dynamic_shared<int>();
  unsigned t = xcc::thread_idx().x;
  all[t] = xcc::global_id() < std::size_t(n) ? to[xcc::global_id()] : 0;
  xcc::sync_block();
  if (xcc::global_id() < std::size_t(n))
    to[xcc::global_id()] = all[xcc::block_dim().x - 1 - t];
}

template <class Function> static void refused(const char *what, Function f) {
  try {
    f();
    std::printf("%s: not refused\n", what);
  } catch (const xcc::error &e) {
    std::printf("%s: %s\n", what, e.what());
  }
}

int main() {
  constexpr int n = 500;
  constexpr unsigned blocks = (n + 63) / 64;
  xcc::stream s, other;
  xcc::buffer<int> data(n), copy(n);
  xcc::host_buffer<int> seen(n);
  auto sum = [&] {
    long all = 0;
    for (int i = 0; i != n; ++i)
      all += seen[i];
    return all;
  };

  // Nothing runs while it is recorded; each replay runs all of it, in order.
  std::size_t third = 0;
  data.fill(-1);
  auto g = xcc::graph::record(s, [&] {
    s.fill(data.data(), 2, n);
    xcc::launch({{blocks}, {64}, 0, s}, add, data.data(), n, 3);
    third = xcc::graph::next_step(s);
    xcc::launch({{blocks}, {64}, 0, s}, scale, data.data(), n, 10);
    s.copy(copy.data(), data.data(), n);
    xcc::launch({{1}, {1}, 0, s}, add, copy.data(), 1, 1);
    s.copy(seen.data(), copy.data(), n);
  });
  int before = 0;
  data.copy_to(&before, 1);
  std::printf("%zu steps, step %zu, before: %d\n", g.size(), third, before);
  // CHECK: 6 steps, step 2, before: -1
  g.replay(s);
  s.synchronize();
  std::printf("%d %ld\n", seen[0], sum());
  // CHECK: 51 25001
  for (int i = 0; i != 10; ++i)
    g.replay(s);
  s.synchronize();
  g.replay();
  xcc::synchronize();
  std::printf("%d %ld\n", seen[0], sum());
  // CHECK: 51 25001

  // Other arguments, and another kernel, for what is replayed from then on.
  g.replay(s);
  g.update(third, s,
           [&] { xcc::launch({{blocks}, {64}, 0, s}, scale, data.data(), n, 7); });
  g.replay(s);
  s.synchronize();
  std::printf("%d %ld\n", seen[0], sum());
  // CHECK: 36 17501
  g.update(0, s, [&] {
    s.fill(data.data(), 4, n);
    xcc::launch({{1}, {64}, 0, s}, scale, data.data(), n, 2);
  });
  g.replay(s);
  s.synchronize();
  std::printf("%d %d %ld\n", seen[0], seen[n - 1], sum());
  // CHECK: 57 28 15793

  // A lambda; large arguments; shared memory.
  data.fill(0);
  large values{};
  for (int i = 0; i != 200; ++i)
    values.values[i] = i;
  auto kinds = xcc::graph::record(s, [&] {
    xcc::launch({{1}, {1}, 0, s}, [](int *to) { to[0] += 5; }, data.data());
    xcc::launch({{blocks}, {64}, 0, s}, add_large, data.data(), n, values);
    xcc::launch({{blocks}, {64}, 64 * sizeof(int), s}, in_shared, data.data(), n);
    xcc::launch({{blocks}, {64}, 64 * sizeof(int), s}, in_shared, data.data(), n);
  });
  for (int i = 0; i != 3; ++i)
    kinds.replay(s);
  s.copy(seen.data(), data.data(), n);
  s.synchronize();
  // The last block's threads beyond n put a 0 where they read, twice.
  std::printf("%d %d %d\n", seen[0], seen[1], seen[199]);
  // CHECK: 15 3 597

  // Rows that lie apart; elements of every size.
  {
    struct wide {
      int values[20];
    };
    xcc::buffer<wide> wides(10);
    xcc::host_buffer<wide> out(10);
    xcc_pitch pitch{5 * sizeof(wide), 0};
    const xcc_extent extent{sizeof(wide), 2, 1};
    wide value{};
    value.values[19] = 77;
    int four = 4;
    auto rows = xcc::graph::record(s, [&] {
      s.fill(wides.data(), wide{}, 10);
      xcc::detail::check(xcc_memory_fill_pitched_async(
          wides.data(), &pitch, &value, sizeof(value), &extent, s.handle()));
      xcc::detail::check(xcc_memory_fill_pitched_async(
          wides.data() + 1, &pitch, &four, sizeof(four), &extent, s.handle()));
      xcc::detail::check(xcc_memory_copy_pitched_async(wides.data() + 2, &pitch,
                                                wides.data() + 1, &pitch,
                                                &extent, s.handle()));
      s.copy(out.data(), wides.data(), 10);
    });
    rows.replay(s);
    rows.replay(s);
    s.synchronize();
    for (const wide &w : out)
      std::printf("%d ", w.values[19]);
    std::printf("\n");
    // CHECK: 77 4 4 0 0 77 4 4 0 0
  }

  // A graph in a graph, and in two streams at once.
  data.fill(0);
  copy.fill(0);
  auto inner = xcc::graph::record(s, [&] {
    for (int i = 0; i != 5; ++i)
      xcc::launch({{blocks}, {64}, 0, s}, add, data.data(), n, 1);
  });
  auto outer = xcc::graph::record(other, [&] {
    inner.replay(other);
    inner.replay(other);
    xcc::launch({{blocks}, {64}, 0, other}, add, copy.data(), n, 1);
  });
  std::printf("%zu\n", outer.size());
  // CHECK: 11
  auto on_copy = xcc::graph::record(s, [&] {
    for (int i = 0; i != 11; ++i)
      xcc::launch({{blocks}, {64}, 0, s}, add, copy.data(), n, 1);
  });
  on_copy.replay(s);
  s.synchronize();
  outer.replay(s);
  inner.replay(s);
  s.synchronize();
  s.copy(seen.data(), data.data(), n);
  s.synchronize();
  std::printf("%d %ld\n", seen[n - 1], sum());
  // CHECK: 15 7500
  std::vector<std::thread> threads;
  xcc::stream own[4];
  xcc::buffer<int> parts[4] = {xcc::buffer<int>(n), xcc::buffer<int>(n),
                               xcc::buffer<int>(n), xcc::buffer<int>(n)};
  for (auto &p : parts)
    p.fill(0);
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      auto mine = xcc::graph::record(own[t], [&] {
        for (int i = 0; i != 5; ++i)
          xcc::launch({{blocks}, {64}, 0, own[t]}, add, parts[t].data(), n, t);
      });
      for (int i = 0; i != 4; ++i)
        mine.replay(own[t]);
      own[t].synchronize();
    });
  for (auto &t : threads)
    t.join();
  for (int t = 0; t != 4; ++t) {
    parts[t].copy_to(seen.data(), n);
    std::printf("%ld ", sum() / n);
  }
  std::printf("\n");
  // CHECK: 0 20 40 60
  // One graph, replayed by threads while another changes it.
  {
    data.fill(0);
    auto shared = xcc::graph::record(s, [&] {
      s.fill(copy.data(), 1, n);
      s.fill(data.data(), 1, n);
    });
    std::thread replaying([&] {
      for (int i = 0; i != 50; ++i)
        shared.replay(s);
    });
    for (int i = 0; i != 50; ++i)
      shared.update(1, other, [&] { other.fill(data.data(), i, n); });
    replaying.join();
    shared.replay(s);
    s.copy(seen.data(), data.data(), n);
    s.synchronize();
    std::printf("%d\n", seen[n / 2]);
    // CHECK: 49
  }

  // What is none.
  auto record = [&](auto what) { (void)xcc::graph::record(s, what); };
  refused("wait", [&] { record([&] { s.synchronize(); }); });
  // CHECK: wait: xcc_stream_synchronize: the stream is being recorded as a graph, which takes launches, copies and fills
  refused("query", [&] { record([&] { s.query(); }); });
  // CHECK: query: xcc_stream_query: the stream is being recorded
  refused("device", [&] { record([&] { xcc::synchronize(); }); });
  // CHECK: device: xcc_device_synchronize cannot be part of the graph that this thread records
  refused("event", [&] { record([&] { xcc::event().record(s); }); });
  // CHECK: event: xcc_event_record: the stream is being recorded
  refused("wait for event", [&] {
    xcc::event e;
    record([&] { s.wait(e); });
  });
  // CHECK: wait for event: xcc_stream_wait_event: the stream is being recorded
  refused("call", [&] { record([&] { s.call([] {}); }); });
  // CHECK: call: xcc_stream_call: the stream is being recorded
  refused("read", [&] {
    int out;
    record([&] { data.copy_to(&out, 1); });
  });
  // CHECK: read: a copy or fill that waits cannot be part of the graph
  refused("allocation", [&] { record([&] { xcc::buffer<int> b(4); }); });
  // CHECK: allocation: xcc_memory_alloc cannot be part of the graph
  refused("no stream", [&] {
    record([&] { xcc::launch({{1}, {1}}, add, data.data(), n, 1); });
  });
  // CHECK: no stream: this thread records a graph, and work in the default stream would not be part of it
  refused("twice", [&] { record([&] { record([] {}); }); });
  // CHECK: twice: xcc_graph_begin: the stream is being recorded already
  refused("grid", [&] {
    record([&] { xcc::launch({{0}, {1}, 0, s}, add, data.data(), n, 1); });
  });
  // CHECK: grid: launch of 'add': grid.x is 0
  refused("too many", [&] { g.update(5, s, [&] {
      s.fill(data.data(), 4, n);
      s.fill(data.data(), 4, n);
    });
  });
  // CHECK: too many: xcc_graph_update: 2 steps from step 5 on are more than the graph's 6
  // An error that the program passes over is told at the end.
  xcc::detail::check(xcc_graph_begin(s.handle()));
  (void)xcc_stream_synchronize(s.handle());
  xcc_graph *none = nullptr;
  const bool failed = xcc_graph_end(s.handle(), &none) != XCC_SUCCESS;
  std::printf("%d %d %s\n", failed, none != nullptr, xcc_error_last());
  // CHECK: 1 0 xcc_stream_synchronize: the stream is being recorded
  refused("not begun", [&] {
    xcc::detail::check(xcc_graph_end(s.handle(), &none));
  });
  // CHECK: not begun: xcc_graph_end: the stream is not being recorded
  refused("default", [] { xcc::detail::check(xcc_graph_begin(nullptr)); });
  // CHECK: default: xcc_graph_begin: stream is null
  // Memory that copies use is still there.
  {
    auto gone = std::make_unique<xcc::buffer<int>>(n);
    auto into = xcc::graph::record(s, [&] { s.fill(gone->data(), 1, n); });
    into.replay(s);
    s.synchronize();
    gone.reset();
    refused("freed", [&] { into.replay(s); });
    // CHECK: freed: xcc_graph_launch: step 0 copies or fills 2000 bytes at {{.*}}, which were freed since
  }
  // The stream is as any other after all that.
  s.fill(data.data(), 8, n);
  s.copy(seen.data(), data.data(), n);
  s.synchronize();
  std::printf("%d\n", seen[1]);
  // CHECK: 8
}
