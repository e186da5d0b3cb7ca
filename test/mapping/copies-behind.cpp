// What a kernel writes comes back in its queue, after the kernel: the copies are enqueued when
// somebody waits for it, not when it has ended. What is launched meanwhile, and what addresses are
// in, comes back as well.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=2 XCC_LOG=map %t
#include "Inputs/check.h"

#include <atomic>
#include <fcntl.h>
#include <new>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

/// What the runtime says goes here, until it has said so.
class Said {
public:
  Said() {
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    from = ends[0];
    before = dup(2);
    dup2(ends[1], 2);
    close(ends[1]);
  }
  ~Said() {
    dup2(before, 2);
    close(before);
    close(from);
  }
  void waitFor(const char *what) {
    std::string all;
    for (char c; all.find(what) == all.npos;) {
      CHECK(read(from, &c, 1) == 1);
      all += c;
    }
  }

private:
  int from, before;
};

struct Two {
  std::vector<int> first, second;
};

int main() {
  alarm(100); // the kernels wait for copies that are behind them
  void *memory = nullptr;
  CHECK(xcc_memory_alloc_host(sizeof(int), &memory) == XCC_SUCCESS);
  int *flag = new (memory) int(0);
  auto wait = [flag](int value) {
    while (std::atomic_ref(*flag).load() != value)
      ;
  };
  std::vector<int> x(5000, 1), y(5000, 1);
  Two two{std::vector<int>(3000, 1), std::vector<int>(3000, 1)};
  auto whole = [](xcc::stream &s, auto step) { xcc::launch({{1}, {1}, 0, &s}, step); };

  // Nothing else is launched.
  {
    xcc::stream s;
    whole(s, [&, wait] { wait(1), x[4999] = 2, two.first[2999] = 2, two.second.data()[0] = 3; });
    Said said;
    std::thread waits([&] { s.synchronize(); });
    said.waitFor("bytes back to the host");
    std::atomic_ref(*flag).store(1);
    waits.join();
  }
  CHECK(x[4999] == 2 && x[0] == 1 && two.first[2999] == 2 && two.second[0] == 3);

  // Small ones.
  Two small{std::vector<int>(100, 1), std::vector<int>(1000, 1)};
  {
    xcc::stream s;
    whole(s, [&, wait] { wait(4), small.first[99] = 2, small.second[999] = 3; });
    Said said;
    std::thread waits([&] { s.synchronize(); });
    said.waitFor("bytes back to the host");
    std::atomic_ref(*flag).store(4);
    waits.join();
  }
  CHECK(small.first[99] == 2 && small.first[98] == 1 && small.second[999] == 3 && small.second[0] == 1);

  // On the same stream, which writes again; on another that reads, and on one that writes.
  xcc::stream s, reads, writes;
  {
    whole(s, [&, wait] { wait(2), x[0] = 3, y[0] = 3; });
    Said said;
    std::thread waits([&] { s.synchronize(); });
    said.waitFor("'x'");
    said.waitFor("'y'");
    said.waitFor("bytes back to the host");
    whole(s, [&] { x[0] += 1, x[1] = 5; });
    whole(reads, [&] { two.first[0] = y[0]; });
    std::thread others([&] { whole(writes, [&] { x[2] = x[0] + 1; }); });
    std::atomic_ref(*flag).store(2);
    waits.join();
    others.join();
  }
  reads.synchronize();
  CHECK(y[0] == 3 && two.first[0] == 3);
  s.synchronize();
  writes.synchronize();
  CHECK(x[0] == 4 && x[1] == 5 && x[2] == 5);
  CHECK(xcc_memory_free_host(memory) == XCC_SUCCESS);
}
