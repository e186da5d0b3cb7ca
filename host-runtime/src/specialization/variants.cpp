// Variants: kernels generated with other options or with known values
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "variants.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <unordered_map>

namespace xcc::rt {

namespace {
struct UnitVariants {
  std::unordered_map<std::string, Variant *> byKey;
  std::unordered_map<const xcc_kernel_info *, unsigned> counts;
  std::vector<std::unique_ptr<Variant>> all;
};

struct Variants {
  std::mutex mutex;
  std::map<const xcc_binary *, UnitVariants> units;
  std::unordered_map<const xcc_kernel_info *, Variant *> byInfo;
};
} // namespace

/// Never destroyed, because kernels may be launched until the process ends.
static Variants &variants() {
  static Variants &all = *new Variants;
  return all;
}
/// Are there variants? Launches read this first.
static std::atomic<bool> any{false};
static std::atomic<uint64_t> epoch{0};

std::string Variant::text() const {
  std::string all = "opt " + std::to_string(options.opt_level) + " fast " +
                    std::to_string(options.fast_math) + " bounds " +
                    std::to_string(options.max_threads) + "," +
                    std::to_string(options.min_blocks) + " arch " + arch +
                    " shape";
  for (const uint32_t *shape : {block, grid})
    for (int i = 0; i != 3; ++i)
      all += " " + std::to_string(shape[i]);
  if (!pointers.empty())
    all += " pointers" + textOf(pointers);
  all += " constants";
  for (const Constant &constant : constants) {
    all +=
        " " + std::to_string(constant.offset) + (constant.shared ? "*" : ":");
    for (char byte : constant.bytes) {
      char digits[3];
      snprintf(digits, sizeof(digits), "%02x",
               static_cast<unsigned char>(byte));
      all += digits;
    }
  }
  return all;
}

const Variant *variantOf(const xcc_kernel_info &info) {
  if (!any.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard lock(variants().mutex);
  auto found = variants().byInfo.find(&info);
  return found == variants().byInfo.end() ? nullptr : found->second;
}

/// Adds a variant. Call it under the lock.
static Variant *keep(std::unique_ptr<Variant> made) {
  Variant *variant = made.get();
  UnitVariants &unit = variants().units[variant->info.binary];
  unit.all.reserve(unit.all.size() + 1);
  variants().byInfo[&variant->info] = variant;
  unit.all.push_back(std::move(made));
  any.store(true, std::memory_order_release);
  return variant;
}

Variant *findOrMakeVariant(
    const xcc_kernel_info &kernel, const std::string &key, unsigned most,
    std::unique_ptr<Variant> (*make)(const xcc_kernel_info &, const void *),
    const void *from, bool *first) {
  std::lock_guard lock(variants().mutex);
  UnitVariants &unit = variants().units[kernel.binary];
  if (auto found = unit.byKey.find(key); found != unit.byKey.end())
    return found->second;
  unsigned &count = unit.counts[&kernel];
  if (count >= most) {
    if (first)
      *first = count == most;
    count = most + (most != ~0u);
    return nullptr;
  }
  ++count;
  Variant *&place = unit.byKey[key];
  return place = keep(make(kernel, from));
}

Variant *addVariant(std::unique_ptr<Variant> made) {
  std::lock_guard lock(variants().mutex);
  return keep(std::move(made));
}

uint64_t variantEpoch() { return epoch.load(std::memory_order_acquire); }

void forgetVariants(const xcc_binary &unit) {
  if (!any.load(std::memory_order_acquire))
    return;
  std::lock_guard lock(variants().mutex);
  auto found = variants().units.find(&unit);
  if (found == variants().units.end())
    return;
  epoch.fetch_add(1);
  for (const auto &variant : found->second.all)
    variants().byInfo.erase(&variant->info);
  variants().units.erase(found);
}

} // namespace xcc::rt
