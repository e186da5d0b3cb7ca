// std::mutex, std::call_once, futures and what else of <thread>'s library lives
// in thread_local variables of its own, on the CPU device.
// RUN: %xcc -Wno-offload-globals -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -Wno-offload-globals -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <xcc/xcc.h>

std::mutex mutex;
std::recursive_mutex again;
std::shared_mutex shared;
std::once_flag once;
int made = 0, sum = 0;

void counts() {
  std::call_once(once, [] { ++made; });
  std::scoped_lock lock(mutex, again);
  std::lock_guard inner(again);
  sum += made;
}
void reads(int *out) {
  std::shared_lock lock(shared);
  std::unique_lock other(mutex, std::defer_lock);
  if (xcc::global_id() == 0 && other.try_lock())
    *out = sum;
}
void futures(int *out) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  promise.set_value(5);
  *out = future.get();
  *out += std::async(std::launch::deferred, [] { return 7; }).get();
  std::packaged_task<int(int)> task([](int i) { return i * 2; });
  auto result = task.get_future();
  task(21);
  *out += result.get();
}

int main() {
  xcc::buffer<int> out(1);
  int n = 0;
  xcc::launch({200, 64}, counts);
  xcc::launch({1, 64}, reads, out.data());
  out.copy_to(&n, 1);
  std::printf("%d\n", n); // CHECK: 12800
  xcc::symbol(made).copy_to(n);
  std::printf("%d\n", n); // CHECK: 1
  xcc::launch({1, 1}, futures, out.data());
  out.copy_to(&n, 1);
  std::printf("%d\n", n); // CHECK: 54
}
