// Any table may be embedded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer target: whatever the columns of a kernel say, reading them stays
// inside the text, and filling a kernarg segment by them inside the segment.

#include "src/hsa/kernarg.h"
#include "src/hsa/target.h"

#include <algorithm>
#include <vector>

using namespace xcc::rt::hsa;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 2)
    return 0;
  uint32_t Explicit = Data[0] | Data[1] << 8;
  std::string_view Text(reinterpret_cast<const char *>(Data + 2), Size - 2);
  TargetId Image, Device;
  size_t Half = Text.size() / 2;
  const char *Missing = nullptr;
  if (TargetId::parse(Text.substr(0, Half), Image) &&
      TargetId::parse(Text.substr(Half), Device))
    (void)rank(Image, Device, Missing);
  KernelMetadata M;
  if (parseMetadata(Text, Explicit, M))
    return 0;
  // As large as it says, so that the sanitizer sees a byte beyond.
  uint32_t Segment = std::max(M.KernargSegment, Explicit);
  std::vector<char> Arguments(Explicit), Bytes(Segment);
  uint32_t Grid[3] = {1, 2, 3}, Block[3] = {4, 5, 6};
  fillKernarg(Bytes.data(), Segment, Arguments.data(), Explicit, M.Hidden,
              M.HiddenCount, {Grid, Block, 7, 3, nullptr, nullptr, nullptr});
  return 0;
}
