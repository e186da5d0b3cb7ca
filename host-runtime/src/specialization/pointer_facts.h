// Facts about the pointers of a launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into different allocations of the runtime do not alias, and most are
// aligned better than their type requires. Specialised code may use these
// facts, which each launch checks.

#ifndef XCC_SRC_SPECIALIZATION_POINTER_FACTS_H
#define XCC_SRC_SPECIALIZATION_POINTER_FACTS_H

#include "devices/device.h"

#include <string>
#include <vector>

namespace xcc::rt {

/// A pointer in the kernarg segment.
struct PointerFact {
  uint32_t offset = 0;
  /// The number of its allocation among those of all pointers, from 1; 0 if
  /// unknown.
  uint32_t allocation = 0;
  uint32_t alignment = 1; ///< in bytes; 1: unknown
  bool shared = false;    ///< in an object that all threads share

  bool operator==(const PointerFact &) const = default;
};

/// The places of a kernel's pointers in the kernarg segment, at most \c Most.
class PointerPlaces {
public:
  static constexpr unsigned Most = 12;

  explicit PointerPlaces(const xcc_kernel_info &kernel);

  unsigned size() const { return count; }
  /// Reads the pointers of a launch, size() of them.
  void read(const void *kernarg, uintptr_t *to) const;
  /// Finds the facts about these pointers on a device. Throws std::bad_alloc.
  std::vector<PointerFact> factsOf(const uintptr_t *pointers,
                                   const Device &on) const;

private:
  struct At {
    uint32_t offset;
    bool shared;
  } places[Most];
  unsigned count = 0;
};

/// The facts about a launch's pointers. Throws std::bad_alloc.
std::vector<PointerFact> pointerFacts(const xcc_kernel_info &kernel,
                                      const void *kernarg, const Device &on);
/// The facts as text, for keys; empty if there are none.
std::string textOf(const std::vector<PointerFact> &facts);

} // namespace xcc::rt
#endif // XCC_SRC_SPECIALIZATION_POINTER_FACTS_H
