// Internals of the host's side of the services
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A service is a function that gets the lanes of one call in lane order, each
// with its request and an empty reply. services.cpp transfers the bytes.
// Everything in a request is checked against the data that is there: device
// code may be wrong or hostile, and must not affect anything beyond its own
// call.

#ifndef XCC_SERVICES_IMPL_H
#define XCC_SERVICES_IMPL_H

#include "../opcodes.h"
#include "messages.h"
#include "services.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xcc::services {

/// Reads a message from its start and never beyond its end.
class Reader {
public:
  Reader() = default;
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T> bool read(T &value) {
    if (rest_.size() < sizeof(T))
      return false;
    memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return true;
  }
  bool bytes(uint64_t size, std::string_view &bytes) {
    if (rest_.size() < size)
      return false;
    bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  std::string_view rest() const { return rest_; }

private:
  std::string_view rest_;
};

struct Lane {
  uint32_t number = 0; ///< the lane's number in its warp
  Request head{};
  Reader rest; ///< the bytes after the head
  Reply answer{-1, 0};
  std::string *out = nullptr; ///< the reply's bytes, initially empty

  void fail(int error) { answer = {-1, error}; }
  /// Sets a C function's result. If it failed, the error is errno.
  void result(int64_t value, bool failed);
};

using Lanes = std::span<Lane>;

/// A file of the host. The byte pushed back by ungetc is kept here, because the
/// GNU C library's own does not survive every order of calls.
struct OpenFile {
  FILE *stream;
  bool owned; ///< close it at the end
  /// In addition to the stream's lock, which serves the program's other
  /// threads.
  std::mutex mutex;
  int pushed = -1; ///< the byte pushed back; guarded by mutex

  OpenFile(FILE *stream, bool owned) : stream(stream), owned(owned) {}
  OpenFile(const OpenFile &) = delete;
  ~OpenFile() {
    if (owned && stream)
      fclose(stream);
  }
};

/// Files that device code has opened, by handle.
class Files {
public:
  using File = std::shared_ptr<OpenFile>;
  /// Returns null for an unknown or closed handle.
  File find(uint64_t handle);
  /// Returns the new handle, or 0 if there are too many files.
  uint64_t add(FILE *opened);
  /// Removes a handle and returns its file; null if it is unknown.
  File remove(uint64_t handle);
  static bool isStandard(uint64_t handle) {
    return handle >= FileIn && handle <= FileError;
  }

private:
  std::mutex mutex;
  std::unordered_map<uint64_t, File> open_ = {
      {FileIn, std::make_shared<OpenFile>(stdin, false)},
      {FileOut, std::make_shared<OpenFile>(stdout, false)},
      {FileError, std::make_shared<OpenFile>(stderr, false)}};
  uint64_t last = FileError;
};

/// Holds a file's locks.
class Locked {
public:
  explicit Locked(OpenFile &f) : lock(f.mutex), stream(f.stream) {
    flockfile(stream);
  }
  ~Locked() { funlockfile(stream); }

private:
  std::lock_guard<std::mutex> lock;
  FILE *stream;
};

/// Runs \p use for a lane with its file, which is locked.
template <class F> void withFile(Files &files, Lane &l, F use) {
  Files::File file = files.find(l.head.a);
  if (!file)
    return l.fail(ErrBadFile);
  Locked lock(*file);
  errno = 0;
  use(l, *file);
}
template <class F> void withFile(Files &files, Lanes all, F use) {
  for (Lane &l : all)
    withFile(files, l, use);
}

/// Prepares a locked file for reading. Returns false and sets errno on failure.
bool readyToRead(OpenFile &file);

/// Writes the text without interleaved output of others. Returns an errno, or
/// 0.
int writeFile(OpenFile &file, std::string_view text);

/// Blocks of host memory that device code has allocated.
class Memory {
public:
  /// \p front is the number of bytes that the allocation has before the block.
  void add(uint64_t address, uint64_t size, uint64_t front);
  /// Returns the block's size; 0 if it is unknown.
  uint64_t find(uint64_t address);
  /// Removes a block and returns the start of its allocation; 0 if unknown.
  uint64_t remove(uint64_t address);
  template <class F> void clear(F free) {
    for (auto &[address, block] : blocks)
      free(address - block.front);
    blocks.clear();
  }

private:
  struct Block {
    uint64_t size, front;
  };
  std::mutex mutex;
  std::unordered_map<uint64_t, Block> blocks;
};

/// Formats one lane's print request. Returns false and sets \p error (an errno)
/// on failure.
bool formatPrint(const Request &head, std::string_view format, Reader arguments,
                 std::string &to, int &error);
/// Formats the requests of all lanes; lanes may share the lowest lane's format.
void formatLanes(Lanes all);

} // namespace xcc::services

struct xcc_services {
  xcc_services_options options{};
  xcc::services::Files files;
  xcc::services::Memory memory;

  // One function for each service, in the file of its subject.
  using Function = void (xcc_services::*)(xcc::services::Lanes);
#define XCC_OPCODE(name, number, function) void function(xcc::services::Lanes);
#include "../opcodes.def"

  /// Returns null for an unknown opcode.
  static Function find(uint32_t opcode);

  /// The kinds of services that a request requires; see policy.cpp.
  static uint32_t needs(uint32_t opcode, const xcc::services::Lane &l);
  /// Answers the lanes whose requests the program denies, and moves them to the
  /// end. Returns the number of the other lanes.
  size_t rejectDenied(uint32_t opcode, std::vector<xcc::services::Lane> &lanes);
};

#endif // XCC_SERVICES_IMPL_H
