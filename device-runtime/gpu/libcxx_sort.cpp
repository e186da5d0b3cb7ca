// std::sort of numbers on a GPU, with libc++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libc++'s headers contain its sorts, except sorts of numbers between pointers
// in ascending order, which are in its library. The names here are libc++'s.
// This is a heap sort: it needs no stack and no memory, and its time does not
// depend on the order of the values.

namespace std {
inline namespace __1 {
template <class T, class U> struct __less {};

namespace {
/// Moves \p value from \p hole down to its place in a heap of \p size elements.
template <class T> void sink(T *heap, long hole, long size, T value) {
  for (long child; (child = 2 * hole + 1) < size; hole = child) {
    child += child + 1 < size && heap[child] < heap[child + 1];
    if (!(value < heap[child]))
      break;
    heap[hole] = heap[child];
  }
  heap[hole] = value;
}
} // namespace

template <class Less, class Iterator>
void __sort(Iterator first, Iterator last, Less) {
  const long size = last - first;
  if (size <= 16) { // insertion sort, fast for sorted input
    for (long i = 1; i < size; ++i) {
      auto value = first[i];
      long at = i;
      for (; at > 0 && value < first[at - 1]; --at)
        first[at] = first[at - 1];
      first[at] = value;
    }
    return;
  }
  for (long i = size / 2; i-- > 0;)
    sink(first, i, size, first[i]);
  for (long end = size; --end > 0;) {
    auto value = first[end];
    first[end] = first[0];
    sink(first, 0, end, value);
  }
}

#define XCC_SORT(type)                                                         \
  template void __sort<__less<type, type> &, type *>(type *, type *,           \
                                                     __less<type, type> &);
XCC_SORT(char)
XCC_SORT(wchar_t)
XCC_SORT(signed char)
XCC_SORT(unsigned char)
XCC_SORT(short)
XCC_SORT(unsigned short)
XCC_SORT(int)
XCC_SORT(unsigned)
XCC_SORT(long)
XCC_SORT(unsigned long)
XCC_SORT(long long)
XCC_SORT(unsigned long long)
XCC_SORT(float)
XCC_SORT(double)
} // namespace __1
} // namespace std
