// Runs an image whose main runs on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     xcc-run [options] image [arguments]
//
// The image is what xcc -foffload-image-only writes: OffloadBinary, an image for
// each arch.

#include "run.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace xcc::program;

namespace {

/// What LLVM's offload binaries begin with (llvm/Object/OffloadBinary.h).
constexpr unsigned char Magic[] = {0x10, 0xff, 0x10, 0xad};

/// The file's bytes, mapped for good; null after a message.
const char *mapFile(const char *path, size_t &size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  void *memory = MAP_FAILED;
  bool none = false; // of what could be an image
  if (file >= 0 && fstat(file, &status) == 0) {
    size = size_t(status.st_size);
    none = S_ISREG(status.st_mode) && size < sizeof(Magic);
    if (S_ISDIR(status.st_mode))
      errno = EISDIR;
    else if (!none)
      memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  if (memory != MAP_FAILED)
    none = memcmp(memory, Magic, sizeof(Magic)) != 0;
  else if (!none)
    complain((std::string("cannot read '") + path + "': " + strerror(errno))
                 .c_str());
  if (none)
    complain((std::string("'") + path +
              "' is no device image; xcc -foffload-image-only makes one")
                 .c_str());
  if (file >= 0)
    close(file);
  return memory == MAP_FAILED || none ? nullptr
                                      : static_cast<const char *>(memory);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  std::string error;
  std::vector<std::string> args(argv + 1, argv + argc);
  size_t used = parse(args, options, error);
  if (options.help) {
    printf("usage: xcc-run [options] image [arguments]\n%s", OptionsHelp);
    return 0;
  }
  if (options.version) {
    puts("xcc-run " XCC_VERSION);
    return 0;
  }
  if (error.empty() && used == args.size())
    error = "no image was named; see --help";
  if (!error.empty()) {
    complain(error.c_str());
    return CannotRun;
  }
  static xcc_binary unit{};
  size_t size = 0;
  const char *bytes = mapFile(args[used].c_str(), size);
  if (!bytes)
    return CannotRun;
  unit.abi_version = XCC_ABI_VERSION;
  unit.images_begin = bytes;
  unit.images_end = bytes + size;
  run(unit, options, argc - 1 - int(used), argv + 1 + used);
}
