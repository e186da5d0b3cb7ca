// Compiling source text at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-rtc.so compiles the source; it is opened at the first compile. The
// result is kept on disk with the files that were read, and those that were
// looked for and not found. While all these are unchanged, the result is found
// again without opening the library.

#ifndef XCC_SRC_GENERATION_FRONT_END_H
#define XCC_SRC_GENERATION_FRONT_END_H

#include "devices/device.h"
#include "formats/source_table.h"

#include <string_view>
#include <vector>

namespace xcc::rt {

/// A result in its stored form, and its table.
struct CompiledSource {
  std::vector<char> bytes;
  SourceTable table;
  Bytes images; ///< part of bytes; empty: see the diagnostics for why
};

/// Compiles a text for a device, or finds the result on disk. This may take
/// long. Any threads may call it at once; one of them compiles what several
/// need. Throws std::bad_alloc.
xcc_status compileSource(std::string_view text,
                         const xcc_source_options &options, Device &on,
                         CompiledSource &out);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_FRONT_END_H
