// Files of the host for device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is never reused, so the handle of a closed file stays invalid. A
// file that is closed during another call stays open until that call ends.

#include "services_impl.h"

#include <cerrno>
#include <stdio_ext.h>

using namespace xcc::services;

// In C, writing to a file after reading (or the reverse) without positioning in
// between is undefined. This makes it work for device code. Call this with the
// file locked.
bool xcc::services::readyToRead(OpenFile &f) {
  if (!__freadable(f.stream)) {
    errno = EBADF;
    return false;
  }
  if (__fwriting(f.stream))
    fflush(f.stream);
  return true;
}
namespace {
/// The most files that device code may have open.
constexpr size_t MaxOpen = 65536;

bool readyToWrite(OpenFile &f) {
  if (!__fwritable(f.stream)) {
    errno = EBADF;
    return false;
  }
  if (__freading(f.stream))
    fseeko(f.stream, f.pushed >= 0 ? -1 : 0, SEEK_CUR);
  f.pushed = -1;
  return true;
}

/// Reads up to \p most bytes, or up to the end of a line.
void readInto(std::string &to, OpenFile &f, size_t most, bool line) {
  if (f.pushed >= 0 && most) {
    to += char(f.pushed);
    f.pushed = -1;
    if (line && to.back() == '\n')
      return;
  }
  if (!line) {
    const size_t before = to.size();
    to.resize(most);
    to.resize(before + fread(to.data() + before, 1, most - before, f.stream));
    return;
  }
  while (to.size() < most) {
    int c = getc_unlocked(f.stream);
    if (c == EOF)
      return;
    to += char(c);
    if (c == '\n')
      return;
  }
}

void readLanes(Files &files, Lanes all, bool line) {
  withFile(files, all, [&](Lane &l, OpenFile &f) {
    if (!readyToRead(f))
      return l.result(-1, true);
    const size_t most = l.head.b < MaxTransfer ? l.head.b : MaxTransfer;
    readInto(*l.out, f, most, line);
    l.result(int64_t(l.out->size()), l.out->size() != most && ferror(f.stream));
  });
}
} // namespace

int xcc::services::writeFile(OpenFile &f, std::string_view text) {
  Locked lock(f);
  errno = 0;
  if (readyToWrite(f) &&
      fwrite(text.data(), 1, text.size(), f.stream) == text.size())
    return 0;
  return errno ? errno : ErrIO;
}

Files::File Files::find(uint64_t handle) {
  std::lock_guard lock(mutex);
  auto found = open_.find(handle);
  return found == open_.end() ? nullptr : found->second;
}

uint64_t Files::add(FILE *file) {
  auto fresh = std::make_shared<OpenFile>(file, true);
  std::lock_guard lock(mutex);
  if (open_.size() == MaxOpen)
    return 0;
  open_.emplace(++last, std::move(fresh));
  return last;
}

Files::File Files::remove(uint64_t handle) {
  std::lock_guard lock(mutex);
  auto found = open_.find(handle);
  if (found == open_.end())
    return nullptr;
  File removed = std::move(found->second);
  open_.erase(found);
  return removed;
}

void xcc_services::open(Lanes all) {
  for (Lane &l : all) {
    std::string_view name;
    if (!l.rest.bytes(l.head.a, name)) {
      l.fail(ErrInvalid);
      continue;
    }
    std::string path(name), mode(l.rest.rest());
    errno = 0;
    FILE *opened = fopen(path.c_str(), mode.c_str());
    if (!opened) {
      l.fail(errno ? errno : ErrIO);
      continue;
    }
    uint64_t handle = files.add(opened);
    if (handle)
      l.answer = {int64_t(handle), 0};
    else
      l.fail(EMFILE);
  }
}

void xcc_services::close(Lanes all) {
  for (Lane &l : all) {
    errno = 0;
    Files::File closed = Files::isStandard(l.head.a) ? files.find(l.head.a)
                                                     : files.remove(l.head.a);
    // Errors of buffered output are reported here; the destructor could not.
    if (closed)
      l.result(fflush(closed->stream), ferror(closed->stream));
    else
      l.fail(ErrBadFile);
  }
}

void xcc_services::read(Lanes all) { readLanes(files, all, false); }

void xcc_services::readLine(Lanes all) { readLanes(files, all, true); }

void xcc_services::unread(Lanes all) {
  withFile(files, all, [](Lane &l, OpenFile &f) {
    l.answer = {-1, 0};
    if (!readyToRead(f) || f.pushed >= 0)
      return;
    f.pushed = (unsigned char)l.head.b;
    l.answer.result = f.pushed;
  });
}

void xcc_services::seek(Lanes all) {
  withFile(files, all, [](Lane &l, OpenFile &f) {
    int64_t offset = int64_t(l.head.b);
    // A pushed byte counts as not yet read.
    if (l.head.c == SEEK_CUR && f.pushed >= 0)
      offset = int64_t(l.head.b - 1);
    int r = l.head.c > 2 ? (errno = EINVAL, -1)
                         : fseeko(f.stream, off_t(offset), int(l.head.c));
    if (!r)
      f.pushed = -1;
    l.result(r, r != 0);
  });
}

void xcc_services::tell(Lanes all) {
  withFile(files, all, [](Lane &l, OpenFile &f) {
    off_t at = ftello(f.stream);
    l.result(at > 0 && f.pushed >= 0 ? at - 1 : at, at < 0);
  });
}

void xcc_services::flush(Lanes all) {
  for (Lane &l : all) {
    errno = 0;
    Files::File file = l.head.a ? files.find(l.head.a) : nullptr;
    if (l.head.a && !file) {
      l.fail(ErrBadFile);
      continue;
    }
    int r = fflush(file ? file->stream : nullptr);
    l.result(r, r != 0);
  }
}

void xcc_services::fileState(Lanes all) {
  withFile(files, all, [](Lane &l, OpenFile &f) {
    switch (l.head.b) {
    case QueryEnd:
      l.answer = {f.pushed < 0 && feof(f.stream), 0};
      return;
    case QueryError:
      l.answer = {ferror(f.stream) != 0, 0};
      return;
    case QueryClear:
      clearerr(f.stream);
      l.answer = {0, 0};
      return;
    default:
      l.fail(ErrInvalid);
    }
  });
}

void xcc_services::remove(Lanes all) {
  for (Lane &l : all) {
    errno = 0;
    int r = ::remove(std::string(l.rest.rest()).c_str());
    l.result(r, r != 0);
  }
}

void xcc_services::rename(Lanes all) {
  for (Lane &l : all) {
    std::string_view from;
    if (!l.rest.bytes(l.head.a, from)) {
      l.fail(ErrInvalid);
      continue;
    }
    errno = 0;
    int r =
        ::rename(std::string(from).c_str(), std::string(l.rest.rest()).c_str());
    l.result(r, r != 0);
  }
}
