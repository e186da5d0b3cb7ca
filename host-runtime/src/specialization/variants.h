// Variants: kernels generated with other options or with known values
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variant is a kernel with its own options, or with values that all its
// launches have. It has a descriptor like its kernel's, and an image of its
// own, generated from the program's portable image. Variants belong to their
// kernel's unit and are removed with it.

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
    bool shared = false; ///< in an object that all threads share
  };

  explicit Variant(const xcc_kernel_info &of) : info(of) { info.slots = slots; }
  Variant(const Variant &) = delete;

  xcc_kernel_info info;
  void *slots[XCC_KERNEL_SLOTS] = {};
  xcc_jit_options options{};
  std::string arch; ///< from the options; empty: the device's
  std::vector<Constant> constants;
  uint32_t block[3] = {}, grid[3] = {};
  std::vector<PointerFact> pointers;
  /// The devices on which it cannot be made, as bits.
  std::atomic<uint64_t> rejected{0};

  /// Is it only for launches with certain values?
  bool knowsValues() const {
    return !constants.empty() || block[0] || grid[0] || !pointers.empty();
  }
  /// All that distinguishes the variant, as text for keys.
  std::string text() const;
};

/// The variant to which a descriptor belongs; null for a program's own kernel.
const Variant *variantOf(const xcc_kernel_info &info);

/// Finds a kernel's variant by \p key, or makes it with \p make. Returns null
/// if the kernel has \p most variants already; then \p first, if not null,
/// tells whether this is the first time. Throws std::bad_alloc.
Variant *findOrMakeVariant(
    const xcc_kernel_info &kernel, const std::string &key, unsigned most,
    std::unique_ptr<Variant> (*make)(const xcc_kernel_info &, const void *),
    const void *from, bool *first = nullptr);
/// Adds a variant that cannot be found by a key.
Variant *addVariant(std::unique_ptr<Variant> made);

/// Changes when variants of a unit are removed: pointers found before may be
/// invalid.
uint64_t variantEpoch();

/// Frees the variants of a unit whose images have been unloaded.
void forgetVariants(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_SPECIALIZATION_VARIANTS_H
