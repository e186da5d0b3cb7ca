// POSIX files: descriptors and paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptors are those of the process. policy.cpp has already decided
// about denied requests.

#include "services_impl.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace xcc::services;

namespace {
void readInto(Lane &l) {
  const size_t most = l.head.c < MaxTransfer ? l.head.c : MaxTransfer;
  l.out->resize(most);
  const ssize_t size = ::read(int(l.head.b), l.out->data(), most);
  l.out->resize(size > 0 ? size_t(size) : 0);
  l.result(size, size < 0);
}

void writeStatus(Lane &l, const std::string &name) {
  struct stat status{};
  const int descriptor = int(l.head.b);
  const int r = l.head.a == CallStatus       ? ::stat(name.c_str(), &status)
                : l.head.a == CallLinkStatus ? ::lstat(name.c_str(), &status)
                                             : ::fstat(descriptor, &status);
  if (!r)
    l.out->assign(reinterpret_cast<const char *>(&status), sizeof status);
  l.result(r, r != 0);
}

void writeDirectory(Lane &l) {
  char name[PATH_MAX];
  if (getcwd(name, sizeof name))
    *l.out = name;
  l.result(int64_t(l.out->size()), l.out->empty());
}

/// Calls that return a number and need only numbers and a name.
int64_t simple(const Lane &l, const std::string &name, bool &known) {
  const int b = int(l.head.b), c = int(l.head.c);
  switch (l.head.a) {
  case CallOpen:
    return ::open(name.c_str(), b | O_CLOEXEC, mode_t(c));
  case CallClose:
    return ::close(b);
  case CallSeek:
    return ::lseek(int(l.head.b >> 32), off_t(l.head.c),
                   int(l.head.b & 0xffffffff));
  case CallAccess:
    return ::access(name.c_str(), b);
  case CallUnlink:
    return ::unlink(name.c_str());
  case CallMakeDirectory:
    return ::mkdir(name.c_str(), mode_t(b));
  case CallRemoveDirectory:
    return ::rmdir(name.c_str());
  case CallChangeDirectory:
    return ::chdir(name.c_str());
  case CallIsTerminal:
    return ::isatty(b);
  case CallProcess:
    return ::getpid();
  case CallDuplicate:
    return ::dup(b);
  case CallDuplicateTo:
    return ::dup2(b, c);
  case CallTruncate:
    return ::ftruncate(b, off_t(l.head.c));
  default:
    known = false;
    return -1;
  }
}
} // namespace

void xcc_services::systemFile(Lanes all) {
  for (Lane &l : all) {
    errno = 0;
    switch (l.head.a) {
    case CallRead:
      readInto(l);
      continue;
    case CallWrite: {
      const std::string_view bytes = l.rest.rest();
      const ssize_t size = ::write(int(l.head.b), bytes.data(), bytes.size());
      l.result(size, size < 0);
      continue;
    }
    case CallCurrentDirectory:
      writeDirectory(l);
      continue;
    case CallStatus:
    case CallLinkStatus:
    case CallDescriptorStatus:
      writeStatus(l, std::string(l.rest.rest()));
      continue;
    case CallDescriptorOf: {
      Files::File file = files.find(l.head.b);
      if (!file)
        l.fail(ErrBadFile);
      else
        l.result(::fileno(file->stream), false);
      continue;
    }
    case CallFileOf: {
      FILE *opened =
          ::fdopen(int(l.head.b), std::string(l.rest.rest()).c_str());
      const uint64_t handle = opened ? files.add(opened) : 0;
      if (handle)
        l.answer = {int64_t(handle), 0};
      else
        l.fail(errno ? errno : EMFILE);
      continue;
    }
    default:
      break;
    }
    bool known = true;
    const int64_t r = simple(l, std::string(l.rest.rest()), known);
    if (known)
      l.result(r, r < 0 || (l.head.a == CallIsTerminal && !r));
    else
      l.fail(ErrInvalid);
  }
}
