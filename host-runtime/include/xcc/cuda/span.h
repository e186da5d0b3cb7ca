// cuda::std::span of C++17
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcu++ has std::span before C++20, the host's library has not. A span is an
// address and a number of elements, of which the type may know the number.

#ifndef XCC_CUDA_SPAN_H
#define XCC_CUDA_SPAN_H

#include <xcc/cuda/standard.h>

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {

inline constexpr ::std::size_t dynamic_extent = ::std::size_t(-1);

template <class Type, ::std::size_t Extent = dynamic_extent> class span {
  template <class Range>
  using if_range = ::std::enable_if_t<
      ::std::is_convertible_v<::std::remove_pointer_t<decltype(::std::data(
                                  ::std::declval<Range &>()))> (*)[],
                              Type (*)[]>>;

public:
  using element_type = Type;
  using value_type = ::std::remove_cv_t<Type>;
  using size_type = ::std::size_t;
  using difference_type = ::std::ptrdiff_t;
  using pointer = Type *;
  using reference = Type &;
  using iterator = Type *;
  using reverse_iterator = ::std::reverse_iterator<iterator>;
  static constexpr size_type extent = Extent;

  constexpr span() noexcept = default;
  constexpr span(Type *first, size_type count) : data_(first), size_(count) {}
  constexpr span(Type *first, Type *last)
      : data_(first), size_(size_type(last - first)) {}
  template <size_type Size>
  constexpr span(Type (&array)[Size]) noexcept : data_(array), size_(Size) {}
  template <class Range, class = if_range<Range>>
  constexpr span(Range &&range)
      : data_(::std::data(range)), size_(::std::size(range)) {}

  constexpr Type *data() const noexcept { return data_; }
  constexpr size_type size() const noexcept { return size_; }
  constexpr size_type size_bytes() const noexcept {
    return size_ * sizeof(Type);
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr Type &operator[](size_type index) const { return data_[index]; }
  constexpr Type &front() const { return data_[0]; }
  constexpr Type &back() const { return data_[size_ - 1]; }
  constexpr iterator begin() const noexcept { return data_; }
  constexpr iterator end() const noexcept { return data_ + size_; }
  constexpr reverse_iterator rbegin() const noexcept {
    return reverse_iterator(end());
  }
  constexpr reverse_iterator rend() const noexcept {
    return reverse_iterator(begin());
  }
  constexpr span<Type> first(size_type count) const { return {data_, count}; }
  constexpr span<Type> last(size_type count) const {
    return {data_ + (size_ - count), count};
  }
  constexpr span<Type> subspan(size_type offset,
                               size_type count = dynamic_extent) const {
    return {data_ + offset, count == dynamic_extent ? size_ - offset : count};
  }
  template <size_type Count> constexpr span<Type, Count> first() const {
    return {data_, Count};
  }
  template <size_type Count> constexpr span<Type, Count> last() const {
    return {data_ + (size_ - Count), Count};
  }

private:
  Type *data_ = nullptr;
  size_type size_ = Extent == dynamic_extent ? 0 : Extent;
};

template <class Type> span(Type *, ::std::size_t) -> span<Type>;
template <class Type> span(Type *, Type *) -> span<Type>;
template <class Type, ::std::size_t Size>
span(Type (&)[Size]) -> span<Type, Size>;
template <class Range>
span(Range &&) -> span<
    ::std::remove_pointer_t<decltype(::std::data(::std::declval<Range &>()))>>;

} // namespace std
} // namespace cuda

#endif // XCC_CUDA_SPAN_H
