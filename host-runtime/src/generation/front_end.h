// Source that is compiled where the program runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-rtc.so compiles it, which is opened then and not before. What came of a
// source is kept on disk with the files that went into it, and those that were
// looked for and not there: while they are as they were, the result is found
// without the library being opened.

#ifndef XCC_SRC_GENERATION_FRONT_END_H
#define XCC_SRC_GENERATION_FRONT_END_H

#include "devices/device.h"
#include "formats/source_table.h"

#include <string_view>
#include <vector>

namespace xcc::rt {

/// A result as it was written, and what of it is no image.
struct CompiledSource {
  std::vector<char> bytes;
  SourceTable table;
  Bytes images; ///< of bytes; empty: the diagnostics say why
};

/// Compiles a text for a device, or finds the result. Takes its time; from any
/// thread, and from several at once, of which one compiles what is the same.
/// Throws std::bad_alloc.
xcc_status compileSource(std::string_view text,
                         const xcc_source_options &options, Device &on,
                         CompiledSource &out);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_FRONT_END_H
