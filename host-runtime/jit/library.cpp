// The code generator as a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code is generated in a foreign program: on a thread of its
// own, with a stack that LLVM can do with, no signals and the usual rounding;
// with no files; and what LLVM ends a process for is an error like any other.

#include "formats/jit_interface.h"
#include "link/Embed.h"
#include "link/Link.h"
#include "link/Portable.h"
#include "loaded.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include <atomic>
#include <cfenv>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>

using namespace llvm;
using namespace xcc;

namespace {

/// What a result's owner is.
struct Made {
  SmallString<0> image;
  std::string error;
};

/// Where the thread goes on when LLVM cannot.
thread_local jmp_buf *rescue;
thread_local std::string *lastWords;

constexpr char NoMemory[] = "out of memory";
/// Memory ran out somewhere in LLVM, which may hold a lock for good since.
std::atomic<bool> exhausted{false};

/// Leaves LLVM where it is, and all that it has begun. Nothing is unwound: what
/// is half done cannot be destroyed.
void giveUp(const char *reason) {
  if (!rescue)
    return;
  if (reason == NoMemory)
    exhausted.store(true);
  *lastWords = reason;
  longjmp(*rescue, 1);
}

void failFatally(void *, const char *reason, bool wantsTrace) {
  giveUp(reason);
  // Another user of the same LLVM.
  fprintf(stderr, "LLVM ERROR: %s\n", reason);
  if (wantsTrace)
    abort();
  _exit(1);
}

void failToAllocate(void *, const char *, bool) {
  giveUp(NoMemory);
  abort();
}

/// While code is generated, operator new asks here where there is no memory.
/// Other threads get what the program had set.
class NewHandler {
public:
  NewHandler() {
    std::lock_guard lock(mutex);
    if (!users++)
      others = std::set_new_handler(run);
  }
  ~NewHandler() {
    std::lock_guard lock(mutex);
    if (!--users)
      std::set_new_handler(others);
  }
  NewHandler(const NewHandler &) = delete;

private:
  static inline std::mutex mutex;
  static inline unsigned users = 0;
  static inline std::atomic<std::new_handler> others{nullptr};

  static void run() {
    giveUp(NoMemory);
    std::new_handler other = others.load();
    if (!other)
      throw std::bad_alloc();
    other();
  }
};

void initialise() {
  static const bool done = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
    install_fatal_error_handler(failFatally);
    install_bad_alloc_error_handler(failToAllocate);
    return true;
  }();
  (void)done;
}

KernelVariant read(const xcc_jit_variant &variant) {
  const xcc_jit_options &options = *variant.options;
  KernelVariant wanted;
  if (options.opt_level >= 0)
    wanted.optLevel = unsigned(options.opt_level);
  wanted.fastMath = options.fast_math != 0;
  wanted.maxThreads = options.max_threads;
  wanted.minBlocks = options.min_blocks;
  for (uint64_t i = 0; i != variant.constant_count; ++i) {
    const xcc_jit_constant &constant = variant.constants[i];
    wanted.constants.push_back(
        {constant.offset,
         std::string(static_cast<const char *>(constant.bytes), constant.size),
         constant.shared != 0});
  }
  for (uint64_t i = 0; i != variant.pointer_count; ++i) {
    const xcc_jit_pointer &pointer = variant.pointers[i];
    wanted.pointers.push_back({pointer.offset, pointer.allocation,
                               pointer.alignment, pointer.shared != 0});
  }
  copy(variant.block, wanted.block);
  copy(variant.grid, wanted.grid);
  if (options.transform)
    wanted.transform = [&options](Module &module) {
      return options.transform(wrap(&module), options.user) == 0;
    };
  return wanted;
}

Expected<DeviceImage> generate(const xcc_jit_request &request) {
  initialise();
  PortableRequest wanted;
  wanted.arch = request.arch;
  for (uint64_t i = 0; i != request.kernel_count; ++i)
    wanted.kernels.push_back(request.kernels[i]);
  if (request.dump)
    wanted.dump = request.dump;
  if (request.variant)
    wanted.variant = read(*request.variant);
  wanted.codegen.inProgram = true;
  wanted.codegen.sharedLibraries = processLibraries();
  auto made = generatePortable(
      {request.triple, request.layouts, request.options,
       StringRef(static_cast<const char *>(request.data), request.size)},
      std::move(wanted));
  if (!made)
    return made.takeError();
  return std::move(made->front());
}

void generateInto(const xcc_jit_request &request, Made &made) {
  std::string words;
  words.reserve(256); // where there is no memory for it any more
  jmp_buf here;
  lastWords = &words;
  rescue = &here;
  if (setjmp(here) == 0) {
    if (auto image = generate(request))
      made.image = packImage(*image);
    else
      made.error = toString(image.takeError());
  } else {
    // What follows may find no memory either.
    rescue = nullptr;
    try {
      std::string linker = abandonLink();
      made.error = "LLVM cannot generate the code: " + words +
                   (linker.empty() ? "" : ": " + linker);
    } catch (const std::bad_alloc &) {
      made.error = NoMemory; // short enough to need none
    }
  }
  rescue = nullptr;
  lastWords = nullptr;
  made.error = StringRef(made.error).rtrim().str();
  if (made.image.empty() && made.error.empty())
    made.error = "no code was generated";
}

/// What LLVM does to the process where it, or a transform, is wrong.
constexpr int Faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};

/// On the thread that generates. What is half done when it fails is left so.
void generateWithRecovery(const xcc_jit_request &request,
                          std::unique_ptr<Made> &made) {
  struct Call {
    const xcc_jit_request &request;
    Made &made;
  } call{request, *made};
  int signal = request.rescued(
      [](void *argument) {
        auto &call = *static_cast<Call *>(argument);
        generateInto(call.request, call.made);
      },
      &call);
  if (!signal)
    return;
  rescue = nullptr;
  lastWords = nullptr;
  (void)made.release();
  made = std::make_unique<Made>();
  (void)abandonLink();
  bool transforms = request.variant && request.variant->options->transform;
  made->error =
      (transforms ? "the kernel's transform, or LLVM after it, fails ("
                  : "LLVM fails (") +
      std::string(strsignal(signal)) +
      (transforms ? ")" : "); please report it to the xcc project");
}

/// With a stack that LLVM can do with. An errno where there can be no thread,
/// for which llvm::thread ends the process.
int runOnThread(const std::function<void()> &work) {
  pthread_attr_t attributes;
  if (int error = pthread_attr_init(&attributes))
    return error;
  pthread_t thread;
  int error = pthread_attr_setstacksize(&attributes, 16 << 20);
  if (!error)
    error = pthread_create(
        &thread, &attributes,
        [](void *from) -> void * {
          (*static_cast<const std::function<void()> *>(from))();
          return nullptr;
        },
        const_cast<std::function<void()> *>(&work));
  pthread_attr_destroy(&attributes);
  return error ? error : pthread_join(thread, nullptr);
}

/// Calls a function of a caller that already has a thread for it.
char *attempt(void (*function)(void *), void *argument) {
  if (exhausted.load())
    return strdup(
        "this process compiles no more, because it ran out of memory before");
  NewHandler handler;
  initialise();
  std::string words;
  words.reserve(256); // where there is no memory for it any more
  char *said = nullptr;
  jmp_buf here;
  lastWords = &words;
  rescue = &here;
  if (setjmp(here) == 0) {
    function(argument);
  } else {
    rescue = nullptr;
    (void)abandonLink();
    said = strdup(words.c_str());
  }
  rescue = nullptr;
  lastWords = nullptr;
  return said;
}

void generateOnThread(const xcc_jit_request *request, xcc_jit_result *result) {
  auto made = std::make_unique<Made>();
  if (exhausted.load()) {
    made->error = "this process generates no more code, because it ran out of "
                  "memory before";
    *result = {nullptr, 0, made->error.c_str(), made.get()};
    made.release();
    return;
  }
  NewHandler handler;
  // The new thread inherits them.
  sigset_t all, old;
  fenv_t rounding;
  sigfillset(&all);
  for (int fault : Faults)
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  feholdexcept(&rounding);
  fesetenv(FE_DFL_ENV);
  if (int error = runOnThread([&] { generateWithRecovery(*request, made); }))
    made->error =
        std::string("no thread to generate it on: ") + strerror(error);
  fesetenv(&rounding);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  *result = {};
  if (made->error.empty()) {
    result->image = made->image.data();
    result->size = made->image.size();
  } else {
    result->error = made->error.c_str();
  }
  result->owner = made.release();
}

void release(xcc_jit_result *result) {
  delete static_cast<Made *>(result->owner);
  *result = {};
}

} // namespace

/// In the places of llvm::sys::Process::Exit and llvm::llvm_shutdown, which lld
/// calls where it has met what it calls fatal.
extern "C" [[noreturn]] void __wrap__ZN4llvm3sys7Process4ExitEib(int status,
                                                                 bool) {
  giveUp("the linker gave up");
  _exit(status);
}
extern "C" void __wrap__ZN4llvm13llvm_shutdownEv() {}

extern "C" const xcc_jit_functions *xcc_jit_library(uint32_t version) {
  if (version != XCC_JIT_INTERFACE)
    return nullptr;
  static const LoadedLibrary
      ours = libraryOf(reinterpret_cast<const void *>(&generateOnThread)),
      llvm = libraryOf(reinterpret_cast<const void *>(
          static_cast<void (*)(fatal_error_handler_t, void *)>(
              install_fatal_error_handler)));
  static const std::string identity = "xcc " XCC_VERSION " " + ours.buildId +
                                      " LLVM " LLVM_VERSION_STRING " " +
                                      llvm.buildId;
  static const std::string files = ours.path + "\n" + llvm.path + "\n";
  static const xcc_jit_functions functions = {
      XCC_JIT_INTERFACE, XCC_ABI_VERSION, identity.c_str(), files.c_str(),
      generateOnThread,  release,         attempt};
  return &functions;
}
