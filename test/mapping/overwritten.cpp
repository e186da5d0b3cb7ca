// What a kernel overwrites, or does not use, is not copied to the device; what it may leave as it is, is. With
// XCC_CPU_SEPARATE=1 what was not copied is the pattern, which nothing here may find.
// RUN: %everywhere
// RUN: env XCC_CPU_SEPARATE=1 XCC_LOG=map %t-all 2>&1 | FileCheck %s
#include "Inputs/check.h"

#include <span>
#include <vector>

constexpr std::size_t N = 3000;

struct Pixel {
  float r, g, b;
};
struct Many {
  std::vector<int> used, other, result;
};

static void begin(const char *what) {
  std::fprintf(stderr, "case %s\n", what);
}

void direct(std::span<int> to, int n) {
  int i = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  if (i < n)
    to[i] = 7 * i;
}

void everyThread(std::span<int> to) {
  to[xcc::global_id()] = 3;
}

void columns(std::span<int> to, std::size_t n) {
  std::size_t i = xcc::global_id();
  if (i >= n)
    return;
  to[2 * i] = int(i);
  to[2 * i + 1] = -int(i);
}

void returnsEarly(std::span<int> to, std::size_t n, int k) {
  std::size_t i = xcc::global_id();
  if (i >= n || int(i) % 7 == k)
    return;
  to[i] = 5;
}

int main() {
  std::vector<int> y(N, 1), x(N, 2);
  auto check = [&](auto &&expected) {
    xcc::synchronize();
    for (std::size_t i = 0; i != N; ++i)
      CHECK(y[i] == expected(i));
    y.assign(N, 1);
  };

  // CHECK-LABEL: case all
  // CHECK: 'y': 0 bytes to the device: new, overwritten by launch of
  begin("all");
  xcc::parallel_for(N, [&](std::size_t i) { y[i] = 2 * x[i]; });
  check([](std::size_t) { return 4; });

  // CHECK-LABEL: case both ways
  // CHECK: 'y': 0 bytes to the device: new, overwritten by launch of
  begin("both ways");
  xcc::parallel_for(N, [&](std::size_t i) {
    if (x[i] > 2)
      y[i] = 0;
    else
      y[i] = int(i);
  });
  check([](std::size_t i) { return int(i); });

  // CHECK-LABEL: case direct
  // CHECK: 'to': 0 bytes to the device: new, overwritten by launch of
  begin("direct");
  xcc::launch({{(N + 127) / 128}, {128}}, direct, y, int(N));
  check([](std::size_t i) { return 7 * int(i); });

  // CHECK-LABEL: case every thread
  // CHECK: 'to': 0 bytes to the device: new, overwritten by launch of
  begin("every thread");
  xcc::launch({{N / 100}, {100}}, everyThread, y);
  check([](std::size_t) { return 3; });

  // CHECK-LABEL: case columns
  // CHECK: 'to': 0 bytes to the device: new, overwritten by launch of
  begin("columns");
  xcc::launch({{N / 100}, {50}}, columns, y, N / 2);
  check([](std::size_t i) { return i % 2 ? -int(i / 2) : int(i / 2); });

  // CHECK-LABEL: case an odd element too many
  // CHECK: 'to': 12000 bytes to the device: new, launch of
  begin("an odd element too many");
  xcc::launch({{N / 100}, {50}}, columns, y, N / 2 - 1);
  check([](std::size_t i) {
    return i >= N - 2 ? 1 : i % 2 ? -int(i / 2) : int(i / 2);
  });

  // CHECK-LABEL: case not all
  // CHECK: 'y': 12000 bytes to the device: new, launch of
  begin("not all");
  xcc::parallel_for(N - 1, [&](std::size_t i) { y[i] = 2; });
  check([](std::size_t i) { return i + 1 == N ? 1 : 2; });

  // CHECK-LABEL: case fewer threads than asked for
  // CHECK: 'to': 12000 bytes to the device: new, launch of
  begin("fewer threads than asked for");
  xcc::launch({{10}, {100}}, direct, y, int(N));
  check([](std::size_t i) { return i < 1000 ? 7 * int(i) : 1; });

  // CHECK-LABEL: case a negative number
  // CHECK: 'to': 12000 bytes to the device: new, launch of
  begin("a negative number");
  xcc::launch({{N / 100}, {100}}, direct, y, -1);
  check([](std::size_t) { return 1; });

  // CHECK-LABEL: case a part
  // CHECK: {{'(to|y)'}}: 12000 bytes to the device: new, launch of
  begin("a part");
  xcc::parallel_for(N / 2, [s = std::span(y).subspan(N / 2), &y](std::size_t i) {
    s[i] = int(y.size() != 0);
  });
  check([](std::size_t) { return 1; });

  // CHECK-LABEL: case on a condition
  // CHECK: 'y': 12000 bytes to the device: new, launch of
  begin("on a condition");
  xcc::parallel_for(N, [&](std::size_t i) {
    if (x[i] == int(i % 3))
      y[i] = 9;
  });
  check([](std::size_t i) { return i % 3 == 2 ? 9 : 1; });

  // CHECK-LABEL: case early return
  // CHECK: 'to': 12000 bytes to the device: new, launch of
  begin("early return");
  xcc::launch({{N / 100}, {100}}, returnsEarly, y, N, 3);
  check([](std::size_t i) { return i % 7 == 3 ? 1 : 5; });

  // CHECK-LABEL: case read as well
  // CHECK: 'y': 12000 bytes to the device: new, launch of
  begin("read as well");
  xcc::parallel_for(N, [&](std::size_t i) { y[i] += 3; });
  check([](std::size_t) { return 4; });

  // CHECK-LABEL: case read through another
  // CHECK: {{'(y|also)'}}: 12000 bytes to the device: new, launch of
  begin("read through another");
  {
    std::span<const int> also(y);
    xcc::parallel_for(N, [&y, also](std::size_t i) {
      int next = also[i];
      y[i] = next + 4;
    });
  }
  check([](std::size_t) { return 5; });

  // CHECK-LABEL: case through another, not all
  // CHECK: {{'(y|also)'}}: 12000 bytes to the device: new, launch of
  begin("through another, not all");
  {
    std::span<int> also(y);
    xcc::parallel_for(N, [&x, also](std::size_t i) {
      if (x[i] == int(i))
        also[i] = 8;
    });
  }
  check([](std::size_t i) { return i == 2 ? 8 : 1; });

  // Threads behind the swap write to the other.
  // CHECK-LABEL: case the address changes
  // CHECK-DAG: 'y': 12000 bytes to the device: new, launch of
  // CHECK-DAG: 'other': 12000 bytes to the device: new, launch of
  begin("the address changes");
  {
    std::vector<int> other(N, 1);
    xcc::launch({{N / 100}, {100}}, [&] {
      std::size_t i = xcc::global_id();
      if (i == 0)
        std::swap(y, other);
      if (i < N)
        y[i] = 1;
    });
    check([](std::size_t) { return 1; });
  }

  // Part of an element.
  // CHECK-LABEL: case two of three
  // CHECK: 'pixels': 36000 bytes to the device: new, launch of
  begin("two of three");
  std::vector<Pixel> pixels(N, Pixel{1, 2, 3});
  xcc::parallel_for(N, [&](std::size_t i) {
    pixels[i].r = 4;
    pixels[i].b = 5;
  });
  xcc::synchronize();
  CHECK(pixels[N - 1].r == 4 && pixels[N - 1].g == 2 && pixels[N - 1].b == 5);
  // CHECK-LABEL: case three of three
  // CHECK: 'pixels': 0 bytes to the device: new, overwritten by launch of
  begin("three of three");
  xcc::parallel_for(N, [&](std::size_t i) {
    pixels[i].r = 6;
    pixels[i].b = 7;
    pixels[i].g = 8;
  });
  xcc::synchronize();
  CHECK(pixels[N - 1].r == 6 && pixels[N - 1].g == 8 && pixels[N - 1].b == 7);

  // What the first launch does not use, the second reads, another stream's too.
  Many many{std::vector<int>(N, 1), std::vector<int>(N, 2),
            std::vector<int>(N, 3)};
  // CHECK-LABEL: case later
  // CHECK-DAG: 'many.used': 12000 bytes to the device: new, launch of
  // CHECK-DAG: 'many.other': 0 bytes to the device: new, not used by launch of
  // CHECK-DAG: 'many.result': 0 bytes to the device: new, overwritten by launch of
  // CHECK: 'many.other': 12000 bytes to the device: needed now, launch of
  // CHECK-NOT: 'many.other': 12000 bytes to
  // CHECK: 'many.result': 12000 bytes back to the host
  begin("later");
  xcc::parallel_for(N, [&](std::size_t i) { many.result[i] = many.used[i]; });
  xcc::parallel_for(N, [&](std::size_t i) {
    if (i % 2)
      many.result[i] += many.other[i];
  });
  xcc::parallel_for(N, [&](std::size_t i) { many.result[i] *= many.other[i]; });
  xcc::synchronize();
  for (std::size_t i = 0; i != N; ++i)
    CHECK(many.result[i] == (i % 2 ? 6 : 2) && many.other[i] == 2);

  // CHECK-LABEL: case a scope
  // CHECK: 'many.other': 0 bytes to the device: new, not used by launch of
  // CHECK-DAG: 'many.other': 12000 bytes to the device: new, mapping
  // CHECK-DAG: 'many.result': 12000 bytes to the device: new, mapping
  begin("a scope");
  xcc::parallel_for(N, [&](std::size_t i) { many.result[i] = many.used[i]; });
  {
    xcc::map scope(many);
    xcc::parallel_for(N, [&](std::size_t i) { many.result[i] = many.other[i]; });
    xcc::parallel_for(N, [&](std::size_t i) { many.other[i] = int(i); });
    scope.to_host(many);
    CHECK(many.result[N - 1] == 2 && many.other[N - 1] == int(N - 1));
  }
  CHECK(many.result[N - 1] == 2 && many.other[N - 1] == int(N - 1));

  // Streams.
  // CHECK-LABEL: case streams
  begin("streams");
  xcc::stream one, two, three;
  for (int round = 0; round != 20; ++round) {
    many.other.assign(N, round);
    xcc::launch({{N / 100}, {100}, 0, &one}, [&] { std::size_t i = xcc::global_id(); many.result[i] = many.used[i]; });
    xcc::launch({{N / 100}, {100}, 0, &two}, [&] { std::size_t i = xcc::global_id(); x[i] = many.other[i]; });
    xcc::launch({{N / 100}, {100}, 0, &three}, [&] { std::size_t i = xcc::global_id(); y[i] = many.other[i] + 1; });
    one.synchronize();
    two.synchronize();
    three.synchronize();
    CHECK(x[N - 1] == round && y[0] == round + 1 && many.result[7] == 1);
  }
}
