// libxcc's own work in a program under a sanitizer is no fault of the program's:
// threads of the host with streams and buffers, calls of the host, strings on
// the stacks and the heap of kernels, warps.
// RUN: %xcc -std=c++20 -g -fsanitize=thread %s -o %t && %t 2>&1 | %FileCheck %s --implicit-check-not=WARNING
// RUN: %xcc -std=c++20 -g -fsanitize=address,undefined %s -o %t && %t 2>&1 | %FileCheck %s --implicit-check-not=ERROR
// RUN: %xcc -std=c++20 -g -fsanitize=leak %s -o %t && %t 2>&1 | %FileCheck %s --implicit-check-not=ERROR
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include <xcc/host_call.h>
#include <xcc/xcc.h>

static std::mutex mutex;
static int told;
static int tell(int i, const char *text) {
  std::lock_guard lock(mutex);
  told += i;
  return told + int(text[0]);
}
static void calls(int *out, int v) {
  auto i = xcc::global_id();
  out[i] = v + int(i);
  if (i == 3)
    out[i] = xcc::host_call(tell, 3, "text");
}
static void strings(int *out) {
  std::string s = "a text that is longer than what a string has room for " +
                  std::to_string(xcc::global_id());
  out[xcc::global_id()] = int(s.size());
}
static void warps(int *out) {
  int v = int(xcc::thread_idx().x);
  out[xcc::global_id()] = xcc::shuffle_xor(v, 1) + xcc::shuffle_xor(v, 2);
}

int main() {
  std::vector<std::thread> all;
  for (int t = 0; t != 3; ++t)
    all.emplace_back([t] {
      xcc::stream s;
      for (int round = 0; round != 3; ++round) {
        xcc::buffer<int> b(64);
        std::vector<int> h(64, round);
        b.copy_from(h.data(), h.size());
        xcc::launch({{2}, {32}, 0, &s}, calls, b.data(), t);
        xcc::launch({{2}, {32}, 0, &s}, strings, b.data());
        s.synchronize();
        b.copy_to(h.data(), h.size());
        h[0] += 1;
      }
    });
  for (std::thread &t : all)
    t.join();
  std::vector<int> y(64);
  xcc::launch({{1}, {64}}, warps, y.data());
  xcc::synchronize();
  // CHECK: 11 27
  std::printf("%d %d\n", y[4], told);
}
