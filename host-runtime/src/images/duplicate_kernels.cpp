// Units that have kernels with the same symbols
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "duplicate_kernels.h"
#include "formats/duplicate_name.h"
#include "formats/kernel_row.h"
#include "formats/offload_entry.h"
#include "units.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <new>

namespace xcc::rt {

namespace {
struct RenamedKernels {
  std::deque<std::string> symbols;
  /// The units with the same text, in any order, because they are alike.
  std::map<uint64_t, std::vector<const uint64_t *>> units;
};
} // namespace

static constinit std::mutex mutex;
/// The symbols given to the kernels of loaded units. Never destroyed, because
/// kernels may be launched until the process ends.
static auto &given() {
  static auto *all = new std::map<const xcc_binary *, RenamedKernels>;
  return *all;
}

static bool anyImageHas(const xcc_binary &unit, std::string_view symbol) {
  OffloadReader reader(sectionOf(unit));
  KernelRow row;
  for (OffloadImage image; reader.next(image);)
    if (findKernelRow(image.kernels, symbol, row))
      return true;
  return false;
}

/// The symbol of the kernel of unit number \p which. The link may have left out
/// some of several equal kernels.
static std::string nameOf(const xcc_binary &unit, const char *symbol,
                          uint64_t text, size_t which) {
  constexpr unsigned most = 1 << 16;
  for (unsigned number = 0; number != most; ++number) {
    std::string name = duplicateName(symbol, text, number);
    if (!anyImageHas(unit, name)) {
      if (number >= which)
        return {};
    } else if (which-- == 0) {
      return name;
    }
  }
  return {};
}

static void separate(const xcc_binary &unit, xcc_kernel_info &info) {
  if (!info.text || anyImageHas(unit, info.symbol))
    return;
  RenamedKernels &all = given()[&unit];
  std::vector<const uint64_t *> &same = all.units[*info.text];
  auto at = std::find(same.begin(), same.end(), info.text);
  size_t which = at - same.begin();
  if (at == same.end())
    same.push_back(info.text);
  std::string name = nameOf(unit, info.symbol, *info.text, which);
  if (name.empty())
    return; // a launch then reports that no image has the kernel
  all.symbols.push_back(std::move(name));
  info.symbol = all.symbols.back().c_str();
}

void separateDuplicates(xcc_binary &unit) try {
  std::lock_guard lock(mutex);
  visitEntries(unit, [&](xcc_kernel_info &info) { separate(unit, info); });
} catch (const std::bad_alloc &) {
  // The launch tries again.
}

void separateDuplicate(const xcc_kernel_info &info) {
  // A descriptor with a text is not a constant object.
  std::lock_guard lock(mutex);
  separate(*info.binary, const_cast<xcc_kernel_info &>(info));
}

void forgetDuplicates(const xcc_binary &unit) {
  std::lock_guard lock(mutex);
  given().erase(&unit);
}

} // namespace xcc::rt
