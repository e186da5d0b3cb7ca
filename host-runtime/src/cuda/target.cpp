// Which image suits which GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target.h"

#include <charconv>

namespace xcc::rt::cuda {

bool parseArch(std::string_view Text, Arch &Out) {
  if (!Text.starts_with("sm_"))
    return false;
  Text.remove_prefix(3);
  int Number = 0;
  auto [Stop, Bad] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  if (Bad != std::errc() || Number < 10 || Number > 999)
    return false;
  Text.remove_prefix(size_t(Stop - Text.data()));
  if (!Text.empty() && Text != "a" && Text != "f")
    return false;
  Out = {Number / 10, Number % 10, Text.empty() ? '\0' : Text[0]};
  return true;
}

/// Embedded GPUs (Tegra) take cubins of their own only.
static bool isEmbedded(int Major, int Minor) {
  switch (Major * 10 + Minor) {
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

int rankImage(const OffloadImage &Image, int Major, int Minor) {
  Arch A;
  if (!std::string_view(Image.Triple).starts_with("nvptx64") ||
      !parseArch(Image.Arch, A))
    return 0;
  bool Exact = A.Major == Major && A.Minor == Minor;
  bool SameFamily = A.Major == Major && A.Minor <= Minor;
  bool NotNewer = A.Major < Major || SameFamily;
  if (A.Suffix == 'a' && !Exact)
    return 0;
  if (A.Suffix == 'f' && !SameFamily)
    return 0;
  // 'a' before 'f' before none.
  int Specific = A.Suffix == 'a' ? 2 : A.Suffix == 'f' ? 1 : 0;
  if (Image.ImageKind == KindCubin) {
    if (Exact)
      return 20'000 + Specific;
    bool Embedded = isEmbedded(Major, Minor) || isEmbedded(A.Major, A.Minor);
    return SameFamily && !Embedded ? 10'000 + A.Minor * 3 + Specific : 0;
  }
  if (Image.ImageKind == KindPtx && NotNewer)
    return 1 + (A.Major * 10 + A.Minor) * 3 + Specific;
  return 0;
}

} // namespace xcc::rt::cuda
