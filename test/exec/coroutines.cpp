// Coroutines in kernels: generators, tasks that hand over to each other, and on
// the CPU device a coroutine in which the block waits. An AMD GPU has none.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -DBARRIER %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -DBARRIER %s -o %t && %t | FileCheck %s
// RUN: %not %xcc -std=c++20 -O2 -DBARRIER --offload-arch=sm_90 -foffload-no-cubin %s -o %t-gpu 2>&1 | FileCheck --check-prefix=GPU %s
// CHECK: 0 wrong
// GPU: error: {{.*}}kernel 'kernel' waits at a barrier in {{.*}}which calls itself
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>
#include <xcc/xcc.h>

template <class Promise> struct Owner {
  std::coroutine_handle<Promise> handle;
  explicit Owner(Promise &promise)
      : handle(std::coroutine_handle<Promise>::from_promise(promise)) {}
  Owner(Owner &&from) : handle(std::exchange(from.handle, {})) {}
  ~Owner() {
    if (handle)
      handle.destroy();
  }
};

struct Numbers;
struct NumbersPromise {
  int value = 0;
  Numbers get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  std::suspend_always yield_value(int next) {
    value = next;
    return {};
  }
  void return_void() {}
  void unhandled_exception() { std::terminate(); }
};
struct Numbers : Owner<NumbersPromise> {
  using promise_type = NumbersPromise;
  using Owner::Owner;
  bool next() {
    handle.resume();
    return !handle.done();
  }
  int value() { return handle.promise().value; }
};
Numbers NumbersPromise::get_return_object() { return Numbers(*this); }

Numbers fibonacci(int n) {
  for (int a = 0, b = 1; n--; a = std::exchange(b, a + b))
    co_yield a;
}

struct Task;
struct TaskPromise {
  int value = 0;
  std::coroutine_handle<> then = std::noop_coroutine();
  struct Final {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<>
    await_suspend(std::coroutine_handle<TaskPromise> from) noexcept {
      return from.promise().then;
    }
    void await_resume() noexcept {}
  };
  Task get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_value(int result) { value = result; }
  void unhandled_exception() { std::terminate(); }
};
struct Task : Owner<TaskPromise> {
  using promise_type = TaskPromise;
  using Owner::Owner;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> from) {
    handle.promise().then = from;
    return handle;
  }
  int await_resume() { return handle.promise().value; }
};
Task TaskPromise::get_return_object() { return Task(*this); }

Task twice(int x) { co_return x * 2; }
Task sum(int n) {
  int all = 0;
  for (int i = 0; i < n; ++i)
    all += co_await twice(i);
  co_return all;
}

#ifdef BARRIER
Numbers turns(int n) {
  for (int i = 0; i < n; ++i) {
    xcc::sync_block();
    co_yield i;
  }
}
#endif

int work(int i) {
  int all = 0;
  Numbers numbers = fibonacci(5 + i % 7);
  while (numbers.next())
    all = all * 3 + numbers.value();
  Task task = sum(i % 9);
  task.handle.resume();
  return all + task.handle.promise().value * 1000;
}

void kernel(int *out) {
  int i = int(xcc::global_id()), result = work(i);
#ifdef BARRIER
  static xcc::block_shared<int[64]> shared;
  Numbers all = turns(3);
  while (all.next()) {
    shared[(xcc::thread_idx().x + unsigned(all.value())) % 64] = all.value();
    xcc::sync_block();
    result += shared[(xcc::thread_idx().x + 7) % 64] - all.value();
  }
#endif
  out[i] = result;
}

int main() {
  xcc::buffer<int> out(128);
  int found[128], wrong = 0;
  xcc::launch({{2}, {64}}, kernel, out.data());
  out.copy_to(found, 128);
  for (int i = 0; i < 128; ++i)
    wrong += found[i] != work(i);
  std::printf("%d wrong\n", wrong);
}
