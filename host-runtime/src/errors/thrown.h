// What is known of an exception that left a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It goes with the error of the launch, and <xcc/host.h> makes an
// xcc::device_exception of it.

#ifndef XCC_SRC_ERRORS_THROWN_H
#define XCC_SRC_ERRORS_THROWN_H

#include "xcc/runtime.h"

#include <memory>
#include <string>

struct xcc_trap_note;

namespace xcc::rt {

/// Owns what the facts point to.
class ThrownException {
public:
  /// Null where memory ran out.
  static std::shared_ptr<ThrownException> make(const xcc_trap_note &note,
                                               uint64_t others) noexcept;
  /// The same for what the host's C++ library threw in device code, by
  /// what std::type_info::name() gives.
  ThrownException(const xcc_trap_note &note, uint64_t others);
  ThrownException(const ThrownException &) = delete;

  const xcc_device_exception &get() const { return facts; }
  /// Whether it is of a lower block, or of a lower thread in that. What is not
  /// known is higher than all that is.
  bool isLowerThan(const ThrownException &other) const;
  void countOthers(uint64_t count) { facts.others += count; }

private:
  xcc_device_exception facts{};
  std::string type, symbol, what, function, file;
  alignas(16) unsigned char object[256] = {};
};

/// A name of the C++ ABI, or of std::type_info::name(), for reading; as it is
/// if it is none.
std::string readableName(const std::string &mangled);

} // namespace xcc::rt
#endif // XCC_SRC_ERRORS_THROWN_H
