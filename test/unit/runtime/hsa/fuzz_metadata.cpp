// Any table may be embedded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer target: whatever the columns of a kernel say, reading them stays
// inside the text, and filling a kernarg segment by them inside the segment.

#include "hsa/image/kernarg.h"
#include "hsa/image/target.h"

#include <algorithm>
#include <vector>

using namespace xcc::rt::hsa;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  uint32_t explicitSize = data[0] | data[1] << 8;
  std::string_view text(reinterpret_cast<const char *>(data + 2), size - 2);
  TargetId image, device;
  size_t half = text.size() / 2;
  const char *missing = nullptr;
  if (TargetId::parse(text.substr(0, half), image) &&
      TargetId::parse(text.substr(half), device))
    (void)rank(image, device, missing);
  KernelMetadata m;
  if (parseMetadata(text, explicitSize, m))
    return 0;
  // As large as it says, so that the sanitizer sees a byte beyond.
  uint32_t segment = std::max(m.kernargSegment, explicitSize);
  std::vector<char> arguments(explicitSize), bytes(segment);
  uint32_t grid[3] = {1, 2, 3}, block[3] = {4, 5, 6};
  fillKernarg(bytes.data(), segment, arguments.data(), explicitSize, m.hidden,
              m.hiddenCount, {grid, block, 7, 3, nullptr, nullptr, nullptr});
  return 0;
}
