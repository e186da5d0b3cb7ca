// Specialising kernels for values of launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specialize.h"
#include "devices/allocations.h"
#include "generation/generator.h"
#include "images/registry.h"
#include "process/log.h"
#include "variants.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt {

/// The most variants of one kernel. More mean that the values are not constant.
static constexpr unsigned MostVariants = 64;

namespace {
struct Requested {
  const LaunchValues &values;
  const std::vector<PointerFact> &pointers;
  const Variant *parent; ///< null unless the kernel itself is a variant
};
} // namespace

static std::string keyOf(const xcc_kernel_info &kernel,
                         const LaunchValues &values,
                         const std::vector<PointerFact> &pointers) {
  std::string key;
  auto add = [&](const void *bytes, size_t size) {
    key.append(static_cast<const char *>(bytes), size);
  };
  const xcc_kernel_info *which = &kernel;
  add(&which, sizeof(which));
  add(&values.shape, sizeof(values.shape));
  if (values.shape & XCC_CONSTANT_BLOCK)
    add(values.config->block, sizeof(values.config->block));
  if (values.shape & XCC_CONSTANT_GRID)
    add(values.config->grid, sizeof(values.config->grid));
  for (uint32_t i = 0; i != values.count; ++i) {
    add(&values.places[i], sizeof(values.places[i]));
    add(values.kernarg + values.places[i].offset, values.places[i].size);
  }
  return key + textOf(pointers);
}

/// Is the place in an object that the kernel's threads share?
static bool isShared(const xcc_kernel_info &kernel,
                     const xcc_argument_place &place) {
  return kernel.param_count && kernel.params[0].kind == XCC_PARAM_CLOSURE &&
         place.offset < kernel.params[0].size;
}

static std::unique_ptr<Variant> make(const xcc_kernel_info &kernel,
                                     const void *from) {
  auto &wanted = *static_cast<const Requested *>(from);
  const LaunchValues &values = wanted.values;
  auto made = std::make_unique<Variant>(kernel);
  made->options.size = sizeof(xcc_jit_options);
  made->options.opt_level = -1;
  if (wanted.parent) {
    made->options = wanted.parent->options;
    made->arch = wanted.parent->arch;
  }
  for (uint32_t i = 0; i != values.count; ++i) {
    const xcc_argument_place &place = values.places[i];
    made->constants.push_back(
        {place.offset, std::string(values.kernarg + place.offset, place.size),
         isShared(kernel, place)});
  }
  made->pointers = wanted.pointers;
  for (int i = 0; i != 3; ++i) {
    if (values.shape & XCC_CONSTANT_BLOCK)
      made->block[i] = values.config->block[i];
    if (values.shape & XCC_CONSTANT_GRID)
      made->grid[i] = values.config->grid[i];
  }
  return made;
}

static void sayGeneric(const xcc_kernel_info &kernel, const Device &on) {
  XCC_LOG(Load, "device %d: kernel '%s' is not specialised: %s", on.ordinal(),
          kernel.name, xcc_error_last());
}

std::vector<PointerFact> factsFor(const xcc_kernel_info &kernel,
                                  const LaunchValues &values,
                                  const Device &on) {
  if (!(values.shape & XCC_CONSTANT_POINTERS) || !values.kernarg)
    return {};
  return pointerFacts(kernel, values.kernarg, on);
}

const Kernel *specialize(const xcc_kernel_info &kernel,
                         const LaunchValues &values,
                         const std::vector<PointerFact> &pointers, Device &on) {
  Requested wanted{values, pointers, variantOf(kernel)};
  // A variant with a transform is used once; one with values has its values
  // already.
  if (wanted.parent &&
      (wanted.parent->options.transform || wanted.parent->knowsValues()))
    return nullptr;
  bool first = false;
  Variant *variant = findOrMakeVariant(kernel, keyOf(kernel, values, pointers),
                                       MostVariants, make, &wanted, &first);
  if (!variant) {
    if (first)
      XCC_LOG(Load,
              "kernel '%s' is specialised for %u values already: for others "
              "its generic code runs",
              kernel.name, MostVariants);
    return nullptr;
  }
  uint64_t bit = uint64_t(1) << (on.ordinal() & 63);
  if (variant->rejected.load(std::memory_order_relaxed) & bit)
    return nullptr;
  const Kernel *loaded;
  if (loadKernel(variant->info, on, &loaded) == XCC_SUCCESS)
    return loaded;
  if (!(variant->rejected.fetch_or(bit) & bit))
    sayGeneric(kernel, on);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Marked arguments
//===----------------------------------------------------------------------===//

namespace {
/// A thread's last launch of such a kernel. The next one is mostly the same.
/// The data has no constructors or destructors (thread_state.h).
struct LastLaunch {
  const xcc_kernel_info *info;
  const Device *on;
  const Kernel *code;
  uint64_t epoch;
  char bytes[128];
  /// Its pointers, valid while the table of allocations is unchanged.
  uint64_t allocations;
  uintptr_t pointers[PointerPlaces::Most];
  PointerFact facts[PointerPlaces::Most];
  size_t factCount;
};
} // namespace

/// Copies the values one after the other. Returns false if they do not fit.
static bool gather(const xcc_kernel_info &info, const char *kernarg,
                   char (&bytes)[sizeof(LastLaunch::bytes)], size_t &size) {
  size = 0;
  for (uint32_t i = 0; i != info.specialized_count; ++i) {
    const xcc_argument_place &place = info.specialized[i];
    if (place.size > sizeof(bytes) - size)
      return false;
    memcpy(bytes + size, kernarg + place.offset, place.size);
    size += place.size;
  }
  return true;
}

/// Can the kernel be specialised at all? Logs the reason why not, once.
static bool mayVary(const xcc_kernel_info &info, Device &on,
                    const Kernel &generic) {
  uint8_t known = generic.varies.load(std::memory_order_relaxed);
  if (known)
    return known == 1;
  bool can = checkVaries(info, on) == XCC_SUCCESS;
  uint8_t was = generic.varies.exchange(can ? 1 : 2);
  if (!was && !can)
    sayGeneric(info, on);
  return can;
}

const Kernel *codeForMarked(const xcc_kernel_info &info,
                            const xcc_launch_config &config,
                            const void *kernarg, Device &on,
                            const Kernel *generic) {
  if (!kernarg || jitMode() == JitMode::Never)
    return generic;
  static thread_local constinit LastLaunch last{};
  auto *values = static_cast<const char *>(kernarg);
  uint64_t epoch = variantEpoch(), allocations = allocationChanges();
  char bytes[sizeof(last.bytes)];
  size_t size;
  bool fits = gather(info, values, bytes, size);
  bool same = fits && last.info == &info && last.on == &on &&
              last.epoch == epoch && !memcmp(last.bytes, bytes, size);
  const PointerPlaces places(info);
  uintptr_t pointers[PointerPlaces::Most];
  places.read(kernarg, pointers);
  const size_t pointerBytes = places.size() * sizeof(*pointers);
  if (same && last.allocations == allocations &&
      !memcmp(last.pointers, pointers, pointerBytes))
    return last.code;
  const Kernel *code = nullptr;
  std::vector<PointerFact> facts;
  try {
    facts = places.factsOf(pointers, on);
    if (same && std::equal(facts.begin(), facts.end(), last.facts,
                           last.facts + last.factCount))
      code = last.code;
    else if (mayVary(info, on, *generic))
      code = specialize(info,
                        {&config, values, info.specialized,
                         info.specialized_count, XCC_CONSTANT_POINTERS},
                        facts, on);
  } catch (const std::bad_alloc &) {
    return generic;
  }
  if (!code)
    code = generic;
  if (fits) {
    last.info = &info;
    last.on = &on;
    last.code = code;
    last.epoch = epoch;
    memcpy(last.bytes, bytes, size);
    last.allocations = allocations;
    memcpy(last.pointers, pointers, pointerBytes);
    std::copy(facts.begin(), facts.end(), last.facts);
    last.factCount = facts.size();
  }
  return code;
}

} // namespace xcc::rt
