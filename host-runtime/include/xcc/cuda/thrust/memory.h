// Thrust: addresses of device memory, and references that the host follows
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_MEMORY_H
#define XCC_CUDA_THRUST_MEMORY_H

#include <xcc/cuda/runtime.h>

#include <cstddef>
#include <iterator>
#include <ostream>
#include <type_traits>

namespace thrust {
template <class Type> class device_ptr;

namespace detail {
/// Reads and writes device memory: from the host, by a copy that waits.
template <class Type> inline std::remove_cv_t<Type> load(const Type *from) {
#ifdef __XCC_DEVICE_PASS__
  return *from;
#else
  static_assert(std::is_trivially_copyable_v<Type>,
                "device memory holds what can be copied byte by byte");
  alignas(Type) unsigned char bytes[sizeof(Type)];
  xcc::detail::check(xcc_memory_copy(bytes, from, sizeof(Type)));
  return *reinterpret_cast<const Type *>(bytes);
#endif
}
template <class Type> inline void store(Type *to, const Type &value) {
#ifdef __XCC_DEVICE_PASS__
  *to = value;
#else
  static_assert(std::is_trivially_copyable_v<Type>,
                "device memory holds what can be copied byte by byte");
  xcc::detail::check(xcc_memory_copy(to, &value, sizeof(Type)));
#endif
}
} // namespace detail

/// An object in device memory. Host code that reads or writes it waits for the
/// default stream.
template <class Type> class device_reference {
public:
  using value_type = std::remove_cv_t<Type>;
  using pointer = device_ptr<Type>;

  explicit device_reference(Type *at) : at_(at) {}
  device_reference(const device_reference &) = default;
  operator value_type() const { return detail::load(at_); }
  device_ptr<Type> operator&() const { return device_ptr<Type>(at_); }

  const device_reference &operator=(const value_type &value) const {
    detail::store(at_, value);
    return *this;
  }
  const device_reference &operator=(const device_reference &from) const {
    return *this = value_type(from);
  }
  device_reference &operator=(const device_reference &from) {
    detail::store(at_, value_type(from));
    return *this;
  }
  template <class Other>
  const device_reference &operator=(const device_reference<Other> &from) const {
    return *this = value_type(Other(from));
  }
#define XCC_THRUST_CHANGE(sign)                                                \
  template <class Other>                                                       \
  const device_reference &operator sign## = (const Other &by) const {          \
    return *this = value_type(value_type(*this) sign by);                      \
  }
  XCC_THRUST_CHANGE(+)
  XCC_THRUST_CHANGE(-)
  XCC_THRUST_CHANGE(*)
  XCC_THRUST_CHANGE(/)
  XCC_THRUST_CHANGE(%)
  XCC_THRUST_CHANGE(&)
  XCC_THRUST_CHANGE(|)
  XCC_THRUST_CHANGE(^)
  XCC_THRUST_CHANGE(<<)
  XCC_THRUST_CHANGE(>>)
#undef XCC_THRUST_CHANGE
  const device_reference &operator++() const { return *this += 1; }
  const device_reference &operator--() const { return *this -= 1; }
  value_type operator++(int) const {
    const value_type before = *this;
    *this += 1;
    return before;
  }
  value_type operator--(int) const {
    const value_type before = *this;
    *this -= 1;
    return before;
  }
  friend void swap(device_reference one, device_reference other) {
    const value_type before = one;
    one = value_type(other);
    other = before;
  }
  friend std::ostream &operator<<(std::ostream &to,
                                  const device_reference &from) {
    return to << value_type(from);
  }

private:
  Type *at_;
};

/// An address in device memory, and an iterator there.
template <class Type> class device_ptr {
public:
  using element_type = Type;
  using value_type = std::remove_cv_t<Type>;
  using reference = device_reference<Type>;
  using pointer = device_ptr;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(Type *at) : at_(at) {}
  template <class Other,
            class = std::enable_if_t<std::is_convertible_v<Other *, Type *>>>
  device_ptr(const device_ptr<Other> &from) : at_(from.get()) {}

  Type *get() const { return at_; }
  explicit operator bool() const { return at_ != nullptr; }
  reference operator*() const { return reference(at_); }
  reference operator[](difference_type by) const { return reference(at_ + by); }
  device_ptr &operator+=(difference_type by) {
    at_ += by;
    return *this;
  }
  device_ptr &operator-=(difference_type by) { return *this += -by; }
  device_ptr &operator++() { return *this += 1; }
  device_ptr &operator--() { return *this -= 1; }
  device_ptr operator++(int) { return device_ptr(at_++); }
  device_ptr operator--(int) { return device_ptr(at_--); }
  friend device_ptr operator+(device_ptr from, difference_type by) {
    return from += by;
  }
  friend device_ptr operator+(difference_type by, device_ptr from) {
    return from += by;
  }
  friend device_ptr operator-(device_ptr from, difference_type by) {
    return from -= by;
  }
  template <class Other>
  difference_type operator-(const device_ptr<Other> &from) const {
    return at_ - from.get();
  }
#define XCC_THRUST_COMPARE(sign)                                               \
  template <class Other>                                                       \
  bool operator sign(const device_ptr<Other> &other) const {                   \
    return at_ sign other.get();                                               \
  }
  XCC_THRUST_COMPARE(==)
  XCC_THRUST_COMPARE(!=)
  XCC_THRUST_COMPARE(<)
  XCC_THRUST_COMPARE(>)
  XCC_THRUST_COMPARE(<=)
  XCC_THRUST_COMPARE(>=)
#undef XCC_THRUST_COMPARE
  friend std::ostream &operator<<(std::ostream &to, device_ptr from) {
    return to << static_cast<const void *>(from.at_);
  }

private:
  Type *at_ = nullptr;
};
template <> class device_ptr<void> {
public:
  device_ptr() = default;
  explicit device_ptr(void *at) : at_(at) {}
  template <class Other>
  device_ptr(const device_ptr<Other> &from) : at_(from.get()) {}
  void *get() const { return at_; }

private:
  void *at_ = nullptr;
};

template <class Type> inline device_ptr<Type> device_pointer_cast(Type *at) {
  return device_ptr<Type>(at);
}
template <class Type>
inline device_ptr<Type> device_pointer_cast(const device_ptr<Type> &at) {
  return at;
}
template <class Type> inline Type *raw_pointer_cast(Type *at) { return at; }
template <class Type>
inline Type *raw_pointer_cast(const device_ptr<Type> &at) {
  return at.get();
}
template <class Type>
inline Type &raw_reference_cast(const device_reference<Type> &at) {
  return *(&at).get();
}
template <class Type> inline Type &raw_reference_cast(Type &at) { return at; }

template <class Type> inline device_ptr<Type> device_malloc(std::size_t count) {
  void *made = nullptr;
  xcc::detail::check(
      xcc_memory_alloc(xcc::detail::size_of_objects<Type>(count), &made));
  return device_ptr<Type>(static_cast<Type *>(made));
}
inline device_ptr<void> device_malloc(std::size_t bytes) {
  void *made = nullptr;
  xcc::detail::check(xcc_memory_alloc(bytes, &made));
  return device_ptr<void>(made);
}
template <class Type> inline void device_free(const device_ptr<Type> &gone) {
  xcc::detail::check(
      xcc_memory_free(const_cast<std::remove_cv_t<Type> *>(gone.get())));
}

} // namespace thrust

#endif // XCC_CUDA_THRUST_MEMORY_H
