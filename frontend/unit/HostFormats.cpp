// Number formats of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostFormats.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/APFloat.h"

namespace xcc {
namespace {

/// Formats are for targets to set.
struct Formats : clang::TargetInfo {
  static constexpr auto Quad = &Formats::Float128Format;
};

} // namespace

void keepHostFormats(clang::TargetInfo &machine) {
  machine.*Formats::Quad = &llvm::APFloat::IEEEquad();
}

} // namespace xcc
