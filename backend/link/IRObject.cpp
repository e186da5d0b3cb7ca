// Reads device code within host bitcode
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
#include "llvm/IR/Verifier.h"
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

/// LLVM's name for embedded data, and the prefix of descriptors' names. Bitcode
/// stores names as bytes: a file without these has nothing of xcc.
constexpr StringLiteral EmbeddedName = "llvm.embedded.object";
constexpr StringLiteral DescriptorPrefix = XCC_SYMBOL_INFO;

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

using Modules = std::vector<std::unique_ptr<Module>>;

/// In the child: reads the whole file, because deep damage can make a linker's
/// plugin loop forever. With ThinLTO and class hierarchies, a file has two
/// modules.
bool readModules(MemoryBufferRef bitcode, LLVMContext &context,
                 Modules &modules) {
  auto list = getBitcodeModuleList(bitcode);
  if (!list) {
    consumeError(list.takeError());
    return false;
  }
  for (BitcodeModule &each : *list) {
    auto module = each.parseModule(context);
    if (!module) {
      consumeError(module.takeError());
      return false;
    }
    // If the link continues, LLVM drops invalid debug information.
    bool wrongDebugInfo = false;
    if (verifyModule(**module, nullptr, &wrongDebugInfo))
      return false;
    modules.push_back(std::move(*module));
  }
  return !modules.empty();
}

/// In the child: writes each section of a module as its size and its bytes.
bool writeSections(const Module &module, int file) {
  const NamedMDNode *list = module.getNamedMetadata("llvm.embedded.objects");
  if (!list)
    return true;
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
      return false;
  }
  return true;
}

/// In the child: writes whether there are kernels, then the sections.
bool writeContents(const Modules &modules, int file) {
  bool hasKernels = any_of(modules, [](const auto &module) {
    return any_of(module->globals(), [](const GlobalVariable &global) {
      return !global.isDeclaration() &&
             global.getName().starts_with(DescriptorPrefix);
    });
  });
  return writeAll(file, StringRef(hasKernels ? "K" : "-", 1)) &&
         all_of(modules, [&](const auto &module) {
           return writeSections(*module, file);
         });
}

/// The address space that this process uses, in bytes.
uint64_t spaceInUse() {
  unsigned long pages = 0;
  if (FILE *file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    fclose(file);
  }
  return pages * uint64_t(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void runChild(MemoryBufferRef bitcode, int file) {
  // A crash here is no crash of xcc: no report and no core file.
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGINT,
                     SIGTERM, SIGHUP})
    ::signal(signal, SIG_DFL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // Limit time and memory: a module in memory is a small multiple of its file.
  rlimit seconds = {10 + bitcode.getBufferSize() / (1 << 20), RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &seconds);
  rlimit space = {spaceInUse() + (uint64_t(1) << 30) +
                      64 * bitcode.getBufferSize(),
                  RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &space);
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0)
    dup2(null, STDERR_FILENO);
  LLVMContext context;
  Modules modules;
  bool ok = readModules(bitcode, context, modules) &&
            (file < 0 || writeContents(modules, file));
  _exit(ok ? 0 : 1);
}

/// Whether the child succeeded. `file` may be -1.
bool tryInChild(MemoryBufferRef bitcode, int file) {
  pid_t child = fork();
  if (child == 0)
    runChild(bitcode, file);
  int status = 1;
  if (child > 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

constexpr const char *Unreadable = "its bitcode cannot be read";

} // namespace

Error checkBitcode(MemoryBufferRef bitcode) {
  if (!tryInChild(bitcode, /*file=*/-1))
    return createStringError(Unreadable);
  return Error::success();
}

Expected<IRContents> readIRObject(MemoryBufferRef bitcode) {
  IRContents contents;
  if (!bitcode.getBuffer().contains(EmbeddedName) &&
      !bitcode.getBuffer().contains(DescriptorPrefix))
    return contents;
  int file = memfd_create("xcc-sections", MFD_CLOEXEC);
  if (file < 0)
    return createStringError("no anonymous file: " + Twine(strerror(errno)));
  bool whole = tryInChild(bitcode, file);
  struct stat info = {};
  fstat(file, &info);
  std::string bytes(info.st_size, '\0');
  whole &= pread(file, bytes.data(), bytes.size(), 0) == info.st_size;
  close(file);
  if (!whole || bytes.empty())
    return createStringError(Unreadable);
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
