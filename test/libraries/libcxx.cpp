// Kernels with libc++ (-stdlib=libc++): all of it on the CPU device, what its
// headers define on GPUs; host and libxcc, which libstdc++ is part of, share a
// program with it, and exceptions pass.
// REQUIRES: libcxx
// RUN: %xcc -std=c++20 -stdlib=libc++ -O2 -DHOST %s -o %t && %t | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: llvm-readelf -d %t | FileCheck %s --check-prefix=NEEDED
// RUN: %xcc -std=c++20 -stdlib=libc++ -O0 -DHOST -c %s -o %t.o && %xcc -stdlib=libc++ %t.o -o %t && %t | FileCheck %s --check-prefixes=CHECK,HOST
// The device link for another compiler's link is not told which library it is.
// RUN: %xcc --device-link %t.o -o %t.device.o
// RUN: %clangxx -stdlib=libc++ %t.o %t.device.o %build/lib/libxcc.a -Wl,--wrap=sigaction -Wl,--wrap=signal -Wl,--wrap=bsd_signal -Wl,--wrap=__sysv_signal -lc++ -Wl,-lstdc++ -o %t && %t | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: %xcc -std=c++20 -stdlib=libc++ -O2 -DHOST -static-libstdc++ %s -o %t && %t | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: %not %xcc -std=c++20 -stdlib=libc++ -static %s -o %t 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: %xcc -std=c++20 -stdlib=libc++ -O2 %two-gpus %s -o %t
// RUN: %if simulators %{ %on-nvidia %t | FileCheck %s %}
// RUN: %if simulators %{ %on-amd %t | FileCheck %s %}
// NEEDED: NEEDED{{.*}}libc++.so
// STATIC: error: -static and -stdlib=libc++ exclude each other in a program with kernels
#include <xcc/xcc.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
#ifdef HOST
#include <charconv>
#include <format>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#endif

int main() {
  std::array<int, 8> numbers = {};
  xcc::launch({{1}, {1}}, [out = std::span(numbers)] {
    std::vector<int> all;
    for (int i = 0; i < 40; ++i)
      all.push_back(i * 7 % 40);
    // The library's, for numbers; the header's, for an order of one's own.
    std::sort(all.begin(), all.end());
    out[0] = std::is_sorted(all.begin(), all.end()) ? all[3] : -1;
    std::sort(all.begin(), all.end(), [](int a, int b) { return a > b; });
    out[1] = all[3];
    std::array<double, 10> few;
    std::iota(few.rbegin(), few.rend(), 0.5);
    std::sort(few.begin(), few.end());
    out[2] = int(few[4] * 2);
    std::optional<int> some = 5;
    std::variant<int, float> either = 2.5f;
    out[3] = some.value_or(0) + int(std::get<float>(either) * 2);
    out[4] = std::get<1>(std::tuple(1, 7));
    std::map<int, int> map{{3, 4}, {1, 2}};
    out[5] = map.begin()->second;
    std::string text("a text that is not a short one");
    text.append(3, '!');
    out[6] = int(text.size());
    out[7] = *std::make_unique<int>(9);
  });
  xcc::synchronize();
  // CHECK: 3 36 9 10 7 2 33 9
  for (int number : numbers)
    std::printf("%d ", number);
  std::puts("");
#ifdef HOST
  int *out = numbers.data();
  char lines[8][64] = {};
  auto *line = lines;
  xcc::launch({{1}, {1}}, [=] {
    auto put = [&](int at, const std::string &text) {
      std::strncpy(line[at], text.c_str(), 63);
    };
    std::string text = std::to_string(42);
    text.insert(0, "a text that is not a short one: ");
    put(0, text);
    std::map<std::string, int> map{{"two", 2}, {"one", 1}};
    map["three"] = 3;
    std::unordered_map<int, int> hashed{{1, 10}, {2, 20}};
    std::set<int> set{3, 1, 2};
    put(1, map.begin()->first + std::to_string(hashed.at(2) + *set.begin()));
    std::variant<int, std::string> either = std::string("either");
    put(2, std::get<std::string>(either));
    char digits[32] = {};
    std::to_chars(digits, digits + 32, 2.5);
    put(3, digits);
    put(4, std::format("{:>5}|{:.2f}", 7, 1.5));
    std::ostringstream stream;
    stream << 1.25 << ' ' << std::stoi("17");
    put(5, stream.str());
    std::vector<int> many(100, 1);
    std::function<int(int)> add = [&](int x) {
      return std::accumulate(many.begin(), many.end(), x);
    };
    put(6, std::to_string(add(1)));
  });
  xcc::synchronize();
  // HOST-NEXT: a text that is not a short one: 42
  // HOST-NEXT: one21
  // HOST-NEXT: either
  // HOST-NEXT: 2.5
  // HOST-NEXT: {{^}}    7|1.50
  // HOST-NEXT: 1.25 17
  // HOST-NEXT: 101
  for (int i = 0; i < 7; ++i)
    std::puts(lines[i]);
  try {
    xcc::launch({{1}, {1}}, [=] { out[0] = std::vector<int>(2).at(out[7]); });
    xcc::synchronize();
  } catch (const xcc::error &error) {
    // HOST-NEXT: an exception left the kernel: std::out_of_range
    std::puts(std::strstr(error.what(), "an exception"));
  }
  try {
    out[0] = std::stoi("none");
  } catch (const std::invalid_argument &error) {
    // HOST-NEXT: invalid: stoi
    std::printf("invalid: %s\n", error.what());
  }
#endif
}
