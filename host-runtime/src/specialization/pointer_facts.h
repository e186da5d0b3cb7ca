// What is known of a launch's pointers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into different allocations of the runtime do not alias, and most are
// aligned better than their type requires. Code that is generated for the values of
// launches may use these facts, which each launch checks.

#ifndef XCC_SRC_SPECIALIZATION_POINTER_FACTS_H
#define XCC_SRC_SPECIALIZATION_POINTER_FACTS_H

#include "devices/device.h"

#include <string>
#include <vector>

namespace xcc::rt {

/// A pointer in the kernarg segment.
struct PointerFact {
  uint32_t offset = 0;
  /// Counts the allocations that pointers are in, from 1; 0: in none known.
  uint32_t allocation = 0;
  uint32_t alignment = 1; ///< 1: nothing is known
  bool shared = false;    ///< in an object that all threads share

  bool operator==(const PointerFact &) const = default;
};

/// Where a kernel's pointers are. At most so many are looked at.
class PointerPlaces {
public:
  static constexpr unsigned Most = 12;

  explicit PointerPlaces(const xcc_kernel_info &kernel);

  unsigned size() const { return count; }
  /// The pointers of a launch, size() of them.
  void read(const void *kernarg, uintptr_t *to) const;
  /// What holds of these on a device. Throws std::bad_alloc.
  std::vector<PointerFact> factsOf(const uintptr_t *pointers,
                                   const Device &on) const;

private:
  struct At {
    uint32_t offset;
    bool shared;
  } places[Most];
  unsigned count = 0;
};

/// What holds of a launch's.
std::vector<PointerFact> pointerFacts(const xcc_kernel_info &kernel,
                                      const void *kernarg, const Device &on);
/// For keys; empty if nothing is known.
std::string textOf(const std::vector<PointerFact> &facts);

} // namespace xcc::rt
#endif // XCC_SRC_SPECIALIZATION_POINTER_FACTS_H
