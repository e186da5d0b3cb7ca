// <xcc/algorithm.h>: what cannot be changed, and what is no range, is refused
// where it is passed, in one error each.
// RUN: not %xcc -std=c++17 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
#include <xcc/algorithm.h>
#include <xcc/xcc.h>

#include <vector>

int twice(int v) { return 2 * v; }

int main() {
  xcc::stream stream;
  xcc::buffer<int> x(4), y(4);
  const xcc::device_span<const int> fixed(x.data(), 4);
  const std::vector<int> numbers(4);
  const auto same = [](int v) { return v; };
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::sort(fixed);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::sort(stream, fixed);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::sort(numbers);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::sort_by_key(x, fixed);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::transform(x, fixed, same);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::transform(x, fixed.data(), same);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::inclusive_scan(stream, x, fixed);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::copy_if(x, fixed, same);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::unique(fixed);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm's results cannot go where the elements are const
  xcc::histogram(x, fixed);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:8: error: an algorithm takes its elements as a buffer, a span or anything that has data() and size(): xcc::sort(xcc::device_span(address, count), ...)
  xcc::sort(x.data(), x.data() + 4);
  // CHECK-NOT: error:
  // CHECK: :[[#@LINE+1]]:17: error: an algorithm takes its elements as a buffer, a span or anything that has data() and size(): xcc::reduce(
  (void)0, xcc::reduce(numbers.begin(), numbers.end(), 0);
  // What is only read may be const.
  // CHECK-NOT: error:
  xcc::transform(fixed, y, same);
  xcc::transform(fixed, fixed, y, std::plus<int>());
  xcc::for_each(fixed, [](const int &) {});
  xcc::sort_by_key(x, y.data());

  // The name of a function is no operation.
  // CHECK: error: static assertion failed{{.*}}an algorithm's operation is a function object: instead of a function's name, write a lambda that calls it
  // CHECK: :[[#@LINE+1]]:8: note:
  xcc::transform(x, y, twice);
}
