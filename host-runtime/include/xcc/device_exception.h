// What a kernel threw
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by <xcc/host.h>. Errors and threads: as there.

#ifndef XCC_DEVICE_EXCEPTION_H
#define XCC_DEVICE_EXCEPTION_H

#include <xcc/host.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <type_traits>
#include <typeinfo>

namespace xcc {

/// An exception that no handler in its kernel caught. If several threads threw,
/// it is that of the lowest block and thread among those that were seen.
///     try {
///       xcc::synchronize();
///     } catch (const xcc::device_exception &e) {
///       std::printf("%s in block %u: %s\n", e.type(), e.block().x, e.text());
///       e.rethrow_if<std::out_of_range>();
///     }
class device_exception : public error {
public:
  /// An index of a block or thread.
  struct index {
    std::uint32_t x, y, z;
  };

  /// The name of its type as in the source, such as "std::out_of_range"; "" if
  /// it is not known.
  const char *type() const noexcept { return facts().type; }
  /// What its what() gives; "" if it is no std::exception, or if that is not
  /// known. what() is the sentence about the launch.
  const char *text() const noexcept { return facts().what; }
  /// The function that threw it; "" if that is not known.
  const char *thrown_in() const noexcept { return facts().function; }
  /// The file and line of the throw, "" and 0 if the kernel was compiled
  /// without debug information (-g1).
  const char *thrown_file() const noexcept { return facts().file; }
  std::uint32_t thrown_line() const noexcept { return facts().line; }
  /// Whether block() and thread() are known.
  bool has_place() const noexcept { return facts().block[0] != UINT32_MAX; }
  /// The block that threw it, and the thread in that block.
  index block() const noexcept { return at(facts().block); }
  index thread() const noexcept { return at(facts().thread); }
  /// How many more threads were seen to end so, before the launch ended.
  std::uint64_t others() const noexcept { return facts().others; }

  /// Throws the kernel's exception again if its type is Type; else returns.
  /// A trivially copyable object is the one that the kernel threw. A
  /// std::exception is made from text(). If Type is a base class in the
  /// standard library of what was thrown, a Type is thrown.
  template <class Type> void rethrow_if() const;

private:
  friend void detail::throw_failure();
  explicit device_exception(const error &other) noexcept : error(other) {}
  const xcc_device_exception &facts() const noexcept {
    return *xcc_error_exception(state());
  }
  static index at(const std::uint32_t (&of)[3]) noexcept {
    return {of[0], of[1], of[2]};
  }
};

namespace detail {
[[noreturn]] inline void throw_failure() {
  const error failure;
  if (failure.is_exception())
    throw device_exception(failure);
  throw failure;
}

/// A std::exception by its text alone.
class thrown_text final : public std::exception {
public:
  explicit thrown_text(const device_exception &of) noexcept : of_(of) {}
  const char *what() const noexcept override { return of_.text(); }

private:
  device_exception of_;
};

/// Whether a class of the standard library, as its type information is named,
/// has the other as a base.
inline bool standard_base(const char *symbol, const char *base) noexcept {
  // Each with its base.
  static constexpr const char *classes[][2] = {
      {"St12domain_error", "St11logic_error"},
      {"St16invalid_argument", "St11logic_error"},
      {"St12length_error", "St11logic_error"},
      {"St12out_of_range", "St11logic_error"},
      {"St11range_error", "St13runtime_error"},
      {"St14overflow_error", "St13runtime_error"},
      {"St15underflow_error", "St13runtime_error"},
      {"St20bad_array_new_length", "St9bad_alloc"},
      {"St12bad_any_cast", "St8bad_cast"}};
  for (const auto &one : classes)
    if (!std::strcmp(one[0], symbol) && !std::strcmp(one[1], base))
      return true;
  return false;
}
} // namespace detail

template <class Type> void device_exception::rethrow_if() const {
  static_assert(std::is_trivially_copyable_v<Type> ||
                    std::is_base_of_v<std::exception, Type>,
                "rethrow_if: the type is neither trivially copyable nor a "
                "std::exception, so the object cannot leave the device");
  const xcc_device_exception &thrown = facts();
  if constexpr (std::is_same_v<Type, std::exception>) {
    // Only they have a text.
    if (thrown.is_standard)
      throw detail::thrown_text(*this);
  } else {
#ifdef __cpp_rtti
    const char *wanted = typeid(Type).name();
    wanted += *wanted == '*'; // of a type that its unit alone knows
    if (std::strcmp(wanted, thrown.symbol) &&
        !detail::standard_base(thrown.symbol, wanted))
      return;
#elif !defined(__XCC_DEVICE_PASS__) // only the host throws again
    static_assert(sizeof(Type) == 0,
                  "rethrow_if needs run-time type information (-frtti)");
#endif
    if constexpr (std::is_trivially_copyable_v<Type>) {
      if (thrown.size != sizeof(Type))
        return;
      alignas(Type) unsigned char bytes[sizeof(Type)];
      std::memcpy(bytes, thrown.object, sizeof(Type));
      throw *reinterpret_cast<const Type *>(bytes);
    } else if constexpr (std::is_constructible_v<Type, const char *>) {
      throw Type(thrown.what);
    } else {
      static_assert(std::is_default_constructible_v<Type>,
                    "rethrow_if: the type can be made neither from a text nor "
                    "from nothing");
      throw Type();
    }
  }
}

} // namespace xcc

#endif // XCC_DEVICE_EXCEPTION_H
