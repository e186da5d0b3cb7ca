// The CPU device shares the host's libraries: allocation, containers that
// allocate, C strings and printf work in kernels.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

int main() {
  same("vector", 40, [](std::size_t i) {
    std::vector<int> v;
    for (std::size_t k = 0; k <= i; ++k)
      v.push_back(int(k));
    return std::accumulate(v.begin(), v.end(), v.at(i / 2));
  });
  same("string and map", 40, [](std::size_t i) {
    std::map<std::string, int> m;
    for (std::size_t k = 0; k < i; ++k)
      m["a key that is too long to be stored in place " +
        std::to_string(k % 7)] += int(k);
    return m.empty() ? -1 : m.rbegin()->second;
  });
  same("function and smart pointers", 40, [](std::size_t i) {
    auto shared = std::make_shared<int>(int(i));
    auto unique = std::make_unique<int[]>(i + 1);
    std::function<int(int)> f = [shared, x = std::array{1, 2, 3, 4, 5, 6}](
                                    int y) { return *shared + x[3] + y; };
    return f(unique[i]) + int(shared.use_count());
  });
  same("C", 40, [](std::size_t i) {
    char *text = static_cast<char *>(std::malloc(100));
    std::memset(text, 'a' + int(i % 26), 99);
    text[i] = 0;
    char other[100];
    std::strcpy(other, text);
    const int result = int(std::strlen(other)) + std::strcmp(text, other) +
                       std::atoi("42");
    std::free(text);
    return result;
  });
  // CHECK: C: same
  std::fflush(stdout);
  xcc::parallel_for(3, [](std::size_t i) { std::printf("thread %zu\n", i); });
  xcc::synchronize();
  // CHECK-DAG: thread 0
  // CHECK-DAG: thread 1
  // CHECK-DAG: thread 2
}
