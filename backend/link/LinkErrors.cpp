// Explains lld's errors to the user
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace xcc {
namespace {

/// "kernel 'saxpy(...)'" for the entry of a function kernel, and "'f(int)'" for
/// other functions. lld demangles names and appends suffixes.
std::string describeFunction(StringRef name) {
  name = name.split(" (.").first;
  size_t entry = name.find("xcc::function_kernel<&");
  if (entry == StringRef::npos)
    return ("'" + name + "'").str();
  name = name.drop_front(entry).split('&').second;
  // The function's parameters end where those of the entry begin.
  name = name.take_front(name.rfind(">(char const*)"));
  return ("kernel '" + name + "'").str();
}

/// A note for functions that a device cannot have; empty for others.
std::string whyNever(StringRef symbol) {
  std::string name = demangle(symbol);
  StringRef text = name;
  auto isOneOf = [&](ArrayRef<StringLiteral> names) {
    return is_contained(names, text);
  };
  if (text.starts_with("_ZGV"))
    return "note: this is of glibc's libmvec, which -fveclib=libmvec and "
           "-ffast-math use, and which this machine's libm is without; compile "
           "with -fveclib=none\n";
  if (text.starts_with("std::thread::") || text.starts_with("std::jthread") ||
      text.starts_with("pthread_") || text.starts_with("thrd_"))
    return "note: this device starts no threads (std::thread) but those of a "
           "launch; the CPU device does\n";
  if (text.starts_with("__kmpc_") || text.starts_with("omp_"))
    return "note: this device runs no OpenMP\n";
  if (isOneOf({"signal", "sigaction", "sigprocmask", "sigsuspend", "raise",
               "kill", "alarm", "setitimer", "pause"}))
    return "note: this device has no signals\n";
  if (isOneOf({"socket", "connect", "bind", "listen", "accept", "send", "recv",
               "sendto", "recvfrom", "getaddrinfo", "poll", "select"}))
    return "note: there is no service for sockets on this device\n";
  if (isOneOf({"std::wcout", "std::wcin", "std::wcerr", "std::wclog"}))
    return "note: this device has streams of char alone\n";
  if (isOneOf({"fork", "vfork", "execve", "execvp", "execl", "wait", "waitpid",
               "pipe", "posix_spawn"}))
    return "note: this device has no processes\n";
  if (isOneOf({"environ", "__environ", "_environ"}))
    return "note: the environment is the host's: a kernel asks for one "
           "variable "
           "with std::getenv; for all, copy them before the launch\n";
  if (isOneOf({"feclearexcept", "feraiseexcept", "fetestexcept", "fegetround",
               "fesetround", "fegetenv", "fesetenv", "feholdexcept",
               "feupdateenv", "fegetexceptflag", "fesetexceptflag",
               "feenableexcept", "fedisableexcept", "fegetexcept"}))
    return "note: this device has no floating-point environment (<cfenv>): it "
           "rounds to nearest and sets no flags; look at results with "
           "std::isnan and std::isinf, and round them with std::floor, "
           "std::ceil, std::trunc or std::nearbyint\n";
  if (isOneOf({"mmap", "mmap64", "munmap", "mremap", "mprotect", "madvise",
               "msync", "mlock", "munlock", "shm_open", "shm_unlink"}))
    return "note: this device maps no memory and no files: a kernel gets "
           "memory "
           "with malloc or new, and reads files with std::fopen and "
           "std::fread; what the host has mapped, copy before the launch\n";
  return "";
}

/// A note about where a class's virtual table and type information are defined;
/// empty for other symbols.
std::string whereTablesAre(StringRef symbol) {
  if (!symbol.starts_with("_ZTV") && !symbol.starts_with("_ZTI") &&
      !symbol.starts_with("_ZTT"))
    return "";
  std::string name = demangle(symbol);
  StringRef of = StringRef(name).split(" for ").second;
  return ("note: what '" + of +
          "' has of this is where its key function is defined: the first of "
          "its virtual functions that is neither pure nor inline; define that, "
          "or make it pure or inline\n")
      .str();
}

} // namespace

std::string describeUndefined(StringRef symbol, StringRef users,
                              const DeviceCodegenOptions &options) {
  std::string text = "device code uses '" + demangle(symbol) +
                     "', which nothing in this link defines for a device";
  std::string notes =
      options.notesOfUndefined ? options.notesOfUndefined(symbol) : "";
  notes += whyNever(symbol);
  // Another note may name the object that defines the tables for the host.
  if (!StringRef(notes).contains("for the host"))
    notes += whereTablesAre(symbol);
  if (notes.empty() && !users.empty())
    text += "; used by " + users.str();
  return text + '\n' + notes;
}

StringRef adviceForUndefined() {
  return "note: link the object that defines it, compiled by xcc (with "
         "-foffload-export if its source does not include <xcc/xcc.h>); for "
         "the host to run a function, mark it XCC_HOST, or compile with "
         "-foffload-host-calls\n";
}

std::string explainLinkErrors(StringRef messages,
                              const DeviceCodegenOptions &options) {
  std::string text;
  bool undefined = false;
  SmallVector<StringRef> lines;
  messages.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef line = lines[i];
    line.consume_front("ld.lld: error: ");
    line.consume_front("ld.lld: ");
    StringRef symbol = line;
    if (!symbol.consume_front("undefined symbol: ")) {
      text += line.str() + "\n";
      continue;
    }
    undefined = true;
    StringRef file, user;
    for (; i + 1 < lines.size() && lines[i + 1].starts_with(">>>"); ++i) {
      StringRef more = lines[i + 1].drop_front(3).ltrim();
      if (more.consume_front("referenced by ") && file.empty())
        file = more.split(" (").first;
      else if (user.empty() && more.contains(":(") && more.ends_with(")"))
        user = more.split(":(").second.drop_back();
    }
    std::string users;
    if (!user.empty())
      users = describeFunction(demangle(user));
    if (!file.empty())
      users += (users.empty() ? "" : " ") + ("(" + file.str() + ")");
    text += describeUndefined(symbol, users, options);
  }
  if (undefined)
    text += adviceForUndefined();
  return text;
}

} // namespace xcc
