// Keeping visits and hidden memory apart
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visit reads host memory on behalf of the program, for example to find a
// vector's elements. A device that hides the originals of mapped memory
// (hidden.h) waits until no thread visits, and lets no thread visit while it
// hides.

#ifndef XCC_SRC_MAPPING_VISIT_H
#define XCC_SRC_MAPPING_VISIT_H

namespace xcc::rt {

class Device;

/// A thread's visit, from construction to destruction or end(). It does nothing
/// on a device that does not hide originals.
class Visit {
public:
  explicit Visit(const Device &on);
  ~Visit() { end(); }
  Visit(const Visit &) = delete;
  void end();
  /// Begins the visit again. Between end() and this call others may hide
  /// originals.
  void resume(const Device &on);

private:
  bool counts;
};

/// While it lives, no other thread visits. The thread itself may, because a
/// visitor can launch kernels.
class NoVisits {
public:
  NoVisits();
  ~NoVisits();
  NoVisits(const NoVisits &) = delete;

private:
  bool locked;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_VISIT_H
