// Less common <stdio.h> calls: freopen, setvbuf, tmpfile
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

#include <cerrno>
#include <cstdlib>
#include <unistd.h>

using namespace xcc::services;

namespace {
/// The largest buffer that device code may request.
constexpr uint64_t MaxBuffer = uint64_t(16) << 20;

/// A name that no file has, like those of tmpnam.
std::string temporaryName() {
  char name[] = "/tmp/fileXXXXXX";
  const int made = mkstemp(name);
  if (made < 0)
    return {};
  ::close(made);
  unlink(name);
  return name;
}
} // namespace

void xcc_services::reopen(Lanes all) {
  for (Lane &l : all) {
    std::string_view name;
    Files::File file = files.find(l.head.a);
    if (!file || !l.rest.bytes(l.head.b, name)) {
      l.fail(file ? ErrInvalid : ErrBadFile);
      continue;
    }
    std::string path(name), mode(l.rest.rest());
    std::lock_guard lock(file->mutex);
    errno = 0;
    FILE *opened =
        freopen(l.head.c ? nullptr : path.c_str(), mode.c_str(), file->stream);
    if (opened) {
      file->pushed = -1;
      l.answer = {int64_t(l.head.a), 0};
      continue;
    }
    const int error = errno ? errno : ErrIO;
    // The C library has closed the stream, so it must not be used again.
    file->stream = fopen("/dev/null", "r");
    if (!Files::isStandard(l.head.a) || !file->stream)
      files.remove(l.head.a);
    l.fail(error);
  }
}

void xcc_services::setBuffer(Lanes all) {
  withFile(files, all, [](Lane &l, OpenFile &f) {
    const int mode = l.head.b == uint64_t(_IOFBF)   ? _IOFBF
                     : l.head.b == uint64_t(_IOLBF) ? _IOLBF
                     : l.head.b == uint64_t(_IONBF) ? _IONBF
                                                    : -1;
    const size_t size = l.head.c < MaxBuffer ? l.head.c : MaxBuffer;
    if (mode < 0)
      l.fail(ErrInvalid);
    else
      l.result(setvbuf(f.stream, nullptr, mode, size), false);
  });
}

void xcc_services::temporary(Lanes all) {
  for (Lane &l : all) {
    errno = 0;
    if (l.head.a) {
      *l.out = temporaryName();
      l.result(int64_t(l.out->size()), l.out->empty());
      continue;
    }
    FILE *opened = tmpfile();
    const uint64_t handle = opened ? files.add(opened) : 0;
    if (handle)
      l.answer = {int64_t(handle), 0};
    else
      l.fail(opened ? EMFILE : errno ? errno : ErrIO);
  }
}
