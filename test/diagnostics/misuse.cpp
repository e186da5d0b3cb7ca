// Launches and loops in another library's order: one error each, which says what
// to write instead. Loops over a negative number of indices.
// RUN: not %xcc -std=c++20 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
// RUN: %xcc -std=c++17 -fsyntax-only -DRIGHT %s -Werror
#include <xcc/xcc.h>

#include <vector>

void kernel(int *) {}
template <class T> void generic(T *) {}

int main() {
  xcc::stream stream;
  xcc::buffer<int> data(4);
  std::vector<int> numbers(4);
  const int width = 3, height = 4;
  auto body = [](std::size_t) {};
#ifndef RIGHT
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads are one argument: xcc::launch({blocks, threads}, kernel, arguments...)
  xcc::launch(1, 4, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads are one argument
  xcc::launch(1, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads are one argument
  xcc::launch(xcc::dim3(1), xcc::dim3(4), kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads are one argument
  xcc::launch(1, 4, [](int *) {}, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads are one argument
  xcc::launch({1}, {4}, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads are one argument
  xcc::launch({1, 2}, {4, 4}, generic<int>, data);
  // CHECK: :[[#@LINE+1]]:16: error: the sizes of a grid and a block are whole numbers: (n + 255) / 256, or int(std::ceil(x))
  xcc::launch({{width / 256.0}, {256}}, kernel, data);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the sizes of a grid and a block are whole numbers
  xcc::launch({{2, width / 2.0f}, {256}}, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the stream comes after the bytes of dynamic shared memory: xcc::launch({blocks, threads, 0, stream}, kernel, arguments...)
  xcc::launch({{1}, {4}, stream}, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the stream is given with the blocks and threads
  xcc::launch(stream, {{1}, {4}}, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the stream is given with the blocks and threads
  xcc::launch(&stream, kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads come first
  xcc::launch(kernel, {{1}, {4}}, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads come first
  xcc::launch(kernel, data);
  // CHECK: :[[#@LINE+1]]:8: error: the blocks and threads come first
  xcc::launch([](int *) {}, {1, 4}, data);
  // CHECK: :[[#@LINE+1]]:8: error: the number of indices comes first
  xcc::parallel_for(body, 10);
  // CHECK: :[[#@LINE+1]]:8: error: a loop's indices begin at 0
  xcc::parallel_for(0, 10, body);
  // CHECK: :[[#@LINE+1]]:8: error: the stream comes first
  xcc::parallel_for(10, stream, body);
  // CHECK: :[[#@LINE+1]]:8: error: a loop takes the number of its indices: xcc::parallel_for(range.size(),
  xcc::parallel_for(numbers, body);

  // CHECK: :[[#@LINE+1]]:29: error: a loop cannot have a negative number of indices
  xcc::parallel_for(-1, body);
  // CHECK: :[[#@LINE+1]]:44: error: a loop cannot have a negative number of indices
  xcc::parallel_for(stream, width - 5, body);
  // CHECK: :[[#@LINE+1]]:21: error: a loop cannot have a negative number of indices
  xcc::parallel_for({width, -1}, [](int, int) {});

  // CHECK: :[[#@LINE+1]]:20: error: attempt to use a deleted function: a buffer's elements are on the device
  for (float value : data)
    (void)value;

  // Buffers, and copies to and from them.
  const std::vector<int> fixed(4);
  std::vector<float> others(4);
  int *address = data;
  // CHECK: :[[#@LINE+1]]:20: error: call to deleted constructor of 'xcc::buffer<int>': a buffer is not copied by itself: pass it by reference, capture its data() or all(), as in [x = x.data()]
  xcc::buffer<int> second = data;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: call to deleted constructor of 'xcc::buffer<int>': a buffer is not copied by itself
  xcc::parallel_for(4, [=](std::size_t i) { data[i] = 1; });
  // CHECK: :[[#@LINE+1]]:20: error: call to deleted constructor of 'xcc::buffer<int>': a buffer is made of a number, xcc::buffer<T> x(n), which x.fill(value) sets, or of a container
  xcc::buffer<int> a(4, 1);
  // CHECK: :[[#@LINE+1]]:20: error: call to deleted constructor of 'xcc::buffer<int>': a buffer is made of a number, xcc::buffer<T> x(n)
  xcc::buffer<int> b{1, 2, 3};
  // CHECK: :[[#@LINE+1]]:20: error: call to deleted constructor of 'xcc::buffer<int>': a buffer is made of a number, or of a range of objects of its own type
  xcc::buffer<int> c(others);
  // CHECK: :[[#@LINE+1]]:20: error: the number of objects is negative
  xcc::buffer<int> d(-1);
  // CHECK: :[[#@LINE+1]]:8: error: call to deleted member function 'copy_from': both sides of a copy have objects of one type
  data.copy_from(others);
  // CHECK: :[[#@LINE+1]]:8: error: call to deleted member function 'copy_to': both sides of a copy have objects of one type
  data.copy_to(others, stream);
  // CHECK: :[[#@LINE+1]]:8: error: call to deleted member function 'copy_to': this cannot be copied to: it is const
  data.copy_to(fixed);
  // CHECK: :[[#@LINE+1]]:10: error: call to deleted member function 'copy': both sides of a copy have objects of one type
  stream.copy(data, others, 4);
  // CHECK: :[[#@LINE+1]]:10: error: call to deleted member function 'copy': where a copy goes comes first, and is not const: stream.copy(to, from)
  stream.copy(fixed, data);
  // CHECK: :[[#@LINE+1]]:10: error: call to deleted member function 'copy': a copy in a stream uses this container after the statement that made it has ended
  stream.copy(data, std::vector<int>(4));
  // CHECK: :[[#@LINE+1]]:32: error: the number of objects is negative
  stream.copy(data, numbers, -1);
  // CHECK: :[[#@LINE+1]]:10: error: call to deleted member function 'copy': an address does not say how many objects are there: stream.copy(to, from, count)
  stream.copy(numbers, address);
  // CHECK: 37 errors generated.
#else
  xcc::launch({1, 4}, kernel, data);
  xcc::launch({{1}, {4}, 0, stream}, kernel, data);
  xcc::launch({{1}, {4}, 0}, generic<int>, data.data());
  xcc::launch(xcc::launch_config{{1}, {4}}, kernel, data);
  xcc::parallel_for(10, body);
  xcc::parallel_for(10u, body);
  xcc::parallel_for(width, body);
  xcc::parallel_for(stream, width, body);
  xcc::parallel_for({&stream, {64}}, width, body);
  xcc::parallel_for({width, height}, [](int, int) {});
  xcc::parallel_for({numbers.size(), std::size_t(2), 3},
                    [](std::size_t, std::size_t, std::size_t) {});
  xcc::parallel_for(xcc::extents(width, 2), [](int, int) {});
  xcc::parallel_for(stream, {width, height}, [](int, int) {});
  xcc::buffer<int> other(data.all()), third(numbers);
  stream.copy(data, numbers);
  stream.copy(numbers, data.part(1), 3);
  stream.copy(numbers, xcc::buffer<int>(4)); // which waits when it goes
  data.copy_from(numbers, 2);
#endif
}
