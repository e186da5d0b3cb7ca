// The exception that left a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch's error holds it; <xcc/host.h> makes an xcc::device_exception of
// it.

#ifndef XCC_SRC_ERRORS_THROWN_H
#define XCC_SRC_ERRORS_THROWN_H

#include "xcc/runtime.h"

#include <memory>
#include <string>

struct xcc_trap_note;

namespace xcc::rt {

/// The facts about the exception, and the memory to which they point.
class ThrownException {
public:
  /// Returns null when memory ran out.
  static std::shared_ptr<ThrownException> make(const xcc_trap_note &note,
                                               uint64_t others) noexcept;
  /// May throw std::bad_alloc. The note may also describe an exception of the
  /// host's C++ library, with its std::type_info::name().
  ThrownException(const xcc_trap_note &note, uint64_t others);
  ThrownException(const ThrownException &) = delete;

  const xcc_device_exception &get() const { return facts; }
  /// Is it from a lower block, or from a lower thread of the same block? An
  /// unknown place is higher than any known one.
  bool isLowerThan(const ThrownException &other) const;
  void countOthers(uint64_t count) { facts.others += count; }

private:
  xcc_device_exception facts{};
  std::string type, symbol, what, function, file;
  alignas(16) unsigned char object[256] = {};
};

/// Demangles a name of the C++ ABI, or of std::type_info::name(). Returns other
/// names unchanged.
std::string readableName(const std::string &mangled);

} // namespace xcc::rt
#endif // XCC_SRC_ERRORS_THROWN_H
