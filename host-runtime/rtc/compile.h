// From a text to images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_RTC_COMPILE_H
#define XCC_RTC_COMPILE_H

#include "formats/rtc_interface.h"
#include "formats/source_table.h"
#include "llvm/Support/Error.h"
#include <string>

namespace xcc {

struct Compiled {
  rt::SourceTable table;
  std::string images; ///< empty where the table's diagnostics say why
};

/// Compiles a request. An error returned is one that the source did not cause. \p
/// identity is the hash of this code.
llvm::Error compileText(const xcc_rtc_request &request,
                        llvm::StringRef identity, Compiled &out);

} // namespace xcc

#endif // XCC_RTC_COMPILE_H
