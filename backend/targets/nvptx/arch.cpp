// Properties of an NVIDIA GPU that follow from its name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arch.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xcc::nvptx {

Arch::Arch(StringRef name) {
  name.consume_front("sm_");
  if (name.ends_with("a") || name.ends_with("f")) {
    suffix = name.back();
    name = name.drop_back();
  }
  name.getAsInteger(10, version);
}

/// The maximum number of argument bytes in every version of PTX.
static constexpr uint64_t UsualArguments = 4352;

uint64_t mostArguments(Arch arch) {
  return arch.version < 70 ? UsualArguments : 32764;
}

std::string ptxFeature(Arch arch, uint64_t arguments) {
  unsigned version = 63;
  if (arch.version >= 70)
    version = 78;
  if (arch.version >= 100)
    version = 86;
  switch (arch.version) {
  case 88:
  case 110:
    version = 90;
    break;
  case 90:
    version = arch.suffix ? 80 : 78;
    break;
  case 120:
    version = 87;
    break;
  case 103:
  case 121:
    version = 88;
    break;
  default:
    break;
  }
  if (arch.suffix == 'f')
    version = std::max(version, 88u);
  if (arguments > UsualArguments)
    version = std::max(version, 81u);
  return "+ptx" + utostr(version);
}

Multiprocessor multiprocessorOf(Arch arch) {
  switch (arch.version) {
  case 75:
    return {32, 16, 65536};
  case 80:
    return {64, 32, 167936};
  case 87:
    return {48, 16, 167936};
  case 86:
    return {48, 16, 102400};
  case 88:
  case 89:
    return {48, 24, 102400};
  case 90:
  case 100:
  case 101:
  case 103:
    return {64, 32, 233472};
  case 110:
    return {48, 24, 233472};
  case 120:
  case 121:
    return {48, 24, 102400};
  default:
    return {64, 32, 98304};
  }
}

} // namespace xcc::nvptx
