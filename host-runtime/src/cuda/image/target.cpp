// Which image suits which GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target.h"

#include <charconv>

namespace xcc::rt::cuda {

bool parseArch(std::string_view text, Arch &out) {
  if (!text.starts_with("sm_"))
    return false;
  text.remove_prefix(3);
  int number = 0;
  auto [stop, bad] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || number < 10 || number > 999)
    return false;
  text.remove_prefix(size_t(stop - text.data()));
  if (!text.empty() && text != "a" && text != "f")
    return false;
  out = {number / 10, number % 10, text.empty() ? '\0' : text[0]};
  return true;
}

/// Embedded GPUs (Tegra) only run cubins of their own.
static bool isEmbedded(int major, int minor) {
  switch (major * 10 + minor) {
  case 53:
  case 62:
  case 72:
  case 87:
  case 101: // later called 110
  case 110:
    return true;
  default:
    return false;
  }
}

int rankImage(const OffloadImage &image, int major, int minor) {
  Arch a;
  if (!std::string_view(image.triple).starts_with("nvptx64") ||
      !parseArch(image.arch, a))
    return 0;
  bool exact = a.major == major && a.minor == minor;
  bool sameFamily = a.major == major && a.minor <= minor;
  bool notNewer = a.major < major || sameFamily;
  if (a.suffix == 'a' && !exact)
    return 0;
  if (a.suffix == 'f' && !sameFamily)
    return 0;
  // 'a' is more specific than 'f', which is more specific than no suffix.
  int specific = a.suffix == 'a' ? 2 : a.suffix == 'f' ? 1 : 0;
  if (image.imageKind == KindCubin) {
    if (exact)
      return 20'000 + specific;
    bool embedded = isEmbedded(major, minor) || isEmbedded(a.major, a.minor);
    return sameFamily && !embedded ? 10'000 + a.minor * 3 + specific : 0;
  }
  if (image.imageKind == KindPtx && notNewer)
    return 1 + (a.major * 10 + a.minor) * 3 + specific;
  return 0;
}

} // namespace xcc::rt::cuda
