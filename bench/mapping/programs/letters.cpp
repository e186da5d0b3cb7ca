// A text is read, five numbers come back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::string text;
  for (std::size_t i = 0; i < N; ++i)
    text += char('a' + i * i % 26);
  unsigned count[5] = {};
#ifdef _OPENMP
  const char *chars = text.data();
#pragma omp target teams distribute parallel for map(to : chars[ : N + 1])     \
    map(tofrom : count)
  for (std::size_t i = 0; i < N; ++i)
    for (int v = 0; v < 5; ++v)
      if (chars[i] == "aeiou"[v])
#pragma omp atomic
        count[v] += 1;
#else
  xcc::parallel_for(N, [&](std::size_t i) {
    for (int v = 0; v < 5; ++v)
      if (text[i] == "aeiou"[v])
        std::atomic_ref(count[v]).fetch_add(1, std::memory_order_relaxed);
  });
  xcc::synchronize();
#endif
  print(std::vector<unsigned>(count, count + 5));
}
