// Thrust: vectors of device and host memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_VECTORS_H
#define XCC_CUDA_THRUST_VECTORS_H

#include <xcc/cuda/thrust/elements.h>

#include <initializer_list>
#include <vector>

namespace thrust {
template <class Type> using device_allocator = std::allocator<Type>;
template <class Type> using device_malloc_allocator = std::allocator<Type>;

template <class Type, class Allocator = std::allocator<Type>> class host_vector;

/// Elements in the memory of the device that was current. Not for threads that
/// change it at the same time. Failures are xcc::error.
template <class Type, class Allocator = device_allocator<Type>>
class device_vector {
  static_assert(std::is_trivially_copyable_v<Type>,
                "device memory holds what can be copied byte by byte");

public:
  using value_type = Type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = device_reference<Type>;
  using const_reference = device_reference<const Type>;
  using pointer = device_ptr<Type>;
  using const_pointer = device_ptr<const Type>;
  using iterator = device_ptr<Type>;
  using const_iterator = device_ptr<const Type>;
  using reverse_iterator = thrust::reverse_iterator<iterator>;
  using const_reverse_iterator = thrust::reverse_iterator<const_iterator>;

  device_vector() = default;
  explicit device_vector(std::size_t count) { resize(count); }
  device_vector(std::size_t count, const Type &value) { resize(count, value); }
  device_vector(const device_vector &from) { assign(from.begin(), from.end()); }
  device_vector(device_vector &&from) noexcept { swap(from); }
  template <class Other, class Allocation>
  device_vector(const device_vector<Other, Allocation> &from) {
    assign(from.begin(), from.end());
  }
  template <class Other, class Allocation>
  device_vector(const host_vector<Other, Allocation> &from) {
    assign(from.begin(), from.end());
  }
  template <class Other, class Allocation>
  device_vector(const std::vector<Other, Allocation> &from) {
    assign(from.begin(), from.end());
  }
  device_vector(std::initializer_list<Type> from) {
    assign(from.begin(), from.end());
  }
  template <class In, class = std::enable_if_t<detail::is_iterator<In>>>
  device_vector(In first, In last) {
    assign(first, last);
  }
  ~device_vector() { (void)xcc_memory_free(at_); }

  device_vector &operator=(const device_vector &from) {
    if (this != &from)
      assign(from.begin(), from.end());
    return *this;
  }
  device_vector &operator=(device_vector &&from) noexcept {
    swap(from);
    return *this;
  }
  template <class Vector, class = decltype(std::declval<Vector>().begin())>
  device_vector &operator=(const Vector &from) {
    assign(from.begin(), from.end());
    return *this;
  }
  device_vector &operator=(std::initializer_list<Type> from) {
    assign(from.begin(), from.end());
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t max_size() const { return SIZE_MAX / sizeof(Type); }
  std::size_t capacity() const { return room_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return iterator(at_); }
  iterator end() { return iterator(at_ + size_); }
  const_iterator begin() const { return cbegin(); }
  const_iterator end() const { return cend(); }
  const_iterator cbegin() const { return const_iterator(at_); }
  const_iterator cend() const { return const_iterator(at_ + size_); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const {
    return const_reverse_iterator(end());
  }
  const_reverse_iterator rend() const {
    return const_reverse_iterator(begin());
  }
  pointer data() { return pointer(at_); }
  const_pointer data() const { return const_pointer(at_); }
  reference operator[](std::size_t index) { return reference(at_ + index); }
  const_reference operator[](std::size_t index) const {
    return const_reference(at_ + index);
  }
  reference front() { return reference(at_); }
  const_reference front() const { return const_reference(at_); }
  reference back() { return reference(at_ + size_ - 1); }
  const_reference back() const { return const_reference(at_ + size_ - 1); }

  void reserve(std::size_t room) {
    if (room <= room_)
      return;
    void *made = nullptr;
    xcc::detail::check(
        xcc_memory_alloc(xcc::detail::size_of_objects<Type>(room), &made));
    if (size_)
      xcc::detail::check(xcc_memory_copy(made, at_, size_ * sizeof(Type)));
    (void)xcc_memory_free(at_);
    at_ = static_cast<Type *>(made);
    room_ = room;
  }
  void resize(std::size_t count) { resize(count, Type()); }
  void resize(std::size_t count, const Type &value) {
    grow(count);
    if (count > size_)
      thrust::fill(end(), begin() + static_cast<std::ptrdiff_t>(count), value);
    size_ = count;
  }
  void clear() { size_ = 0; }
  void shrink_to_fit() {
    if (room_ != size_)
      device_vector(*this).swap(*this);
  }
  template <class In, class = std::enable_if_t<detail::is_iterator<In>>>
  void assign(In first, In last) {
    const std::size_t count = detail::length(first, last);
    if (count > room_) {
      size_ = 0;
      reserve(count);
    }
    thrust::copy(first, last, begin());
    size_ = count;
  }
  void assign(std::size_t count, const Type &value) {
    clear();
    resize(count, value);
  }
  void push_back(const Type &value) {
    grow(size_ + 1);
    ++size_;
    back() = value;
  }
  void pop_back() { --size_; }
  iterator erase(iterator where) { return erase(where, where + 1); }
  iterator erase(iterator first, iterator last) {
    const device_vector rest(last, end());
    thrust::copy(rest.begin(), rest.end(), first);
    size_ -= detail::length(first, last);
    return first;
  }
  template <class In, class = std::enable_if_t<detail::is_iterator<In>>>
  iterator insert(iterator where, In first, In last) {
    const std::ptrdiff_t place = where - begin();
    const device_vector rest(where, end()), more(first, last);
    grow(size_ + more.size());
    size_ += more.size();
    thrust::copy(more.begin(), more.end(), begin() + place);
    thrust::copy(rest.begin(), rest.end(),
                 begin() + place + static_cast<std::ptrdiff_t>(more.size()));
    return begin() + place;
  }
  iterator insert(iterator where, const Type &value) {
    return insert(where, &value, &value + 1);
  }
  iterator insert(iterator where, std::size_t count, const Type &value) {
    const std::vector<Type> more(count, value);
    return insert(where, more.begin(), more.end());
  }
  void swap(device_vector &other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

private:
  Type *at_ = nullptr;
  std::size_t size_ = 0, room_ = 0;

  void grow(std::size_t count) {
    if (count > room_)
      reserve(count > 2 * room_ ? count : 2 * room_);
  }
};
template <class Type, class Allocator>
inline void swap(device_vector<Type, Allocator> &one,
                 device_vector<Type, Allocator> &other) {
  one.swap(other);
}

/// A std::vector that device vectors are copied to.
template <class Type, class Allocator>
class host_vector : public std::vector<Type, Allocator> {
  using base = std::vector<Type, Allocator>;

public:
  using base::base;
  host_vector() = default;
  host_vector(const base &from) : base(from) {}
  template <class Other, class Allocation>
  host_vector(const device_vector<Other, Allocation> &from)
      : base(from.size()) {
    thrust::copy(from.begin(), from.end(), this->begin());
  }
  template <class Other>
  host_vector(device_ptr<Other> first, device_ptr<Other> last)
      : base(detail::length(first, last)) {
    thrust::copy(first, last, this->begin());
  }
  template <class Other, class Allocation>
  host_vector &operator=(const device_vector<Other, Allocation> &from) {
    this->resize(from.size());
    thrust::copy(from.begin(), from.end(), this->begin());
    return *this;
  }
  using base::operator=;
};
namespace detail {
/// Its elements on the host, for comparisons.
template <class Vector> inline auto elements_of(const Vector &of) {
  return host_vector<typename Vector::value_type>(of);
}
} // namespace detail
template <class Type, class Allocator, class Vector>
inline bool operator==(const device_vector<Type, Allocator> &one,
                       const Vector &other) {
  return one.size() == other.size() &&
         detail::elements_of(one) == detail::elements_of(other);
}
template <class Type, class Allocator, class Vector>
inline bool operator!=(const device_vector<Type, Allocator> &one,
                       const Vector &other) {
  return !(one == other);
}

} // namespace thrust

#endif // XCC_CUDA_THRUST_VECTORS_H
