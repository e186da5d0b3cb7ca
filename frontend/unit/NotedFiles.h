// The files that a parse looks for and reads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a parse made can be used again while the files that it read are
// unchanged, and the files that it looked for in vain are still missing.

#ifndef XCC_FRONTEND_UNIT_NOTEDFILES_H
#define XCC_FRONTEND_UNIT_NOTEDFILES_H

#include "formats/source_table.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <set>
#include <string>

namespace xcc {

/// Where a text that a program compiles and its headers are.
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

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_NOTEDFILES_H
