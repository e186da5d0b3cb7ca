// Vectors and a loop over them on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flows through a rod whose ends are kept at 0 and 100 degrees. The loop
// over its pieces runs on the current device. Variables that it captures by
// reference are copied there, and back when the program waits.

#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

struct rod {
  std::string name;
  std::vector<double> now, next;
  double conductivity = 0.25;
};

int main() {
  const std::size_t n = 100;
  rod r{"iron", std::vector<double>(n, 0), std::vector<double>(n, 0)};
  r.now[n - 1] = r.next[n - 1] = 100;

  {
    xcc::map on_device(r); // stays there: no step copies anything
    for (int step = 0; step < 40'000; step += 2) {
      xcc::parallel_for(n - 2, [&](std::size_t i) {
        ++i;
        r.next[i] = r.now[i] + r.conductivity *
                                   (r.now[i - 1] - 2 * r.now[i] + r.now[i + 1]);
      });
      xcc::parallel_for(n - 2, [&](std::size_t i) {
        ++i;
        r.now[i] = r.next[i] + r.conductivity * (r.next[i - 1] - 2 * r.next[i] +
                                                 r.next[i + 1]);
      });
    }
  } // back on the host

  // In the end the temperature rises evenly.
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i)
    worst = std::fmax(worst,
                      std::fabs(r.now[i] - 100.0 * double(i) / double(n - 1)));
  const bool right = worst < 0.1;
  std::printf("vectors: heat in a rod of %s on %s: %s\n", r.name.c_str(),
              xcc::device::current().name(), right ? "correct" : "WRONG");
  return right ? 0 : 1;
}
