// Kernels that catch, throw, and make strings longer
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread reads a line of text as a number. If that fails, it catches the
// exception and adds a remark to the line: the string grows on the device.
// A second kernel throws an exception that the host catches.

#include <xcc/xcc.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct Negative {
  std::size_t line;
  double value;
};

int main() {
  std::vector<std::string> lines = {"21.5", "19.25", "broken",
                                    "-300", "",      "20"};
  std::vector<double> values(lines.size());
  xcc::parallel_for(lines.size(), [&](std::size_t i) {
    std::size_t used = 0;
    try {
      values[i] = std::stof(lines[i], &used);
    } catch (const std::exception &) {
      lines[i] += " (is not a number, and counts as zero)";
    }
  });
  xcc::synchronize();
  for (std::size_t i = 0; i != lines.size(); ++i)
    std::printf("%7.2f  %s\n", values[i], lines[i].c_str());

  try {
    xcc::parallel_for(values.size(), [&](std::size_t i) {
      if (values[i] < -273.15)
        throw Negative{i, values[i]};
    });
    xcc::synchronize();
  } catch (const xcc::device_exception &e) {
    std::printf("a kernel threw a %s\n", e.type());
    try {
      e.rethrow_if<Negative>();
    } catch (const Negative &found) {
      std::printf("line %zu: %g is too cold\n", found.line, found.value);
      const bool right = found.line == 3 && found.value == -300 &&
                         lines[2].size() > 40 && values[0] == 21.5;
      return right ? 0 : 1;
    }
  }
  std::puts("the exception did not come");
  return 1;
}
