// A program whose kernels are another file's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"
#include <cstdio>

int main() {
  std::vector<float> numbers;
  for (int i = 0; i < 1000; ++i)
    numbers.push_back(float(i));
  scale(numbers, 3);
  int wrong = 0;
  for (int i = 0; i < 1000; ++i)
    wrong += numbers[i] != 3 * float(i);
  std::printf("scale: %d of 1000 numbers are wrong\n", wrong);
  return wrong ? 1 : 0;
}
