// Kernels whose use of the stack is not known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stacks.h"

#include <cstdio>
#include <mutex>
#include <vector>

namespace xcc::rt {
namespace {
struct StackEstimate {
  const xcc_kernel_info *kernel;
  size_t bytes;
};
std::mutex mutex;
/// Never destroyed: kernels may fail while the process exits.
std::vector<StackEstimate> &estimates() {
  static auto *all = new std::vector<StackEstimate>;
  return *all;
}
} // namespace

void noteGuessedStack(const xcc_kernel_info *kernel, size_t bytes) noexcept {
  std::lock_guard lock(mutex);
  try {
    for (StackEstimate &g : estimates())
      if (g.kernel == kernel) {
        g.bytes = bytes;
        return;
      }
    estimates().push_back({kernel, bytes});
  } catch (const std::bad_alloc &) {
    // Without memory the message only lacks its advice.
  }
}

const char *stackAdvice(const xcc_kernel_info *kernel, const char *option,
                        char *text, size_t size) noexcept {
  std::lock_guard lock(mutex);
  *text = 0;
  for (const StackEstimate &g : estimates())
    if (g.kernel == kernel)
      snprintf(
          text, size,
          "; its threads have %zu bytes of stack for recursion and calls "
          "through pointers: if that was too little, set a larger %s=<bytes>",
          g.bytes, option);
  return text;
}

xcc_status requestedStack(const Device &on, const NumberSetting &setting,
                          size_t &bytes) {
  uint64_t wanted = on.stackRequested;
  if (!wanted)
    XCC_TRY(readSetting(setting, 16 * 1024, wanted));
  bytes = (wanted + 15) / 16 * 16;
  return XCC_SUCCESS;
}

} // namespace xcc::rt
