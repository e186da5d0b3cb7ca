// Files that are complete or absent
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Files.h"
#include "Processes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace xcc {
namespace {

/// Writes, and returns the first error. Without clear_error, raw_fd_ostream
/// would end the process.
std::error_code writeTo(raw_fd_ostream &os,
                        function_ref<void(raw_ostream &)> fill) {
  fill(os);
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

std::error_code writeInPlace(StringRef path,
                             function_ref<void(raw_ostream &)> fill) {
  int file;
  if (auto error = sys::fs::openFileForWrite(path, file))
    return error;
  raw_fd_ostream os(file, /*shouldClose=*/true);
  return writeTo(os, fill);
}

} // namespace

Expected<TemporaryFile> TemporaryFile::create(StringRef prefix,
                                              StringRef suffix) {
  HoldSignals hold;
  Registration making;
  TemporaryFile file;
  if (auto error = sys::fs::createTemporaryFile(prefix, suffix, file.name)) {
    file.name.clear();
    return createStringError(error, "cannot create a temporary file: " +
                                        error.message());
  }
  sys::RemoveFileOnSignal(file.name);
  return std::move(file);
}

Expected<std::vector<TemporaryFile>>
createTemporaries(StringRef prefix, ArrayRef<StringRef> suffixes) {
  std::vector<TemporaryFile> files;
  for (StringRef suffix : suffixes) {
    auto file = TemporaryFile::create(prefix, suffix);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  return std::move(files);
}

std::string TemporaryFile::release() {
  std::string path = name.str().str();
  name.clear();
  return path;
}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  sys::fs::remove(name);
  sys::DontRemoveFileOnSignal(name);
}

Error writeFile(StringRef path, function_ref<void(raw_ostream &)> fill) {
  if (path == "-") {
    fill(outs());
    outs().flush();
    std::error_code error = outs().error();
    outs().clear_error();
    return errorCodeToError(error);
  }
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  if (exists && !sys::fs::is_regular_file(status))
    return errorCodeToError(writeInPlace(path, fill));
  if (exists)
    if (auto error = sys::fs::access(path, sys::fs::AccessMode::Write))
      return errorCodeToError(error);
  auto temporary = [&] {
    HoldSignals hold;
    Registration making;
    return sys::fs::TempFile::create(path + "-%%%%%%%%.tmp");
  }();
  if (!temporary) {
    // The folder may be read-only although the file is not.
    consumeError(temporary.takeError());
    std::error_code error = writeInPlace(path, fill);
    if (error && !exists)
      removeOutput(path);
    return errorCodeToError(error);
  }
  std::error_code error;
  {
    raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    error = writeTo(os, fill);
  }
  if (!error)
    return temporary->keep(path);
  consumeError(temporary->discard());
  return errorCodeToError(error);
}

void removeOutput(StringRef path) {
  if (!path.empty() && sys::fs::is_regular_file(path) &&
      sys::fs::can_write(path))
    sys::fs::remove(path);
}

PendingOutput::PendingOutput(StringRef path) : path(path.str()) {
  if (!path.empty())
    sys::RemoveFileOnSignal(path);
}

PendingOutput::~PendingOutput() {
  if (!path.empty())
    sys::DontRemoveFileOnSignal(path);
}

} // namespace xcc
