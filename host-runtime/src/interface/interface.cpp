// One runtime for all copies of libxcc in a process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program and each library that it loads may contain a copy of libxcc, and
// libxcc.so may be loaded too. One copy is the process's runtime: the first in
// the dynamic linker's list, so the program's own comes before any library's.
// The functions of the C interface below call the functions of that copy.
//
// Copies find each other by an ELF note. Unlike symbols, it also works for
// libraries that are loaded with RTLD_LOCAL or RTLD_DEEPBIND, linked with
// -Bsymbolic or a version script, or stripped. The note leads to a record, and
// the record to a table of functions. A copy of another ABI version, or one
// without the note, cannot be shared: then every call fails.
//
// A library whose copy others use stays loaded until the last of them is
// unloaded.

#include "devices/context.h"
#include "errors/error.h"
#include "process/ignored_by_tsan.h"

#include <atomic>
#include <climits>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

using namespace xcc::rt;

// This copy's own functions, under the names from host-runtime/CMakeLists.txt.
#define HIDDEN extern "C" __attribute__((visibility("hidden")))
#define STATUS(name, params, args) HIDDEN xcc_status xccrt_##name params;
#define SILENT(name, params, args) HIDDEN void xccrt_##name params;
#define ABOUT(type, name, params, args) HIDDEN type xccrt_##name params;
#define ANY(type, name, params, args) HIDDEN type xccrt_##name params;
#include "interface.def"

namespace {
/// The table through which copies call each other. New functions are appended.
struct Functions {
#define STATUS(name, params, args) xcc_status(*name) params;
#define SILENT(name, params, args) void(*name) params;
#define ABOUT(type, name, params, args) type(*name) params;
#define ANY(type, name, params, args) type(*name) params;
#include "interface.def"
};

/// The record to which the note leads. Its layout never changes.
///
///     0       4     8        12         16          24
///     | magic | abi | bytes  | reserved | functions |
struct Copy {
  static constexpr uint32_t Magic = 0x72434358; // "XCCr"
  uint32_t word;
  uint32_t abi;
  uint32_t bytes; ///< size of the table
  uint32_t reserved;
  const Functions *table;
};
static_assert(sizeof(Copy) == 24);

/// A copy that was found, and its library.
struct Found {
  const Copy *record = nullptr;
  char path[PATH_MAX] = ""; ///< "" for the program
};
} // namespace

static const Functions Ours = {
#define STATUS(name, params, args) xccrt_##name,
#define SILENT(name, params, args) xccrt_##name,
#define ABOUT(type, name, params, args) xccrt_##name,
#define ANY(type, name, params, args) xccrt_##name,
#include "interface.def"
};

extern "C" {
__attribute__((visibility("hidden"))) extern const Copy xccrt_record;
const Copy xccrt_record = {Copy::Magic, XCC_ABI_VERSION, sizeof(Functions), 0,
                           &Ours};
}

// The linker knows the distance to the record, so the note can be read before
// the library is relocated.
#define NOTE_OWNER "xcc"
asm(R"(
  .pushsection .note.xcc,"a",@note
  .p2align 2
  .long 4
  .long 8
  .long 1
  .asciz ")" NOTE_OWNER R"("
.Lxccrt_note:
  .quad xccrt_record - .Lxccrt_note
  .popsection
)");

//===----------------------------------------------------------------------===//
// Finding copies
//===----------------------------------------------------------------------===//

/// The record to which a note of a segment leads, or null.
static const Copy *recordIn(const char *note, size_t size, size_t alignment) {
  auto padded = [&](size_t n) { return (n + alignment - 1) & -alignment; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) h;
    memcpy(&h, note, sizeof(h));
    size_t text = sizeof(h) + padded(h.n_namesz);
    size_t all = text + padded(h.n_descsz);
    if (all > size)
      return nullptr;
    if (h.n_type == 1 && h.n_namesz == sizeof(NOTE_OWNER) &&
        h.n_descsz == sizeof(int64_t) &&
        !memcmp(note + sizeof(h), NOTE_OWNER, sizeof(NOTE_OWNER))) {
      int64_t distance;
      memcpy(&distance, note + text, sizeof(distance));
      return reinterpret_cast<const Copy *>(note + text + distance);
    }
    note += all;
    size -= all;
  }
  return nullptr;
}

namespace {
struct Search {
  Found first;
  /// The address of an xcc_ function that some library exports; null for none.
  const void *provider = nullptr;
  /// Does the library with this function lack a note?
  bool unknown = false;
  char unknownPath[PATH_MAX] = "";
  /// Was there a note that leads to no record? The path is that of the first.
  bool damaged = false;
  char damagedPath[PATH_MAX] = "";
};
} // namespace

/// Does a note lead to a plausible record in the library's own memory?
static bool isRecord(const dl_phdr_info &library, const Copy *record) {
  const auto address = reinterpret_cast<uintptr_t>(record);
  for (int i = 0; i != library.dlpi_phnum; ++i) {
    const ElfW(Phdr) &p = library.dlpi_phdr[i];
    const uintptr_t offset = address - library.dlpi_addr - p.p_vaddr;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_R) && offset < p.p_memsz &&
        p.p_memsz - offset >= sizeof(Copy))
      return address % alignof(Copy) == 0 && record->word == Copy::Magic;
  }
  return false;
}

static int look(struct dl_phdr_info *library, size_t, void *data) {
  auto &s = *static_cast<Search *>(data);
  const Copy *record = nullptr;
  bool provides = false;
  for (int i = 0; i != library->dlpi_phnum; ++i) {
    const ElfW(Phdr) &p = library->dlpi_phdr[i];
    uintptr_t begin = library->dlpi_addr + p.p_vaddr;
    // Some linkers put all notes in one segment with the largest alignment.
    for (size_t alignment : {8, 4})
      if (p.p_type == PT_NOTE && !record && alignment <= p.p_align)
        record = recordIn(reinterpret_cast<const char *>(begin), p.p_memsz,
                          alignment);
    if (p.p_type == PT_LOAD)
      provides |= reinterpret_cast<uintptr_t>(s.provider) - begin < p.p_memsz;
  }
  const char *path = library->dlpi_name ? library->dlpi_name : "";
  if (record && !isRecord(*library, record)) {
    if (!s.damaged)
      strncpy(s.damagedPath, path, sizeof(s.damagedPath) - 1);
    s.damaged = true;
    return 0;
  }
  if (record && !s.first.record) {
    s.first.record = record;
    strncpy(s.first.path, path, sizeof(s.first.path) - 1);
  }
  if (s.provider && provides && !record) {
    s.unknown = true;
    strncpy(s.unknownPath, path, sizeof(s.unknownPath) - 1);
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// A runtime that cannot be shared
//===----------------------------------------------------------------------===//

/// The error of every call then.
static char rejection[2 * PATH_MAX + 300];

static xcc_status reject() {
  return fail(XCC_ERROR_INVALID_IMAGE, "%s", rejection);
}

static const Functions Rejecting = {
#define STATUS(name, params, args) [] params -> xcc_status { return reject(); },
#define SILENT(name, params, args) [] params {},
#define ABOUT(type, name, params, args) xccrt_##name,
#define ANY(type, name, params, args) xccrt_##name,
#include "interface.def"
};

/// The path of the library with this copy, for messages.
static const char *ownPath() {
  Dl_info where;
  return dladdr(&Ours, &where) && where.dli_fname && *where.dli_fname
             ? where.dli_fname
             : "the program";
}

static const char *named(const char *path) {
  return *path ? path : "the program";
}

/// The table to use for the copy that was found; a refusing one if the copies
/// do not match.
static const Functions *tableOf(const Found &f) {
  const Copy &c = *f.record;
  if (&c == &xccrt_record)
    return &Ours;
  if (c.abi != XCC_ABI_VERSION) {
    snprintf(rejection, sizeof(rejection),
             "%s was linked with version %u of xcc's ABI, and the runtime of "
             "this process, in %s, has version %u; rebuild both with one xcc",
             ownPath(), XCC_ABI_VERSION, named(f.path), c.abi);
    return &Rejecting;
  }
  if (c.bytes >= sizeof(Functions))
    return c.table;
  // An older copy with the same ABI lacks the newest functions.
  snprintf(rejection, sizeof(rejection),
           "%s calls a function of xcc that the runtime of this process, in "
           "%s, does not have yet; rebuild both with one xcc",
           ownPath(), named(f.path));
  static Functions mixed;
  mixed = Rejecting;
  memcpy(&mixed, c.table, c.bytes);
  return &mixed;
}

//===----------------------------------------------------------------------===//
// The process's runtime
//===----------------------------------------------------------------------===//

static constinit std::atomic<const Functions *> chosen{nullptr};
/// A handle that keeps the library with the process's runtime loaded.
static constinit std::atomic<void *> kept{nullptr};

[[gnu::cold, gnu::noinline]] static const Functions *choose() {
  void *handle = nullptr;
  Search s;
  // The library may be unloaded before it is opened here; then look again.
  for (int tries = 0; tries != 100 && !handle; ++tries) {
    s = Search();
    s.provider = dlsym(RTLD_DEFAULT, "xcc_binary_register");
    dl_iterate_phdr(look, &s);
    if (!s.first.record || s.first.record == &xccrt_record || !*s.first.path)
      break;
    handle = dlopen(s.first.path, RTLD_LAZY | RTLD_NOLOAD);
  }
  dlerror(); // clear it, so that the program does not see these failures
  const Functions *table = &Ours;
  if (s.damaged) {
    snprintf(rejection, sizeof(rejection),
             "the note .note.xcc in %s, by which copies of the runtime find "
             "each other, is damaged; link it again",
             named(s.damagedPath));
    table = &Rejecting;
  } else if (s.unknown) {
    snprintf(rejection, sizeof(rejection),
             "the runtime of xcc in %s is of a version that cannot be shared "
             "with %s; rebuild both with one xcc",
             named(s.unknownPath), ownPath());
    table = &Rejecting;
  } else if (s.first.record) {
    table = tableOf(s.first);
  }
  const Functions *none = nullptr;
  if (!chosen.compare_exchange_strong(none, table, std::memory_order_acq_rel)) {
    if (handle)
      dlclose(handle); // another thread has chosen
    return none;
  }
  kept.store(handle, std::memory_order_release);
  return table;
}

static inline const Functions *functions() {
  const Functions *f = chosen.load(std::memory_order_acquire);
  return f ? f : choose();
}

/// Runs after everything else in this library that may use the runtime: the
/// unit's destructor runs right before (backend/link/ImageObject.cpp).
__attribute__((destructor(1))) static void releaseHoldings() {
  if (void *handle = kept.exchange(nullptr)) {
    chosen.store(nullptr);
    dlclose(handle);
  } else if (chosen.load() == &Ours) {
    discardAtUnload();
  }
}

// This copy is usually the only one; then the call is direct.
#define FORWARD(name, args)                                                    \
  const Functions *f = functions();                                            \
  if (f == &Ours) [[likely]]                                                   \
    return xccrt_##name args;                                                  \
  return f->name args;
#define STATUS(name, params, args)                                             \
  extern "C" xcc_status xcc_##name params {                                    \
    IgnoredByTsan here;                                                        \
    FORWARD(name, args)                                                        \
  }
#define SILENT(name, params, args)                                             \
  extern "C" void xcc_##name params {                                          \
    IgnoredByTsan here;                                                        \
    FORWARD(name, args)                                                        \
  }
#define ABOUT(type, name, params, args)                                        \
  extern "C" type xcc_##name params {                                          \
    IgnoredByTsan here;                                                        \
    FORWARD(name, args)                                                        \
  }
#define ANY(type, name, params, args)                                          \
  extern "C" type xcc_##name params {                                          \
    IgnoredByTsan here;                                                        \
    FORWARD(name, args)                                                        \
  }
#include "interface.def"

// The new names that <xcc/runtime.h> gives some functions.
#define XCC_RENAMED(before, now)                                               \
  extern "C" __typeof__(now) now __attribute__((alias(#before)));
#include "xcc/renamed.h"
