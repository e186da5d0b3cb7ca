// Kernels that are generated otherwise than the program was built
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variant is a kernel with options of its own, or with values that all of its
// launches have. It has a descriptor like its kernel's, and an image to itself,
// made out of the program's portable one. Variants belong to their kernel's
// unit and go with it.

#ifndef XCC_SRC_SPECIALIZATION_VARIANTS_H
#define XCC_SRC_SPECIALIZATION_VARIANTS_H

#include "formats/jit_interface.h"
#include "pointer_facts.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace xcc::rt {

struct Variant {
  struct Constant {
    uint32_t offset;
    std::string bytes;
    bool shared = false; ///< of an object that all threads share
  };

  explicit Variant(const xcc_kernel_info &of) : info(of) { info.slots = slots; }
  Variant(const Variant &) = delete;

  xcc_kernel_info info;
  void *slots[XCC_KERNEL_SLOTS] = {};
  xcc_jit_options options{};
  std::string arch; ///< of the options; empty: the device's
  std::vector<Constant> constants;
  uint32_t block[3] = {}, grid[3] = {};
  std::vector<PointerFact> pointers;
  /// The devices for which it cannot be, as bits.
  std::atomic<uint64_t> refused{0};

  /// Is it for launches with certain values only?
  bool knowsValues() const {
    return !constants.empty() || block[0] || grid[0] || !pointers.empty();
  }
  /// All that makes it different, for keys.
  std::string text() const;
};

/// The variant that a descriptor is of; null: it is a program's.
const Variant *variantOf(const xcc_kernel_info &info);

/// The variant that \p key stands for among those of a kernel, made by \p make
/// if there is none. Null: the kernel has \p most of them already; \p first, if
/// not null, says whether this is so for the first time. Throws std::bad_alloc.
Variant *findOrMakeVariant(
    const xcc_kernel_info &kernel, const std::string &key, unsigned most,
    std::unique_ptr<Variant> (*make)(const xcc_kernel_info &, const void *),
    const void *from, bool *first = nullptr);
/// One that is not found again.
Variant *addVariant(std::unique_ptr<Variant> made);

/// Counts the units whose variants are gone: what was found before may be.
uint64_t variantEpoch();

/// Frees those of a unit whose images are gone.
void forgetVariants(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_SPECIALIZATION_VARIANTS_H
