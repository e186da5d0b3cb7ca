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
#include "formats/source_table.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <set>
#include <string>

namespace xcc {

/// Where the text and its headers are.
inline constexpr llvm::StringLiteral TextFolder = "/xcc-run-time-source";

/// The machine's files, of which those that are used are noted. What has no end,
/// a device or a pipe, cannot be opened. Used by one thread.
class NotedFiles : public llvm::vfs::ProxyFileSystem {
public:
  NotedFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;

  /// Notes a file that is read in another way.
  void note(llvm::StringRef path);
  /// Writes what was noted; none of it where a file has changed since, so that
  /// nobody takes the result for one of what there is now.
  void describe(rt::SourceTable &table) const;
  /// Notes what a table has, which is as it says.
  void take(const rt::SourceTable &table);
  /// What was looked for in the folder of the texts, each in a line.
  std::string lookupsInTexts() const;

private:
  struct Noted {
    std::string stamp;
    std::string hash; ///< of the file with that stamp, if it is known
  };
  std::map<std::string, Noted> opened;
  std::set<std::string> missing, inTexts;
  bool isAbsent(const llvm::Twine &path);

  std::string absolute(const llvm::Twine &path) const;
};

/// Those and, before them, the text and its headers. \p name: of the text in
/// TextFolder.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withTexts(llvm::IntrusiveRefCntPtr<NotedFiles> files, llvm::StringRef name,
          llvm::StringRef text, const xcc_source_options &options);

} // namespace xcc

#endif // XCC_RTC_FILES_H
