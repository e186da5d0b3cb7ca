// The files that a parse looks for and reads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NotedFiles.h"
#include "llvm/ADT/SmallString.h"

using namespace llvm;

namespace xcc {

static bool isMissing(std::error_code error) {
  return error == std::errc::no_such_file_or_directory ||
         error == std::errc::not_a_directory;
}

std::string NotedFiles::absolute(const Twine &path) const {
  SmallString<256> whole;
  path.toVector(whole);
  (void)makeAbsolute(whole);
  return whole.str().str();
}

/// What is in the folder that is nowhere on disk is in memory.
bool NotedFiles::isAbsent(const Twine &path) {
  std::string text = path.str();
  StringRef rest = text;
  if (!rest.consume_front(TextFolder))
    return false;
  if (rest.consume_front("/"))
    inTexts.insert(rest.str());
  return true;
}

ErrorOr<vfs::Status> NotedFiles::status(const Twine &path) {
  if (isAbsent(path))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  auto result = ProxyFileSystem::status(path);
  if (!result && isMissing(result.getError()))
    missing.insert(absolute(path));
  return result;
}

ErrorOr<std::unique_ptr<vfs::File>>
NotedFiles::openFileForRead(const Twine &path) {
  if (isAbsent(path))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  auto status = ProxyFileSystem::status(path);
  if (!status) {
    if (isMissing(status.getError()))
      missing.insert(absolute(path));
    return status.getError();
  }
  if (!status->isRegularFile())
    return std::make_error_code(status->isDirectory()
                                    ? std::errc::is_a_directory
                                    : std::errc::operation_not_supported);
  note(absolute(path));
  return ProxyFileSystem::openFileForRead(path);
}

void NotedFiles::note(StringRef path) {
  std::string stamp = rt::stampOfSource(path.str().c_str());
  if (stamp.empty())
    missing.insert(path.str());
  else
    opened.try_emplace(path.str(), Noted{stamp, ""});
}

void NotedFiles::describe(rt::SourceTable &table) const {
  for (const auto &[path, noted] : opened) {
    std::string hash =
        noted.hash.empty() ? rt::hashOfSource(path.c_str()) : noted.hash;
    if (hash.empty() || rt::stampOfSource(path.c_str()) != noted.stamp) {
      table.files.clear();
      return;
    }
    table.files.push_back({noted.stamp, hash, path});
  }
  table.missing.assign(missing.begin(), missing.end());
}

void NotedFiles::take(const rt::SourceTable &table) {
  for (const rt::SourceFile &file : table.files) {
    // One that was written anew as it was has another.
    std::string stamp = rt::stampOfSource(file.path.c_str());
    opened.try_emplace(file.path,
                       Noted{stamp, stamp == file.stamp ? file.hash : ""});
  }
  missing.insert(table.missing.begin(), table.missing.end());
}

std::string NotedFiles::lookupsInTexts() const {
  std::string lines = "\n";
  for (const std::string &name : inTexts)
    lines += name + "\n";
  return lines;
}

} // namespace xcc
