// Objects that -flto makes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bitcode.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xcc::rt {

namespace {

/// A file without a name.
struct Scratch {
  int file = memfd_create("xcc-info", MFD_CLOEXEC);
  ~Scratch() {
    if (file >= 0)
      close(file);
  }
  bool write(Bytes bytes) {
    for (uint64_t at = 0; at < bytes.size();) {
      ssize_t n = ::write(file, bytes.data() + at, bytes.size() - at);
      if (n <= 0 && errno != EINTR)
        return false;
      at += n > 0 ? uint64_t(n) : 0;
    }
    return lseek(file, 0, SEEK_SET) == 0;
  }
  bool read(std::vector<char> &out) {
    char buffer[1 << 16];
    lseek(file, 0, SEEK_SET);
    ssize_t n;
    while ((n = ::read(file, buffer, sizeof(buffer))) > 0)
      out.insert(out.end(), buffer, buffer + n);
    return n == 0;
  }
};

std::string inOwnFolder(const char *name) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  std::string folder(path, length > 0 ? size_t(length) : 0);
  return folder.substr(0, folder.rfind('/') + 1) + name;
}

} // namespace

bool isBitcode(Bytes file) {
  return file.size() >= 4 && !memcmp(file.data(), "BC\xc0\xde", 4);
}

bool readBitcode(Bytes file, std::vector<char> &section, std::string &why) {
  std::string xcc = inOwnFolder("xcc");
  if (access(xcc.c_str(), X_OK) != 0) {
    why = "there is no xcc beside xcc-info, which reads it";
    return false;
  }
  Scratch in, out;
  if (!in.write(file)) {
    why = strerror(errno);
    return false;
  }
  // What it says of the file would name no file that the user knows.
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, in.file, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, out.file, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  std::string option = "--print-device-sections";
  char *arguments[] = {xcc.data(), option.data(), nullptr};
  pid_t child;
  int status =
      posix_spawn(&child, xcc.c_str(), &streams, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&streams);
  if (status != 0) {
    why = strerror(status);
    return false;
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !out.read(section)) {
    why = "LLVM cannot read it";
    return false;
  }
  return true;
}

} // namespace xcc::rt
