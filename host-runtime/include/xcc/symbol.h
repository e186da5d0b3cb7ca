// Global variables of device code, from the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     int hits;                     // the host has one, and each device
//     void count() { ++hits; }
//     ...
//     xcc::symbol(hits).copy_from(0);
//     xcc::launch({8, 32}, count);
//     int n;
//     xcc::symbol(hits).copy_to(n); // the device's
//
// At each call the compiler knows which variable it is. It generates a kernel
// that returns the variable's address on the device. Errors and threads: as in
// <xcc/host.h>.

#ifndef XCC_SYMBOL_H
#define XCC_SYMBOL_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/host.h>
#include <xcc/launch.h>

#include <type_traits>

namespace xcc {

/// The kernel of a variable: writes its address to \p out.
template <class Type, Type &Variable>
void symbol_place([[maybe_unused]] const volatile void **out) {
#ifdef __XCC_DEVICE_PASS__
  *out = __builtin_addressof(Variable);
#endif
}

/// A device's instance of a variable. A value: copies name the same variable.
/// Its copies wait for the device's earlier work, as those of xcc::buffer do.
/// With a stream they run in its order, and the host's object must live until
/// they are done. The first use runs the initialisers of the device's global
/// variables.
template <class Type> class device_variable {
  static constexpr bool copied = std::is_trivially_copyable_v<Type>;

public:
  using value = std::remove_cv_t<Type>;

  /// Returns the address on the current device, or on another one. It is valid
  /// as long as the program or library that defines the variable is loaded:
  ///     xcc::launch({{1}, {32}}, count_in, xcc::symbol(hits).address());
  Type *address() const { return address_on(-1); }
  Type *address(const device &on) const { return address_on(on.ordinal()); }

  /// Copies the device's value to \p to, an object of the host:
  ///     xcc::symbol(hits).copy_to(here, stream);
  void copy_to(value &to) const {
    static_assert(copied, "only what is trivially copyable is copied");
    detail::check(
        xcc_memory_copy(__builtin_addressof(to), address(), sizeof(Type)));
  }
  void copy_to(value &to, stream &on) const {
    static_assert(copied, "only what is trivially copyable is copied");
    detail::check(xcc_memory_copy_async(__builtin_addressof(to), address_in(on),
                                        sizeof(Type), on.handle()));
  }
  /// Sets the device's value:
  ///     xcc::symbol(hits).copy_from(0);
  void copy_from(const value &from) const {
    static_assert(copied, "only what is trivially copyable is copied");
    static_assert(!std::is_const_v<Type>, "the variable is a constant");
    detail::check(xcc_memory_copy(bytes(address()), __builtin_addressof(from),
                                  sizeof(Type)));
  }
  void copy_from(const value &from, stream &on) const {
    static_assert(copied, "only what is trivially copyable is copied");
    static_assert(!std::is_const_v<Type>, "the variable is a constant");
    detail::check(xcc_memory_copy_async(bytes(address_in(on)),
                                        __builtin_addressof(from), sizeof(Type),
                                        on.handle()));
  }

  /// For xcc::symbol: \p place is the kernel that returns the address.
  explicit device_variable(const kernel_info *place) : place_(place) {}

private:
  const kernel_info *place_;

  static void *bytes(Type *at) {
    return const_cast<void *>(static_cast<const volatile void *>(at));
  }
  Type *address_on(int ordinal) const {
    void *at = nullptr;
    detail::check(xcc_symbol_address(place_, ordinal, sizeof(Type), &at));
    return static_cast<Type *>(at);
  }
  Type *address_in(stream &on) const {
    int ordinal = 0;
    detail::check(xcc_stream_device(on.handle(), &ordinal));
    return address_on(ordinal);
  }
};

/// A device's instance of a variable of which the host has an instance too.
template <class Type> class device_symbol : public device_variable<Type> {
  using value = typename device_variable<Type>::value;

public:
  /// to_device() copies the host's value to the device, to_host() the device's
  /// value to the host:
  ///     xcc::symbol(hits).to_host();
  ///     std::printf("%d\n", hits);
  void to_host() const {
    static_assert(!std::is_const_v<Type>, "the variable is a constant");
    this->copy_to(const_cast<value &>(*host_));
  }
  void to_device() const { this->copy_from(const_cast<const value &>(*host_)); }

  /// For xcc::symbol: \p host is the host's instance.
  device_symbol(const kernel_info *place, Type &host)
      : device_variable<Type>(place), host_(__builtin_addressof(host)) {}

private:
  Type *host_;
};

/// Gives access to the devices' instances of a variable: of namespace scope, a
/// static member, or a static variable of a function. The argument must be the
/// variable's name. A function that passes a variable on takes it as a template
/// parameter, `template <auto &Variable>`.
///     int *there = xcc::symbol(hits).address();
template <class Type>
inline device_symbol<Type>
symbol([[clang::annotate("xcc.symbol")]] Type &variable,
       XCC_KERNEL void (*place)(const volatile void **) = nullptr) {
  return {place ? &detail::info_now<kernel_info>(place) : nullptr, variable};
}

} // namespace xcc

#endif // XCC_SYMBOL_H
