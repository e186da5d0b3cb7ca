// Device code prints and calls functions of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads look for roots by Newton's method. They print, call a function of the
// program that runs on the host, and write to the host's stream. This works
// from a GPU as from the CPU.

#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

/// The map is on the host. A thread waits until the call has returned.
static std::map<std::string, int> votes;

XCC_HOST int vote(std::string_view root) { return ++votes[std::string(root)]; }

void newton(int starts) {
  const int i = int(xcc::global_id());
  if (i >= starts)
    return;
  // x^3 - x = 0 has the roots -1, 0 and 1.
  double x = -2 + 4.0 * i / (starts - 1);
  int steps = 0;
  while (std::fabs(x * x * x - x) > 1e-12 && steps < 100) {
    x -= (x * x * x - x) / (3 * x * x - 1);
    ++steps;
  }
  const char *root = x < -0.5 ? "-1" : x > 0.5 ? "+1" : "0";
  const int count = vote(root);
  if (steps > 10)
    std::printf("start %2d takes %2d steps to %s\n", i, steps, root);
  if (count == 1)
    xcc::host_call(
        [i](double at) {
          std::cout << "start " << i << " finds " << at << '\n';
        },
        std::round(x));
}

int main() {
  constexpr int starts = 64;
  std::printf("newton: on %s\n", xcc::device::current().name());
  xcc::launch({{2}, {32}}, newton, starts);
  xcc::synchronize();
  int sum = 0;
  for (const auto &[root, count] : votes) {
    std::printf("root %2s: %d starts\n", root.c_str(), count);
    sum += count;
  }
  const bool right = sum == starts && votes["-1"] == votes["+1"];
  std::printf("check: %s\n", right ? "correct" : "WRONG");
  return right ? 0 : 1;
}
