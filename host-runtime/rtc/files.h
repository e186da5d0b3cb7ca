// The files that a source is compiled with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text and the headers that exist as text lie in a folder that is nowhere on
// disk; all other files are the machine's. Which of them Clang opened, and which
// it looked for in vain, is the result's to know.

#ifndef XCC_RTC_FILES_H
#define XCC_RTC_FILES_H

#include "formats/rtc_interface.h"
#include "unit/NotedFiles.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace xcc {

/// These files and, before them, the text and its headers. \p name: of the text in
/// TextFolder.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withTexts(llvm::IntrusiveRefCntPtr<NotedFiles> files, llvm::StringRef name,
          llvm::StringRef text, const xcc_source_options &options);

} // namespace xcc

#endif // XCC_RTC_FILES_H
