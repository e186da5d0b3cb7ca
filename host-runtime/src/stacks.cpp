// Kernels whose use of stack is not known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stacks.h"

#include <cstdio>
#include <mutex>
#include <vector>

namespace xcc::rt {
namespace {
struct Guess {
  const xcc_kernel_info *Kernel;
  size_t Bytes;
};
std::mutex Mutex;
/// Never destroyed: kernels may fail while the process exits.
std::vector<Guess> &guesses() {
  static auto *All = new std::vector<Guess>;
  return *All;
}
} // namespace

void noteGuessedStack(const xcc_kernel_info *Kernel, size_t Bytes) noexcept {
  std::lock_guard Lock(Mutex);
  try {
    for (Guess &G : guesses())
      if (G.Kernel == Kernel) {
        G.Bytes = Bytes;
        return;
      }
    guesses().push_back({Kernel, Bytes});
  } catch (const std::bad_alloc &) {
    // A message will say less.
  }
}

const char *stackAdvice(const xcc_kernel_info *Kernel, const char *Option,
                        char *Text, size_t Size) noexcept {
  std::lock_guard Lock(Mutex);
  *Text = 0;
  for (const Guess &G : guesses())
    if (G.Kernel == Kernel)
      snprintf(Text, Size,
               "; its threads have %zu bytes of stack for recursion and calls "
               "through pointers: if that was too little, %s=<bytes> asks for "
               "more",
               G.Bytes, Option);
  return Text;
}

xcc_status wantedStack(const Device &On, const NumberSetting &Setting,
                       size_t &Bytes) {
  uint64_t Wanted = On.WantedStack;
  if (!Wanted)
    XCC_TRY(readSetting(Setting, 16 * 1024, Wanted));
  Bytes = (Wanted + 15) / 16 * 16;
  return XCC_SUCCESS;
}

} // namespace xcc::rt
