// Objects are not hidden while they are looked at
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visit reads host memory on behalf of the program: where a vector's elements
// are. A device that hides the originals of what a kernel uses (hidden.h) waits
// until no thread does, and lets no thread begin while it does.

#ifndef XCC_SRC_MAPPING_VISIT_H
#define XCC_SRC_MAPPING_VISIT_H

namespace xcc::rt {

class Device;

/// A thread's, from construction to destruction or end(), on a device that
/// hides originals; nothing on others.
class Visit {
public:
  explicit Visit(const Device &on);
  ~Visit() { end(); }
  Visit(const Visit &) = delete;
  void end();
  /// Others may hide originals from end() on until this.
  void resume(const Device &on);

private:
  bool counts;
};

/// While it lives no other thread visits. The thread itself may: a visitor can
/// launch kernels.
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
