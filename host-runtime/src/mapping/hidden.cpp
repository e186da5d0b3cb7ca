// Hiding host memory from kernels, for tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/hidden.h"

#include <algorithm>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace xcc::rt {

static constexpr unsigned char Pattern = HiddenByte;

/// Fills the memory with the pattern. Returns false if it is read-only, as a
/// string literal's.
static bool overwrite(char *at, size_t bytes) {
  std::string pattern(std::min<size_t>(bytes, 1 << 16), char(Pattern));
  for (size_t done = 0; done != bytes;) {
    size_t part = std::min(bytes - done, pattern.size());
    iovec from{pattern.data(), part}, to{at + done, part};
    if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) != ssize_t(part)) {
      if (done == 0)
        return false;
      memset(at + done, Pattern, part);
    }
    done += part;
  }
  return true;
}

Hidden::Hidden(const xcc_mapping &m) : m(m) {
  // The ranges are sorted by now.
  uintptr_t done = 0;
  for (const NamedRange &r : m.ranges) {
    uintptr_t begin = std::max(r.begin, done), end = r.begin + r.bytes;
    if (begin >= end)
      continue;
    auto *at = reinterpret_cast<char *>(begin);
    pieces.push_back({at, std::string(at, end - begin), r.path});
    done = end;
  }
  std::erase_if(
      pieces, [](const Piece &p) { return !overwrite(p.at, p.bytes.size()); });
}

const Hidden::Piece *Hidden::putBack() {
  const Piece *written = nullptr;
  if (!hides)
    return nullptr;
  hides = false;
  for (Piece &p : pieces) {
    for (size_t i = 0; i != p.bytes.size() && !written; ++i)
      if (static_cast<unsigned char>(p.at[i]) != Pattern)
        written = &p;
    memcpy(p.at, p.bytes.data(), p.bytes.size());
  }
  return written;
}

xcc_status Hidden::restore() {
  if (const Piece *p = putBack())
    return fail(
        XCC_ERROR_LAUNCH_FAILED, m.site(),
        "%s: while the kernel ran on device %d (%s), which has memory of its "
        "own, the host's copy of %s was written: by the kernel, through an "
        "address that was not translated, or by another thread",
        m.subject().c_str(), m.on.ordinal(), m.on.id(),
        m.nameOf(p->path).c_str());
  return XCC_SUCCESS;
}

} // namespace xcc::rt
