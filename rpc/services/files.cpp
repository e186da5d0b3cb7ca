//===-- files.cpp - Files of the host for device code ---------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is never given out twice, so one that was closed stays closed. A
// file that is closed while another call uses it lives until that ends.
//
//===----------------------------------------------------------------------===//
#include "services_impl.h"

#include <cerrno>
#include <stdio_ext.h>

using namespace xcc::services;

namespace {
/// How many files device code can have open.
constexpr size_t MaxOpen = 65536;

void keepOpen(FILE *) {}
void closeFile(FILE *F) { fclose(F); }

/// Holds a file's lock.
class Locked {
public:
  explicit Locked(FILE *F) : F(F) { flockfile(F); }
  ~Locked() { funlockfile(F); }

private:
  FILE *F;
};

// C leaves undefined what happens when a file that was read is written, or the
// other way round, with no positioning between; the GNU C library can crash
// then. Device code gets what it would expect.
bool readyToRead(FILE *F) {
  if (!__freadable(F)) {
    errno = EBADF;
    return false;
  }
  if (__fwriting(F))
    fflush(F);
  return true;
}
bool readyToWrite(FILE *F) {
  if (!__fwritable(F)) {
    errno = EBADF;
    return false;
  }
  if (__freading(F))
    fseeko(F, 0, SEEK_CUR);
  return true;
}

/// Runs what a lane asks of its file.
template <class F> void withFile(Files &Files, Lanes All, F use) {
  for (Lane &L : All) {
    Files::File File = Files.find(L.Head.A);
    errno = 0;
    if (File)
      use(L, File.get());
    else
      L.fail(ErrBadFile);
  }
}
} // namespace

int xcc::services::writeFile(FILE *F, std::string_view Text) {
  Locked Lock(F);
  errno = 0;
  if (readyToWrite(F) && fwrite(Text.data(), 1, Text.size(), F) == Text.size())
    return 0;
  return errno ? errno : ErrIO;
}

Files::File Files::find(uint64_t Handle) {
  switch (Handle) {
  case FileIn:
    return File(stdin, keepOpen);
  case FileOut:
    return File(stdout, keepOpen);
  case FileError:
    return File(stderr, keepOpen);
  }
  std::lock_guard Lock(Mutex);
  auto Found = Open.find(Handle);
  return Found == Open.end() ? nullptr : Found->second;
}

uint64_t Files::add(FILE *Opened) {
  File New(Opened, closeFile);
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
      L.result(fflush(Closed.get()), ferror(Closed.get()));
    else
      L.fail(ErrBadFile);
  }
}

void xcc_services::read(Lanes All) {
  withFile(Files, All, [](Lane &L, FILE *F) {
    Locked Lock(F);
    if (!readyToRead(F))
      return L.result(-1, true);
    L.Out->resize(L.Head.B < MaxTransfer ? L.Head.B : MaxTransfer);
    size_t N = fread(L.Out->data(), 1, L.Out->size(), F);
    L.result(int64_t(N), N != L.Out->size() && ferror(F));
    L.Out->resize(N);
  });
}

void xcc_services::readLine(Lanes All) {
  withFile(Files, All, [](Lane &L, FILE *F) {
    const size_t Most = L.Head.B < MaxTransfer ? L.Head.B : MaxTransfer;
    // One line, whoever else reads.
    Locked Lock(F);
    if (!readyToRead(F))
      return L.result(-1, true);
    while (L.Out->size() != Most) {
      int C = getc_unlocked(F);
      if (C == EOF)
        break;
      *L.Out += char(C);
      if (C == '\n')
        break;
    }
    bool Failed = L.Out->empty() && ferror(F);
    L.result(Failed ? -1 : int64_t(L.Out->size()), Failed);
  });
}

void xcc_services::unread(Lanes All) {
  withFile(Files, All, [](Lane &L, FILE *F) {
    Locked Lock(F);
    int C = readyToRead(F) ? ungetc((unsigned char)L.Head.B, F) : EOF;
    L.Answer = {C, 0};
  });
}

void xcc_services::seek(Lanes All) {
  withFile(Files, All, [](Lane &L, FILE *F) {
    int R = L.Head.C > 2 ? (errno = EINVAL, -1)
                         : fseeko(F, off_t(L.Head.B), int(L.Head.C));
    L.result(R, R != 0);
  });
}

void xcc_services::tell(Lanes All) {
  withFile(Files, All, [](Lane &L, FILE *F) {
    off_t At = ftello(F);
    L.result(At, At < 0);
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
    int R = fflush(File.get());
    L.result(R, R != 0);
  }
}

void xcc_services::fileState(Lanes All) {
  withFile(Files, All, [](Lane &L, FILE *F) {
    switch (L.Head.B) {
    case QueryEnd:
      L.Answer = {feof(F) != 0, 0};
      return;
    case QueryError:
      L.Answer = {ferror(F) != 0, 0};
      return;
    case QueryClear:
      clearerr(F);
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
