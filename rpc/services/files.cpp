// Files of the host for device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is never given out twice, so one that was closed stays closed. A
// file that is closed while another call uses it lives until that ends.

#include "services_impl.h"

#include <cerrno>
#include <stdio_ext.h>

using namespace xcc::services;

namespace {
/// How many files device code can have open.
constexpr size_t MaxOpen = 65536;

/// Holds a file's locks.
class Locked {
public:
  explicit Locked(OpenFile &F) : Lock(F.Mutex), Stream(F.Stream) {
    flockfile(Stream);
  }
  ~Locked() { funlockfile(Stream); }

private:
  std::lock_guard<std::mutex> Lock;
  FILE *Stream;
};

// C leaves undefined what happens when a file that was read is written, or the
// other way round, with no positioning between. Device code gets what it would
// expect. Called with the file locked.
bool readyToRead(OpenFile &F) {
  if (!__freadable(F.Stream)) {
    errno = EBADF;
    return false;
  }
  if (__fwriting(F.Stream))
    fflush(F.Stream);
  return true;
}
bool readyToWrite(OpenFile &F) {
  if (!__fwritable(F.Stream)) {
    errno = EBADF;
    return false;
  }
  if (__freading(F.Stream))
    fseeko(F.Stream, F.Pushed >= 0 ? -1 : 0, SEEK_CUR);
  F.Pushed = -1;
  return true;
}

/// Reads up to Most bytes, or up to the end of a line.
void readInto(std::string &To, OpenFile &F, size_t Most, bool Line) {
  if (F.Pushed >= 0 && Most) {
    To += char(F.Pushed);
    F.Pushed = -1;
    if (Line && To.back() == '\n')
      return;
  }
  if (!Line) {
    const size_t Before = To.size();
    To.resize(Most);
    To.resize(Before + fread(To.data() + Before, 1, Most - Before, F.Stream));
    return;
  }
  while (To.size() < Most) {
    int C = getc_unlocked(F.Stream);
    if (C == EOF)
      return;
    To += char(C);
    if (C == '\n')
      return;
  }
}

/// Runs what a lane asks of its file, which is locked.
template <class F> void withFile(Files &Files, Lanes All, F use) {
  for (Lane &L : All) {
    Files::File File = Files.find(L.Head.A);
    if (!File) {
      L.fail(ErrBadFile);
      continue;
    }
    Locked Lock(*File);
    errno = 0;
    use(L, *File);
  }
}

void readLanes(Files &Files, Lanes All, bool Line) {
  withFile(Files, All, [&](Lane &L, OpenFile &F) {
    if (!readyToRead(F))
      return L.result(-1, true);
    const size_t Most = L.Head.B < MaxTransfer ? L.Head.B : MaxTransfer;
    readInto(*L.Out, F, Most, Line);
    L.result(int64_t(L.Out->size()), L.Out->size() != Most && ferror(F.Stream));
  });
}
} // namespace

int xcc::services::writeFile(OpenFile &F, std::string_view Text) {
  Locked Lock(F);
  errno = 0;
  if (readyToWrite(F) &&
      fwrite(Text.data(), 1, Text.size(), F.Stream) == Text.size())
    return 0;
  return errno ? errno : ErrIO;
}

Files::File Files::find(uint64_t Handle) {
  std::lock_guard Lock(Mutex);
  auto Found = Open.find(Handle);
  return Found == Open.end() ? nullptr : Found->second;
}

uint64_t Files::add(FILE *Opened) {
  auto New = std::make_shared<OpenFile>(Opened, true);
  std::lock_guard Lock(Mutex);
  if (Open.size() == MaxOpen)
    return 0;
  Open.emplace(++Last, std::move(New));
  return Last;
}

Files::File Files::remove(uint64_t Handle) {
  std::lock_guard Lock(Mutex);
  auto Found = Open.find(Handle);
  if (Found == Open.end())
    return nullptr;
  File Removed = std::move(Found->second);
  Open.erase(Found);
  return Removed;
}

void xcc_services::open(Lanes All) {
  for (Lane &L : All) {
    std::string_view Name;
    if (!L.Rest.bytes(L.Head.A, Name)) {
      L.fail(ErrInvalid);
      continue;
    }
    std::string Path(Name), Mode(L.Rest.rest());
    errno = 0;
    FILE *Opened = fopen(Path.c_str(), Mode.c_str());
    if (!Opened) {
      L.fail(errno ? errno : ErrIO);
      continue;
    }
    uint64_t Handle = Files.add(Opened);
    if (Handle)
      L.Answer = {int64_t(Handle), 0};
    else
      L.fail(EMFILE);
  }
}

void xcc_services::close(Lanes All) {
  for (Lane &L : All) {
    errno = 0;
    Files::File Closed = Files::isStandard(L.Head.A) ? Files.find(L.Head.A)
                                                     : Files.remove(L.Head.A);
    // Errors of what is still to be written show here, not when it goes.
    if (Closed)
      L.result(fflush(Closed->Stream), ferror(Closed->Stream));
    else
      L.fail(ErrBadFile);
  }
}

void xcc_services::read(Lanes All) { readLanes(Files, All, false); }

void xcc_services::readLine(Lanes All) { readLanes(Files, All, true); }

void xcc_services::unread(Lanes All) {
  withFile(Files, All, [](Lane &L, OpenFile &F) {
    L.Answer = {-1, 0};
    if (!readyToRead(F) || F.Pushed >= 0)
      return;
    F.Pushed = (unsigned char)L.Head.B;
    L.Answer.Result = F.Pushed;
  });
}

void xcc_services::seek(Lanes All) {
  withFile(Files, All, [](Lane &L, OpenFile &F) {
    int64_t Offset = int64_t(L.Head.B);
    // The pushed byte counts as not read.
    if (L.Head.C == SEEK_CUR && F.Pushed >= 0)
      Offset = int64_t(L.Head.B - 1);
    int R = L.Head.C > 2 ? (errno = EINVAL, -1)
                         : fseeko(F.Stream, off_t(Offset), int(L.Head.C));
    if (!R)
      F.Pushed = -1;
    L.result(R, R != 0);
  });
}

void xcc_services::tell(Lanes All) {
  withFile(Files, All, [](Lane &L, OpenFile &F) {
    off_t At = ftello(F.Stream);
    L.result(At > 0 && F.Pushed >= 0 ? At - 1 : At, At < 0);
  });
}

void xcc_services::flush(Lanes All) {
  for (Lane &L : All) {
    errno = 0;
    Files::File File = L.Head.A ? Files.find(L.Head.A) : nullptr;
    if (L.Head.A && !File) {
      L.fail(ErrBadFile);
      continue;
    }
    int R = fflush(File ? File->Stream : nullptr);
    L.result(R, R != 0);
  }
}

void xcc_services::fileState(Lanes All) {
  withFile(Files, All, [](Lane &L, OpenFile &F) {
    switch (L.Head.B) {
    case QueryEnd:
      L.Answer = {F.Pushed < 0 && feof(F.Stream), 0};
      return;
    case QueryError:
      L.Answer = {ferror(F.Stream) != 0, 0};
      return;
    case QueryClear:
      clearerr(F.Stream);
      L.Answer = {0, 0};
      return;
    default:
      L.fail(ErrInvalid);
    }
  });
}

void xcc_services::remove(Lanes All) {
  for (Lane &L : All) {
    errno = 0;
    int R = ::remove(std::string(L.Rest.rest()).c_str());
    L.result(R, R != 0);
  }
}

void xcc_services::rename(Lanes All) {
  for (Lane &L : All) {
    std::string_view From;
    if (!L.Rest.bytes(L.Head.A, From)) {
      L.fail(ErrInvalid);
      continue;
    }
    errno = 0;
    int R =
        ::rename(std::string(From).c_str(), std::string(L.Rest.rest()).c_str());
    L.result(R, R != 0);
  }
}
