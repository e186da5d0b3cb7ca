// Generating code at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generator.h"
#include "adaptive.h"
#include "code_cache.h"
#include "cpu/faults/recovery.h"
#include "formats/jit_interface.h"
#include "formats/kernel_row.h"
#include "images/own_library.h"
#include "process/log.h"
#include "process/trace.h"
#include "specialization/variants.h"

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <sys/stat.h>

namespace xcc::rt {

static constexpr struct {
  const char *name;
  JitMode mode;
} Modes[] = {{"auto", JitMode::WhenNeeded},
             {"always", JitMode::Always},
             {"never", JitMode::Never},
             {"adaptive", JitMode::Adaptive}};

JitMode jitMode() {
  static const JitMode mode = [] {
    const char *text = secure_getenv("XCC_JIT");
    for (const auto &m : Modes)
      if (text && !strcmp(text, m.name))
        return m.mode;
    return JitMode::WhenNeeded;
  }();
  return mode;
}

xcc_status checkJitSetting() {
  const char *text = secure_getenv("XCC_JIT");
  if (!text || !*text)
    return XCC_SUCCESS;
  for (const auto &m : Modes)
    if (!strcmp(text, m.name)) {
      adaptive.store(m.mode == JitMode::Adaptive, std::memory_order_relaxed);
      return XCC_SUCCESS;
    }
  return fail(XCC_ERROR_INVALID_VALUE,
              "XCC_JIT=%s: expected auto, adaptive, always or never", text);
}

bool isPortableFor(const OffloadImage &image, const Device &on) {
  return image.portable() && jitMode() != JitMode::Never &&
         std::string_view(image.triple).starts_with(on.kind().triplePrefix);
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

static std::mutex libraryMutex;
static std::atomic<const xcc_jit_functions *> theLibrary{nullptr};

/// All that decides which library is opened, if it exists.
static std::string searchFor(const OffloadImage &image) {
  auto setting = [](const char *name) {
    const char *text = secure_getenv(name);
    return std::string(text ? text : "");
  };
  return "for " + std::to_string(XCC_JIT_INTERFACE) + "." +
         std::to_string(XCC_ABI_VERSION) + "\nfile " +
         setting("XCC_JIT_LIBRARY") + "\npaths " + setting("LD_LIBRARY_PATH") +
         "\nelse " + image.library + "\n";
}

/// Opens the library at a path. Returns the error, or empty text on success.
static std::string openAt(const char *path) {
  return openOwnLibrary(path, XCC_JIT_ENTRY, XCC_JIT_INTERFACE, theLibrary);
}

const char *openGenerator(const OffloadImage &image) {
  if (theLibrary.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard lock(libraryMutex);
  if (theLibrary.load(std::memory_order_acquire))
    return nullptr;
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  const char *set = secure_getenv("XCC_JIT_LIBRARY");
  std::string why;
  if (set && *set) {
    why = openAt(set);
  } else {
    // First where the system finds libraries, then beside the compiler.
    why = openAt(XCC_JIT_LIBRARY);
    if (!why.empty() && *image.library && openAt(image.library).empty())
      why.clear();
  }
  if (why.empty()) {
    const auto &library = *theLibrary.load(std::memory_order_relaxed);
    rememberGenerator(searchFor(image), library.identity, library.files);
    if (begin)
      trace::add(
          {"open code generator", "load", begin, trace::now(), 0, 0, 0, false});
    return nullptr;
  }
  static std::string text;
  text = "its code has to be generated here, and " XCC_JIT_LIBRARY
         " does not open (" +
         why +
         "); install xcc's code generator, libxcc-jit, of the version that "
         "built the program, or name the file with XCC_JIT_LIBRARY";
  static std::string said; // never changes: callers keep the pointer
  if (said.empty())
    said = text;
  return said.c_str();
}

const xcc_jit_functions *generatorFunctions() {
  return theLibrary.load(std::memory_order_acquire);
}

//===----------------------------------------------------------------------===//
// Generating
//===----------------------------------------------------------------------===//

static int groupOf(const KernelRow &row) {
  auto text = row.column("group");
  int group = 0;
  if (text)
    std::from_chars(text->data(), text->data() + text->size(), group);
  return group;
}

int groupOf(const OffloadImage &portable, const char *symbol) {
  KernelRow row;
  return findKernelRow(portable.kernels, symbol, row) ? groupOf(row) : -1;
}

namespace {
/// The kernels of a group, and the target of their code.
struct Request {
  const OffloadImage &portable;
  const Variant *variant;
  std::vector<std::string> symbols;
  std::string arch, dump;
  std::string_view makes;

  Request(const OffloadImage &from, int group, const Variant *as, Device &on)
      : portable(from), variant(as), arch(on.codeArch()) {
    if (variant && !variant->arch.empty())
      arch = variant->arch;
    std::string_view table = portable.kernels;
    for (KernelRow row; nextKernelRow(table, row);)
      if (groupOf(row) == group) {
        symbols.emplace_back(row.symbol);
        if (auto column = row.column("makes"))
          makes = *column;
      }
    if (const char *directory = secure_getenv("XCC_JIT_DUMP");
        directory && *directory) {
      mkdir(directory, 0700); // any failure shows when a file is made
      dump = std::string(directory) + "/" + portable.hash + "-" +
             std::to_string(group) + "-" + arch;
      if (variant)
        dump += "-" + cacheKeyOf(variant->text()).substr(0, 8);
    }
  }

  /// The key of the code on disk; empty if it is not looked for there.
  std::string text(Device &on, const std::string &generator) const {
    if (!*portable.digest || generator.empty())
      return "";
    std::string all = "xcc image 1\ngenerator " + generator + "\ndevice " +
                      on.codeMachine() + "\narch " + arch + "\ntriple " +
                      portable.triple + "\noptions " + portable.options +
                      "\nbitcode " + portable.digest + "\nkernels";
    for (const std::string &symbol : symbols)
      all += " " + symbol;
    if (variant)
      all += "\nvariant " + variant->text();
    return all;
  }
};

/// A variant in the form of the generator's interface.
struct VariantRequest {
  std::vector<xcc_jit_constant> constants;
  std::vector<xcc_jit_pointer> pointers;
  xcc_jit_variant variant{};

  explicit VariantRequest(const Variant &of) {
    for (const Variant::Constant &constant : of.constants)
      constants.push_back({constant.offset, uint32_t(constant.bytes.size()),
                           constant.bytes.data(), constant.shared});
    for (const PointerFact &fact : of.pointers)
      pointers.push_back(
          {fact.offset, fact.allocation, fact.alignment, fact.shared});
    variant.options = &of.options;
    variant.constants = constants.data();
    variant.constant_count = constants.size();
    variant.pointers = pointers.data();
    variant.pointer_count = pointers.size();
    memcpy(variant.block, of.block, sizeof(of.block));
    memcpy(variant.grid, of.grid, sizeof(of.grid));
  }
};
} // namespace

/// Reads the image in out.bytes. Returns null, or what is wrong with it.
static const char *takeImage(Device &on, GeneratedImage &out) {
  OffloadReader reader(Bytes(out.bytes.data(), out.bytes.size()));
  const char *missing = "";
  if (!reader.next(out.image) || !out.image.intact())
    return "it is damaged";
  if (on.suits(out.image, missing) <= 0)
    return missing && *missing ? missing : "it is for another device";
  return nullptr;
}

static std::string identityOfGenerator(const OffloadImage &image) {
  if (auto *library = theLibrary.load(std::memory_order_acquire))
    return library->identity;
  return knownGenerator(searchFor(image));
}

/// Looks for code that an earlier process generated.
static bool findImage(const std::string &text, Device &on, uint64_t begin,
                      GeneratedImage &out) {
  if (text.empty() || !findStored(text, out.bytes))
    return false;
  if (takeImage(on, out))
    return false;
  uint64_t end = trace::now();
  if (trace::enabled())
    trace::add({"find generated code", "load", begin, end, 0, 0, 0, false});
  out.milliseconds = double(end - begin) / 1e6;
  out.text = text;
  out.found = true;
  return true;
}

/// Generates the code. The library must be open.
static xcc_status generateNow(const Request &wanted, Device &on,
                              GeneratedImage &out) {
  std::vector<const char *> names;
  for (const std::string &symbol : wanted.symbols)
    names.push_back(symbol.c_str());
  const OffloadImage &portable = wanted.portable;
  std::optional<VariantRequest> variantRequest;
  if (wanted.variant)
    variantRequest.emplace(*wanted.variant);
  xcc_jit_request request{portable.triple,
                          portable.layouts,
                          portable.options,
                          portable.data.data(),
                          portable.data.size(),
                          wanted.arch.c_str(),
                          names.data(),
                          names.size(),
                          wanted.dump.empty() ? nullptr : wanted.dump.c_str(),
                          variantRequest ? &variantRequest->variant : nullptr,
                          cpu::callWithRecovery};
  const xcc_jit_functions &library =
      *theLibrary.load(std::memory_order_acquire);
  xcc_jit_result result{};
  uint64_t begin = trace::now();
  library.generate(&request, &result);
  uint64_t end = trace::now();
  if (trace::enabled())
    trace::add({"generate code", "load", begin, end, 0, 0, 0, false});
  out.milliseconds = double(end - begin) / 1e6;
  if (result.error) {
    xcc_status s =
        fail(XCC_ERROR_INVALID_IMAGE, "generating its code for %s failed: %s",
             wanted.arch.c_str(), result.error);
    library.release(&result);
    return s;
  }
  auto *bytes = static_cast<const char *>(result.image);
  out.bytes.assign(bytes, bytes + result.size);
  library.release(&result);
  if (const char *why = takeImage(on, out))
    return fail(XCC_ERROR_INVALID_IMAGE,
                "the code that was generated for %s does not suit it: %s",
                wanted.arch.c_str(), why);
  return XCC_SUCCESS;
}

xcc_status generateImage(const OffloadImage &portable, int group,
                         const Variant *variant, Device &on, bool anew,
                         GeneratedImage &out) {
  Request wanted(portable, group, variant, on);
  out.makes = wanted.makes;
  // With XCC_JIT_DUMP, generate always: the user wants to see every stage.
  bool keeps = !variant || !variant->options.transform;
  bool looks = keeps && wanted.dump.empty() && !anew && codeFolder().isUsed();
  uint64_t begin = trace::now();
  std::string identity = looks ? identityOfGenerator(portable) : "";
  if (looks && findImage(wanted.text(on, identity), on, begin, out))
    return XCC_SUCCESS;
  if (const char *why = openGenerator(portable))
    return fail(XCC_ERROR_NO_IMAGE, "%s", why);
  const xcc_jit_functions &library =
      *theLibrary.load(std::memory_order_acquire);
  std::string text = wanted.text(on, library.identity);
  if (looks && identity != library.identity && findImage(text, on, begin, out))
    return XCC_SUCCESS;
  XCC_TRY(generateNow(wanted, on, out));
  if (keeps && !text.empty())
    store(text, Bytes(out.bytes.data(), out.bytes.size()));
  return XCC_SUCCESS;
}

bool generatorIsAvailable(const OffloadImage &image) {
  return theLibrary.load(std::memory_order_acquire) ||
         (codeFolder().isUsed() && !knownGenerator(searchFor(image)).empty()) ||
         !openGenerator(image);
}

} // namespace xcc::rt
