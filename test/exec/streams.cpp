// Streams run beside each other, each in its own order; events tie them.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <chrono>
#include "Inputs/same.h"

void append(int *list, int value) { list[++list[0]] = value; }
void wait_a_little(volatile int *sink) {
  for (int i = 0; i < 3'000'000; ++i)
    *sink = i;
}

int main() {
  xcc::buffer<int> list(20), sink(1);
  list.fill(0);
  xcc::stream one, two;
  xcc::event done;
  xcc::launch({{1}, {1}, 0, &one}, wait_a_little, sink.data());
  xcc::launch({{1}, {1}, 0, &one}, append, list.data(), 1);
  done.record(one);
  two.wait(done);
  xcc::launch({{1}, {1}, 0, &two}, append, list.data(), 2);
  two.synchronize();
  xcc::launch({{1}, {1}}, append, list.data(), 3);
  int host[20];
  list.copy_to(host, 20);
  std::printf("%d: %d %d %d\n", host[0], host[1], host[2], host[3]);
  // CHECK: 3: 1 2 3
  xcc::event start, stop;
  start.record();
  xcc::launch({{1}, {1}}, wait_a_little, sink.data());
  stop.record();
  std::printf("%s\n", start.elapsed<std::chrono::microseconds>(stop).count() > 100 ? "time passed" : "no time");
  // CHECK: time passed
}
