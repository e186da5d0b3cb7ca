// Compiling source text at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "front_end.h"
#include "code_cache.h"
#include "cpu/faults/recovery.h"
#include "formats/rtc_interface.h"
#include "generator.h"
#include "images/own_library.h"
#include "process/log.h"
#include "process/trace.h"

#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>

namespace xcc::rt {

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

static std::mutex libraryMutex;
static std::atomic<const xcc_rtc_functions *> theLibrary{nullptr};

static std::string setting(const char *name) {
  const char *text = secure_getenv(name);
  return text ? text : "";
}

/// The library folder of the compiler that built the program.
static std::string libraryFolderOf(const xcc_source_options &options) {
  if (!options.beside)
    return "";
  // <prefix>/include/xcc/source.h
  std::string path = options.beside;
  for (int i = 0; i != 3; ++i) {
    size_t slash = path.rfind('/');
    if (slash == path.npos)
      return "";
    path.resize(slash);
  }
  return path + "/lib/";
}

/// All that decides which library is opened, if it exists.
static std::string searchFor(const xcc_source_options &options) {
  return "source " + std::to_string(XCC_RTC_INTERFACE) + "." +
         std::to_string(XCC_JIT_INTERFACE) + "." +
         std::to_string(XCC_ABI_VERSION) + "\nfile " +
         setting("XCC_RTC_LIBRARY") + "\npaths " + setting("LD_LIBRARY_PATH") +
         "\nelse " + libraryFolderOf(options) + "\n";
}

/// Opens the library at a path. Returns the error, or empty text on success.
static std::string openAt(const char *path) {
  return openOwnLibrary(path, XCC_RTC_ENTRY, XCC_RTC_INTERFACE, theLibrary);
}

static xcc_status openFrontEnd(const xcc_source_options &options) {
  if (theLibrary.load(std::memory_order_acquire))
    return XCC_SUCCESS;
  std::lock_guard lock(libraryMutex);
  if (theLibrary.load(std::memory_order_acquire))
    return XCC_SUCCESS;
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  std::string set = setting("XCC_RTC_LIBRARY"),
              beside = libraryFolderOf(options), why;
  if (!set.empty()) {
    why = openAt(set.c_str());
  } else {
    // First where the system finds libraries, then beside the compiler.
    why = openAt(XCC_RTC_LIBRARY);
    if (std::string path = beside + XCC_RTC_LIBRARY;
        !why.empty() && !beside.empty() && access(path.c_str(), F_OK) == 0)
      why = openAt(path.c_str());
  }
  if (!why.empty())
    return fail(XCC_ERROR_NO_IMAGE,
                "source cannot be compiled here: " XCC_RTC_LIBRARY
                " does not open (%s); install xcc's compiler, libxcc-rtc, of "
                "the version that built the program, or name the file with "
                "XCC_RTC_LIBRARY",
                why.c_str());
  const auto &library = *theLibrary.load(std::memory_order_relaxed);
  rememberGenerator(searchFor(options), library.identity, library.files);
  if (begin)
    trace::add({"open compiler", "load", begin, trace::now(), 0, 0, 0, false});
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// The key of a result
//===----------------------------------------------------------------------===//

namespace {
class Key {
public:
  std::string text;
  void add(const char *what, std::string_view value) {
    text += what;
    text += " " + std::to_string(value.size()) + " ";
    text += value;
    text += '\n';
  }
};
} // namespace

/// Does the option mean the same in every folder?
static bool isOfNoFolder(std::string_view option) {
  for (std::string_view start :
       {"-D", "-U", "-O", "-W", "-f", "-g", "-m", "-std="})
    if (option.starts_with(start))
      return option.find('/') == option.npos;
  return false;
}

static std::string keyOf(std::string_view text,
                         const xcc_source_options &options, Device &on,
                         const std::string &identity) {
  Key key;
  key.text = "xcc source 1\n";
  key.add("compiler", identity);
  key.add("name", options.name ? options.name : "");
  if (options.arch) {
    key.add("archs", options.arch);
  } else {
    key.add("arch", on.codeArch());
  }
  key.add("device", on.codeMachine());
  bool anywhere = true;
  for (uint64_t i = 0; i != options.argument_count; ++i) {
    key.add("option", options.arguments[i]);
    anywhere &= isOfNoFolder(options.arguments[i]);
  }
  if (!anywhere) {
    std::unique_ptr<char, void (*)(void *)> here(getcwd(nullptr, 0), free);
    key.add("folder", here ? here.get() : "");
  }
  for (const char *variable :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SYSROOT"})
    key.add(variable, setting(variable));
  for (uint64_t i = 0; i != options.kernel_count; ++i)
    key.add("kernel", options.kernels[i]);
  for (uint64_t i = 0; i != options.header_count; ++i) {
    key.add("header", options.headers[i].name);
    key.add("", {options.headers[i].text, options.headers[i].size});
  }
  key.add("text", text);
  // An entry contains its key, so a hash of the long part is enough.
  std::string name = options.name ? options.name : "";
  for (char &c : name)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return "xcc source 1\nname " + name + "\narch " +
         (options.arch ? options.arch : on.codeArch()) + "\nkey " +
         cacheKeyOf(key.text) + " " + std::to_string(key.text.size());
}

static bool findResult(const std::string &key, CompiledSource &out) {
  if (!findStored(key, out.bytes))
    return false;
  out.table = {};
  return readSource(Bytes(out.bytes.data(), out.bytes.size()), out.table,
                    out.images) &&
         out.images.size() && isUpToDate(out.table);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
/// One compile, on a thread of its own, so that a compiler crash can be caught.
struct Compile {
  const xcc_rtc_functions &library;
  const xcc_rtc_request &request;
  xcc_rtc_result result{};
  int signal = 0;

  static void call(void *self) {
    auto &c = *static_cast<Compile *>(self);
    c.library.compile(&c.request, &c.result);
  }
  static void *threadMain(void *self) {
    fesetenv(FE_DFL_ENV);
    static_cast<Compile *>(self)->signal = cpu::callWithRecovery(call, self);
    return nullptr;
  }
  /// Returns false if the thread could not be started.
  bool run() {
    sigset_t all, old;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
      sigdelset(&all, fault);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, XCC_RTC_STACK);
    // The new thread inherits the signal mask.
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    bool made = pthread_create(&thread, &attributes, threadMain, this) == 0;
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    pthread_attr_destroy(&attributes);
    if (made)
      pthread_join(thread, nullptr);
    return made;
  }
};

/// The results that are being compiled. A thread that needs the same result
/// waits.
struct InProgress {
  std::mutex mutex;
  std::condition_variable ended;
  std::set<std::string> keys;

  static InProgress &all() {
    static InProgress &making = *new InProgress; // never destroyed
    return making;
  }
};

/// Reserves a key there while it lives.
class CompileKey {
public:
  explicit CompileKey(const std::string &key) : key(key) {
    InProgress &making = InProgress::all();
    std::unique_lock lock(making.mutex);
    while (!making.keys.insert(key).second)
      making.ended.wait(lock);
  }
  ~CompileKey() {
    InProgress &making = InProgress::all();
    std::lock_guard lock(making.mutex);
    making.keys.erase(key);
    making.ended.notify_all();
  }
  CompileKey(const CompileKey &) = delete;

private:
  const std::string &key;
};
} // namespace

static int findOnDisk(const char *text,
                      void (*take)(void *user, const void *data, uint64_t size),
                      void *user) {
  std::vector<char> found;
  if (!findStored(text, found))
    return 0;
  take(user, found.data(), found.size());
  return 1;
}

static void storeOnDisk(const char *text, const void *data, uint64_t size) {
  store(text, Bytes(static_cast<const char *>(data), size));
}

static xcc_status compileNow(std::string_view text,
                             const xcc_source_options &options, Device &on,
                             CompiledSource &out) {
  const char *name = options.name ? options.name : "source";
  std::string arch = on.codeArch();
  bool kept = codeFolder().isUsed();
  xcc_rtc_request request{text.data(),
                          text.size(),
                          &options,
                          arch.c_str(),
                          generatorFunctions(),
                          kept ? findOnDisk : nullptr,
                          kept ? storeOnDisk : nullptr};
  Compile compile{*theLibrary.load(std::memory_order_acquire), request};
  uint64_t begin = trace::now();
  if (!compile.run())
    return fail(XCC_ERROR_SYSTEM,
                "%s cannot be compiled: no thread can be started", name);
  uint64_t end = trace::now();
  if (trace::enabled())
    trace::add({"compile source", "load", begin, end, 0, 0, 0, false});
  if (compile.signal)
    return fail(XCC_ERROR_INVALID_SOURCE,
                "%s makes the compiler fail (%s); please report it to the xcc "
                "project with the source",
                name, strsignal(compile.signal));
  xcc_status status = XCC_SUCCESS;
  if (compile.result.error) {
    status = fail(XCC_ERROR_INVALID_VALUE, "%s cannot be compiled: %s", name,
                  compile.result.error);
  } else {
    auto *bytes = static_cast<const char *>(compile.result.data);
    out.bytes.assign(bytes, bytes + compile.result.size);
    out.table = {};
    if (!readSource(Bytes(out.bytes.data(), out.bytes.size()), out.table,
                    out.images))
      status =
          fail(XCC_ERROR_INVALID_IMAGE,
               "%s cannot be used: the compiler's result is damaged", name);
    XCC_LOG(Load, "compiled %s in %.0f ms", name, double(end - begin) / 1e6);
  }
  compile.library.release(&compile.result);
  return status;
}

static std::string identityOfFrontEnd(const xcc_source_options &options) {
  if (auto *library = theLibrary.load(std::memory_order_acquire))
    return library->identity;
  return knownGenerator(searchFor(options));
}

xcc_status compileSource(std::string_view text,
                         const xcc_source_options &options, Device &on,
                         CompiledSource &out) {
  bool looks = codeFolder().isUsed();
  uint64_t begin = trace::now();
  auto find = [&](const std::string &identity) {
    if (!looks || identity.empty() ||
        !findResult(keyOf(text, options, on, identity), out))
      return false;
    XCC_LOG(Load, "compiled %s before, found in %.1f ms",
            options.name ? options.name : "source",
            double(trace::now() - begin) / 1e6);
    return true;
  };
  std::string identity = identityOfFrontEnd(options);
  if (find(identity))
    return XCC_SUCCESS;
  XCC_TRY(openFrontEnd(options));
  OffloadImage here;
  std::string generator = libraryFolderOf(options) + XCC_JIT_LIBRARY;
  here.library = generator.c_str();
  if (const char *why = openGenerator(here))
    return fail(XCC_ERROR_NO_IMAGE, "%s", why);
  std::string now = theLibrary.load(std::memory_order_acquire)->identity;
  std::string key = keyOf(text, options, on, now);
  CompileKey turn(key);
  // Another thread may have compiled it meanwhile.
  if (find(now))
    return XCC_SUCCESS;
  XCC_TRY(compileNow(text, options, on, out));
  if (out.images.size() && !out.table.files.empty())
    store(key, Bytes(out.bytes.data(), out.bytes.size()));
  return XCC_SUCCESS;
}

} // namespace xcc::rt
