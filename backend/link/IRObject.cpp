// Device code within the host's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IRObject.h"
#include "Embed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

/// What LLVM calls what it embeds, and what begins the name of a descriptor.
/// Names are whole bytes in bitcode: a file without these has nothing of ours.
constexpr StringLiteral EmbeddedName = "llvm.embedded.object";
constexpr StringLiteral DescriptorPrefix = "__xcc_info_";

bool writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.drop_front(count);
  }
  return true;
}

bool writeSection(int file, StringRef bytes) {
  uint64_t size = bytes.size();
  return writeAll(file,
                  StringRef(reinterpret_cast<char *>(&size), sizeof(size))) &&
         writeAll(file, bytes);
}

/// In the child: whether there are kernels, then each section as its size and
/// its bytes. The exit status.
int writeSections(MemoryBufferRef bitcode, int file) {
  LLVMContext context;
  auto module = getLazyBitcodeModule(bitcode, context);
  if (!module) {
    consumeError(module.takeError());
    return 1;
  }
  if (Error error = (*module)->materializeMetadata()) {
    consumeError(std::move(error));
    return 1;
  }
  bool hasKernels = any_of((*module)->globals(), [](GlobalVariable &global) {
    return !global.isDeclaration() &&
           global.getName().starts_with(DescriptorPrefix);
  });
  if (!writeAll(file, StringRef(hasKernels ? "K" : "-", 1)))
    return 1;
  NamedMDNode *list = (*module)->getNamedMetadata("llvm.embedded.objects");
  if (!list)
    return 0;
  for (const MDNode *node : list->operands()) {
    auto *section = node->getNumOperands() < 2
                        ? nullptr
                        : dyn_cast_or_null<MDString>(node->getOperand(1).get());
    if (!section || (section->getString() != OffloadSection &&
                     section->getString() != HostOnlySection))
      continue;
    auto *global =
        mdconst::dyn_extract_or_null<GlobalVariable>(node->getOperand(0));
    auto *data =
        global && global->hasInitializer()
            ? dyn_cast<ConstantDataSequential>(global->getInitializer())
            : nullptr;
    if (data && !writeSection(file, data->getRawDataValues()))
      return 1;
  }
  return 0;
}

[[noreturn]] void runChild(MemoryBufferRef bitcode, int file) {
  // A damaged file is no crash of ours to report, and gets no core.
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGINT,
                     SIGTERM, SIGHUP})
    ::signal(signal, SIG_DFL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // Nor may it take the machine's memory: a module in memory is a small
  // multiple of its file.
  rlimit seconds = {10 + bitcode.getBufferSize() / (8 << 20), RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &seconds);
  rlimit space = {(uint64_t(4) << 30) + 64 * bitcode.getBufferSize(),
                  RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &space);
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0)
    dup2(null, STDERR_FILENO);
  _exit(writeSections(bitcode, file));
}

} // namespace

Expected<IRContents> readIRObject(MemoryBufferRef bitcode) {
  IRContents contents;
  if (!bitcode.getBuffer().contains(EmbeddedName) &&
      !bitcode.getBuffer().contains(DescriptorPrefix))
    return contents;
  int file = memfd_create("xcc-sections", MFD_CLOEXEC);
  if (file < 0)
    return createStringError("no anonymous file: " + Twine(strerror(errno)));
  pid_t child = fork();
  if (child == 0)
    runChild(bitcode, file);
  int status = 1;
  if (child > 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  struct stat info = {};
  fstat(file, &info);
  std::string bytes(info.st_size, '\0');
  bool whole = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
               pread(file, bytes.data(), bytes.size(), 0) == info.st_size;
  close(file);
  if (!whole || bytes.empty())
    return createStringError("its bitcode cannot be read");
  contents.hasKernels = bytes.front() == 'K';
  StringRef rest = StringRef(bytes).drop_front();
  while (rest.size() >= sizeof(uint64_t)) {
    uint64_t size;
    memcpy(&size, rest.data(), sizeof(size));
    rest = rest.drop_front(sizeof(size));
    contents.sections.push_back(rest.take_front(size).str());
    rest = rest.drop_front(std::min<uint64_t>(size, rest.size()));
  }
  return contents;
}

} // namespace xcc
