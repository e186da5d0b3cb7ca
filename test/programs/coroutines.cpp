// A generator as a coroutine, ranges, a variant that is visited
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-std=c++20 --devices host,sm_90
#include <coroutine>
#include <cstdio>
#include <exception>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  Generator(Generator &&other) : handle(std::exchange(other.handle, {})) {}
  ~Generator() {
    if (handle)
      handle.destroy();
  }
  bool next() {
    handle.resume();
    return !handle.done();
  }
};
static Generator collatz(int n) {
  while (n != 1) {
    co_yield n;
    n = n % 2 ? 3 * n + 1 : n / 2;
  }
  co_yield 1;
}

int main() {
  Generator g = collatz(7);
  while (g.next())
    std::printf("%d ", g.handle.promise().value);
  std::printf("\n");
  for (int i : std::views::iota(1, 30) | std::views::filter([](int i) { return i % 3 == 0; }) | std::views::transform([](int i) { return i * i; }))
    std::printf("%d ", i);
  std::printf("\n");
  std::vector<std::variant<int, double, std::string>> list = {1, 2.5, std::string("three")};
  for (auto &v : list)
    std::visit([](auto &x) {
      if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::string>)
        std::printf("%s\n", x.c_str());
      else
        std::printf("%g\n", double(x));
    }, v);
  return 0;
}
