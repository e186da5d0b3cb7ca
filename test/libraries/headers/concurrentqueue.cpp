// moodycamel::ConcurrentQueue in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <concurrentqueue/concurrentqueue.h>
int main() {
  both("queue", std::vector<int>(64, 0), [](int *p) {
    moodycamel::ConcurrentQueue<int> q(100);
    for (int i = 0; i < 40; ++i)
      q.enqueue(i * i);
    int x, n = 0, s = 0;
    while (q.try_dequeue(x)) {
      s = s * 3 + x;
      ++n;
    }
    p[0] = s;
    p[1] = n;
  });
}
