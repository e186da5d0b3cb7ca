// Kernels whose use of stack is not known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stacks.h"
#include "error.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

xcc_status stackSetting(const char *Variable, size_t Most, size_t &Bytes) {
  constexpr size_t Least = 1024;
  Bytes = 16 * 1024;
  const char *Text = secure_getenv(Variable);
  if (!Text || !*Text)
    return XCC_SUCCESS;
  const char *End = Text + strlen(Text);
  auto [Stop, Error] = std::from_chars(Text, End, Bytes);
  if (Error != std::errc() || Stop != End || Bytes < Least || Bytes > Most)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s=%s: expected a number of bytes from %zu to %zu", Variable,
                Text, Least, Most);
  Bytes = (Bytes + 15) / 16 * 16;
  return XCC_SUCCESS;
}

} // namespace xcc::rt
