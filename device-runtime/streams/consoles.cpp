// Buffered std::cout and its relatives
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At first each stream passes everything to the host's stdin, stdout or stderr
// (constants.cpp). After sync_with_stdio(false) the streams have buffers and
// use file descriptors.

#include "streams.h"

#include "rpc/services/messages.h"
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <new>

extern "C" void __xcc_at_exit_last(void (*call)()) noexcept;

namespace {
using Buffered = __gnu_cxx::stdio_filebuf<char>;
alignas(Buffered) char room[3][sizeof(Buffered)];

Buffered *buffered(xcc::services::StandardFile file,
                   std::ios_base::openmode mode) {
  return new (room[file - 1]) Buffered(reinterpret_cast<FILE *>(file), mode);
}

void flushAll() {
  std::cout.flush();
  std::cerr.flush();
  std::clog.flush();
}
} // namespace

namespace std {

bool ios_base::Init::_S_synced_with_stdio = true;

// The objects are constants, so there is nothing to construct.
ios_base::Init::Init() {}
ios_base::Init::~Init() {}

/// Streams that have become buffered stay buffered.
bool ios_base::sync_with_stdio(bool sync) {
  const bool before = Init::_S_synced_with_stdio;
  if (sync || !before)
    return before;
  Init::_S_synced_with_stdio = false;
  cin.rdbuf(buffered(xcc::services::FileIn, ios_base::in));
  cout.rdbuf(buffered(xcc::services::FileOut, ios_base::out));
  cerr.rdbuf(buffered(xcc::services::FileError, ios_base::out));
  clog.rdbuf(cerr.rdbuf());
  __xcc_at_exit_last(flushAll);
  return before;
}

} // namespace std
