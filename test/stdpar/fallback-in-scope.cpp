// -foffload-stdpar: in an xcc::map scope, an algorithm that runs on the host works
// with the device's elements, wherever its arguments lead to them.
// RUN: %xcc -O1 -std=c++20 -foffload-stdpar -Wno-offload-stdpar -Werror=offload-race %s -o %t
// RUN: %t | FileCheck %s
// RUN: env XCC_CPU_SEPARATE=1 %t | FileCheck %s
// RUN: env XCC_CPU_SEPARATE=1 XCC_STDPAR_LEAST=1 %t | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <deque>
#include <execution>
#include <functional>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <vector>
#include <xcc/xcc.h>

using std::execution::par;

/// On the device, whatever the host has.
static void add(std::vector<int> &v, int n) {
  xcc::parallel_for(v.size(), [&v, n](std::size_t i) { v[i] += n; });
}

static void twice_it(int &x) { x *= 2; }

int main() {
  std::vector<int> v(40), other(40), untouched(8, 1);
  std::vector<std::string> words(6, "one");
  {
    xcc::map scope(v, other, words, untouched);
    untouched[0] = 7; // only the host's, until to_device
    std::iota(other.begin(), other.end(), 0);
    scope.to_device(other);
    add(v, 1);
    // Few elements.
    std::for_each(par, v.begin(), v.end(), [](int &x) { x *= 3; });
    add(v, 1);
    // CHECK: 4 40
    std::printf("%d %td\n", std::reduce(par, v.begin(), v.end()) / 40,
                std::count(par, v.rbegin(), v.rend(), 4));
    // What no kernel can have, which leads to elements by a reference, an address
    // or a view.
    std::function<int(int)> twice = [](int x) { return x * 2; };
    add(other, 1);
    std::transform(par, v.begin(), v.end(), other.begin(), v.begin(),
                   [&](int a, int b) { return twice(a) + b; });
    add(v, 1);
    int *at = v.data();
    std::span<int> view = v;
    std::list<int> places = {0, 39};
    int sums[2] = {};
    std::for_each(par, places.begin(), places.end(),
                  [&v, &sums](int i) { sums[i != 0] += v[std::size_t(i)]; });
    std::for_each(par, places.begin(), places.end(),
                  [at, &sums](int i) { sums[i != 0] += at[i]++; });
    std::for_each(par, places.begin(), places.end(), [view, &sums](int i) {
      sums[i != 0] += view[std::size_t(i)];
    });
    // CHECK: 31 148
    std::printf("%d %d\n", sums[0], sums[1]);
    std::for_each(par, places.begin(), places.end(), [&](int i) {
      other[std::size_t(i)] = twice(other[std::size_t(i)]) + v[1];
    });
    xcc::parallel_for(1, [&](std::size_t) { other[0] += other[39] * 1000; });
    std::copy(par, v.begin(), v.begin() + 4, other.rbegin());
    // Elements that own memory.
    xcc::parallel_for(6, [&](std::size_t i) { words[i][0] = char('z' - i); });
    std::sort(par, words.begin(), words.end());
    xcc::parallel_for(6, [&](std::size_t i) { words[i][1] = words[i][0]; });
    // A deque, whose blocks a scope holds each on its own.
    std::deque<int> parts(300, 1);
    {
      xcc::map blocks(parts);
      xcc::parallel_for(300, [&](std::size_t i) { parts[i] += int(i); });
      std::sort(par, parts.rbegin(), parts.rend());
      std::for_each(par, parts.begin(), parts.end(), twice_it);
      xcc::parallel_for(300, [&](std::size_t i) { parts[i] += int(i) * 1000; });
    }
    // CHECK: parts 600 299002
    std::printf("parts %d %d\n", parts[0], parts[299]);
    scope.to_device(untouched);
    xcc::parallel_for(1, [&](std::size_t) { ++untouched[1]; });
    scope.end();
  }
  // CHECK: v 11 11, other 91013 13 11, uue zze, 7 2
  std::printf("v %d %d, other %d %d %d, %s %s, %d %d\n", v[0], v[1], other[0],
              other[36], other[39], words[0].c_str(), words[5].c_str(),
              untouched[0], untouched[1]);
}
