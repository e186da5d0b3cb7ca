// Inside the host's side of the services
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A service is a function that is given the lanes of one call, in lane order,
// each with its request and a reply to fill in. services.cpp moves the bytes.
// Whatever a request says is checked against what there is of it: device code
// may be wrong or hostile, and neither may touch more than its own call.

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

/// Reads a message from its beginning; nothing beyond its end.
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
  uint32_t number = 0; ///< in its warp
  Request head{};
  Reader rest; ///< what follows the head
  Reply answer{-1, 0};
  std::string *out = nullptr; ///< the reply's bytes, empty at first

  void fail(int error) { answer = {-1, error}; }
  /// A C function's result: negative means that errno says why.
  void result(int64_t value, bool failed);
};

using Lanes = std::span<Lane>;

/// A file of the host's. What ungetc pushed back is kept here: the GNU C
/// library's own does not bear every order of calls.
struct OpenFile {
  FILE *stream;
  bool owned; ///< close it at the end
  /// In addition to the stream's own lock, which is for other threads of the program.
  std::mutex mutex;
  int pushed = -1; ///< under mutex

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
  /// Null for a handle that is none (any more).
  File find(uint64_t handle);
  /// 0 when there is no room.
  uint64_t add(FILE *opened);
  /// The handle's file, which it stops to be.
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

/// Runs what a lane asks of its file, which is locked.
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

/// Before a file, which is locked, is read; false: errno says why not.
bool readyToRead(OpenFile &file);

/// Writes all of it, with nothing of others in between; an errno, or 0.
int writeFile(OpenFile &file, std::string_view text);

/// Blocks of the host's memory that device code has allocated.
class Memory {
public:
  /// \p front: bytes of the allocation in front of the block.
  void add(uint64_t address, uint64_t size, uint64_t front);
  /// The size; 0: not there.
  uint64_t find(uint64_t address);
  /// Where the block's allocation begins; 0: not there.
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

/// Text of one lane's print request; false: an errno in error.
bool formatPrint(const Request &head, std::string_view format, Reader arguments,
                 std::string &to, int &error);
/// Does the same for all lanes: formats may be the lowest lane's.
void formatLanes(Lanes all);

} // namespace xcc::services

struct xcc_services {
  xcc_services_options options{};
  xcc::services::Files files;
  xcc::services::Memory memory;

  // One per service, in the file of its subject.
  using Function = void (xcc_services::*)(xcc::services::Lanes);
  void print(xcc::services::Lanes), format(xcc::services::Lanes),
      write(xcc::services::Lanes), scan(xcc::services::Lanes);
  void open(xcc::services::Lanes), close(xcc::services::Lanes),
      read(xcc::services::Lanes), readLine(xcc::services::Lanes),
      unread(xcc::services::Lanes), seek(xcc::services::Lanes),
      tell(xcc::services::Lanes), flush(xcc::services::Lanes),
      fileState(xcc::services::Lanes), remove(xcc::services::Lanes),
      rename(xcc::services::Lanes), reopen(xcc::services::Lanes),
      setBuffer(xcc::services::Lanes), temporary(xcc::services::Lanes),
      systemFile(xcc::services::Lanes);
  void hostName(xcc::services::Lanes);
  void exit(xcc::services::Lanes), system(xcc::services::Lanes),
      environment(xcc::services::Lanes), time(xcc::services::Lanes),
      clock(xcc::services::Lanes), calendar(xcc::services::Lanes);
  void allocate(xcc::services::Lanes), free(xcc::services::Lanes),
      usable(xcc::services::Lanes);
  void hostCall(xcc::services::Lanes);

  /// Null for no such service.
  static Function find(uint32_t opcode);

  /// The kinds of services that a request needs; policy.cpp.
  static uint32_t needs(uint32_t opcode, const xcc::services::Lane &l);
  /// Answers the lanes that the program denies what they ask for, and puts them
  /// behind the others, whose number it returns.
  size_t refuseDenied(uint32_t opcode, std::vector<xcc::services::Lane> &lanes);
};

#endif // XCC_SERVICES_IMPL_H
