// The file beneath std::filebuf
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// filebuf has the buffer; this file has the descriptor, which is the host's.
// Where libstdc++ stores a FILE *, the number of the descriptor plus one is
// stored.

#include "streams.h"

#include <bits/basic_file.h>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace std {
namespace {
__c_file *fileOf(int descriptor) {
  return reinterpret_cast<__c_file *>(long(descriptor) + 1);
}
int descriptorOf(__c_file *file) {
  return int(reinterpret_cast<long>(file) - 1);
}

/// The flags of open() for a mode, as for fopen (C++ [tab:filebuf.open.modes]);
/// -1 for an invalid mode.
int flagsOf(ios_base::openmode mode) {
  const auto what =
      mode & (ios_base::in | ios_base::out | ios_base::trunc | ios_base::app);
  constexpr auto in = ios_base::in, out = ios_base::out,
                 trunc = ios_base::trunc, app = ios_base::app;
  if (what == out || what == (out | trunc))
    return O_WRONLY | O_CREAT | O_TRUNC;
  if (what == app || what == (out | app))
    return O_WRONLY | O_CREAT | O_APPEND;
  if (what == in)
    return O_RDONLY;
  if (what == (in | out))
    return O_RDWR;
  if (what == (in | out | trunc))
    return O_RDWR | O_CREAT | O_TRUNC;
  if (what == (in | app) || what == (in | out | app))
    return O_RDWR | O_CREAT | O_APPEND;
  return -1;
}

/// Writes the whole text. Returns the number of bytes written, less than \p
/// size after an error.
streamsize writeAll(int descriptor, const char *text, streamsize size) {
  streamsize left = size;
  while (left > 0) {
    long done = ::write(descriptor, text, size_t(left));
    if (done <= 0)
      break;
    text += done;
    left -= done;
  }
  return size - left;
}
} // namespace

__basic_file<char>::__basic_file(__c_lock *) throw()
    : _M_cfile(nullptr), _M_cfile_created(false) {}
__basic_file<char>::~__basic_file() { close(); }

__basic_file<char> *__basic_file<char>::open(const char *name,
                                             ios_base::openmode mode, int) {
  const int flags = flagsOf(mode);
  if (is_open() || flags < 0)
    return nullptr;
  const int descriptor = ::open(name, flags, 0666);
  if (descriptor < 0)
    return nullptr;
  _M_cfile = fileOf(descriptor);
  _M_cfile_created = true;
  return this;
}
__basic_file<char> *__basic_file<char>::sys_open(__c_file *file,
                                                 ios_base::openmode) {
  if (is_open() || !file || fflush(file))
    return nullptr;
  _M_cfile = fileOf(fileno(file));
  _M_cfile_created = false;
  return this;
}
__basic_file<char> *
__basic_file<char>::sys_open(int descriptor, ios_base::openmode mode) throw() {
  if (is_open() || flagsOf(mode) < 0 || descriptor < 0)
    return nullptr;
  _M_cfile = fileOf(descriptor);
  _M_cfile_created = true;
  return this;
}
__basic_file<char> *__basic_file<char>::close() {
  if (!is_open())
    return nullptr;
  int failed = _M_cfile_created ? ::close(fd()) : 0;
  _M_cfile = nullptr;
  return failed ? nullptr : this;
}

bool __basic_file<char>::is_open() const throw() { return _M_cfile; }
int __basic_file<char>::fd() throw() { return descriptorOf(_M_cfile); }
__c_file *__basic_file<char>::file() throw() {
  return is_open() ? fdopen(fd(), "r+") : nullptr;
}

streamsize __basic_file<char>::xsgetn(char *to, streamsize size) {
  return ::read(fd(), to, size_t(size));
}
streamsize __basic_file<char>::xsputn(const char *text, streamsize size) {
  return writeAll(fd(), text, size);
}
streamsize __basic_file<char>::xsputn_2(const char *first, streamsize firstSize,
                                        const char *second,
                                        streamsize secondSize) {
  streamsize done = writeAll(fd(), first, firstSize);
  if (done == firstSize)
    done += writeAll(fd(), second, secondSize);
  return done;
}
streamoff __basic_file<char>::seekoff(streamoff offset,
                                      ios_base::seekdir way) throw() {
  return lseek(fd(), offset,
               way == ios_base::beg   ? SEEK_SET
               : way == ios_base::cur ? SEEK_CUR
                                      : SEEK_END);
}
int __basic_file<char>::sync() { return 0; }
/// The bytes left in a regular file; 0 for anything else.
streamsize __basic_file<char>::showmanyc() {
  struct stat status;
  if (fstat(fd(), &status) || !S_ISREG(status.st_mode))
    return 0;
  return status.st_size - lseek(fd(), 0, SEEK_CUR);
}

} // namespace std
