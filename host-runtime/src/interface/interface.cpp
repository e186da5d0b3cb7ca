// One process, one runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program and each library that it loads may contain a copy of libxcc, and
// libxcc.so may be there too. One of the copies is the process's runtime: the
// first in the dynamic linker's list, so the program's own before any
// library's. The functions of the C interface, here, lead to that one's.
//
// Copies find each other by an ELF note, which holds for what symbols do not:
// libraries loaded with RTLD_LOCAL or RTLD_DEEPBIND, linked with -Bsymbolic or
// a version script, stripped. It leads to a record, the record to a table of
// functions. A copy of another ABI version, or one from before there was a
// note, cannot be shared: then every call says so.
//
// A library whose copy others use stays loaded until the last of them goes.

#include "../error.h"

#include <atomic>
#include <climits>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

using namespace xcc::rt;

// This copy's own functions, under the names that own_names.h gives them.
#define HIDDEN extern "C" __attribute__((visibility("hidden")))
#define STATUS(name, params, args) HIDDEN xcc_status xccrt_##name params;
#define SILENT(name, params, args) HIDDEN void xccrt_##name params;
#define ABOUT(type, name, params, args) HIDDEN type xccrt_##name params;
#define ANY(type, name, params, args) HIDDEN type xccrt_##name params;
#include "interface.def"

namespace {
/// The table through which copies call each other; it only ever grows.
struct Functions {
#define STATUS(name, params, args) xcc_status(*name) params;
#define SILENT(name, params, args) void(*name) params;
#define ABOUT(type, name, params, args) type(*name) params;
#define ANY(type, name, params, args) type(*name) params;
#include "interface.def"
};

/// What the note leads to. Its layout never changes.
///
///     0       4     8        12         16          24
///     | magic | abi | bytes  | reserved | functions |
struct Copy {
  static constexpr uint32_t Magic = 0x72434358; // "XCCr"
  uint32_t Word;
  uint32_t Abi;
  uint32_t Bytes; ///< of the table
  uint32_t Reserved;
  const Functions *Table;
};
static_assert(sizeof(Copy) == 24);

/// A copy that was found, and where.
struct Found {
  const Copy *Record = nullptr;
  char Path[PATH_MAX] = ""; ///< "" for the program
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

// The distance to the record is known to the linker, so the note can be read
// before the library is relocated.
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
// Looking for copies
//===----------------------------------------------------------------------===//

/// The record that one of a segment's notes leads to, or null.
static const Copy *recordIn(const char *Note, size_t Size, size_t Alignment) {
  auto Padded = [&](size_t N) { return (N + Alignment - 1) & -Alignment; };
  while (Size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) H;
    memcpy(&H, Note, sizeof(H));
    size_t Text = sizeof(H) + Padded(H.n_namesz);
    size_t All = Text + Padded(H.n_descsz);
    if (All > Size)
      return nullptr;
    if (H.n_type == 1 && H.n_namesz == sizeof(NOTE_OWNER) &&
        H.n_descsz == sizeof(int64_t) &&
        !memcmp(Note + sizeof(H), NOTE_OWNER, sizeof(NOTE_OWNER))) {
      int64_t Distance;
      memcpy(&Distance, Note + Text, sizeof(Distance));
      return reinterpret_cast<const Copy *>(Note + Text + Distance);
    }
    Note += All;
    Size -= All;
  }
  return nullptr;
}

namespace {
struct Search {
  Found First;
  /// An address of an interface that some library offers; null for none.
  const void *Offered = nullptr;
  /// The library of that interface has no note.
  bool Unknown = false;
  char UnknownPath[PATH_MAX] = "";
};
} // namespace

static int look(struct dl_phdr_info *Library, size_t, void *Data) {
  auto &S = *static_cast<Search *>(Data);
  const Copy *Record = nullptr;
  bool Offers = false;
  for (int I = 0; I != Library->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Library->dlpi_phdr[I];
    uintptr_t Begin = Library->dlpi_addr + P.p_vaddr;
    if (P.p_type == PT_NOTE && !Record)
      Record = recordIn(reinterpret_cast<const char *>(Begin), P.p_memsz,
                        P.p_align == 8 ? 8 : 4);
    if (P.p_type == PT_LOAD)
      Offers |= reinterpret_cast<uintptr_t>(S.Offered) - Begin < P.p_memsz;
  }
  const char *Path = Library->dlpi_name ? Library->dlpi_name : "";
  if (Record && !S.First.Record) {
    S.First.Record = Record;
    strncpy(S.First.Path, Path, sizeof(S.First.Path) - 1);
  }
  if (S.Offered && Offers && !Record) {
    S.Unknown = true;
    strncpy(S.UnknownPath, Path, sizeof(S.UnknownPath) - 1);
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// A runtime that cannot be shared
//===----------------------------------------------------------------------===//

/// What every call says then.
static char Refusal[2 * PATH_MAX + 300];

static xcc_status refuse() {
  return fail(XCC_ERROR_INVALID_IMAGE, "%s", Refusal);
}

static const Functions Refusing = {
#define STATUS(name, params, args) [] params -> xcc_status { return refuse(); },
#define SILENT(name, params, args) [] params {},
#define ABOUT(type, name, params, args) xccrt_##name,
#define ANY(type, name, params, args) xccrt_##name,
#include "interface.def"
};

/// Where the code of this copy is, for messages.
static const char *ownPath() {
  Dl_info Where;
  return dladdr(&Ours, &Where) && Where.dli_fname && *Where.dli_fname
             ? Where.dli_fname
             : "the program";
}

static const char *named(const char *Path) {
  return *Path ? Path : "the program";
}

/// The table to use for a copy that was found; one that refuses where the two
/// do not fit together.
static const Functions *tableOf(const Found &F) {
  const Copy &C = *F.Record;
  if (&C == &xccrt_record)
    return &Ours;
  if (C.Word != Copy::Magic || C.Abi != XCC_ABI_VERSION) {
    snprintf(Refusal, sizeof(Refusal),
             "%s was linked with version %u of xcc's ABI, and the runtime of "
             "this process, in %s, has version %u; rebuild both with one xcc",
             ownPath(), XCC_ABI_VERSION, named(F.Path), C.Abi);
    return &Refusing;
  }
  if (C.Bytes >= sizeof(Functions))
    return C.Table;
  // An older one of the same ABI: it lacks the latest functions.
  snprintf(Refusal, sizeof(Refusal),
           "%s calls a function of xcc that the runtime of this process, in "
           "%s, does not have yet; rebuild both with one xcc",
           ownPath(), named(F.Path));
  static Functions Mixed;
  Mixed = Refusing;
  memcpy(&Mixed, C.Table, C.Bytes);
  return &Mixed;
}

//===----------------------------------------------------------------------===//
// The process's runtime
//===----------------------------------------------------------------------===//

static constinit std::atomic<const Functions *> Chosen{nullptr};
/// Keeps the library with the process's runtime loaded while this one is.
static constinit std::atomic<void *> Kept{nullptr};

[[gnu::cold, gnu::noinline]] static const Functions *choose() {
  void *Handle = nullptr;
  Search S;
  // The library that was found may be unloaded before it is kept: look again.
  for (int Tries = 0; Tries != 100 && !Handle; ++Tries) {
    S = Search();
    S.Offered = dlsym(RTLD_DEFAULT, "xcc_binary_register");
    dl_iterate_phdr(look, &S);
    if (!S.First.Record || S.First.Record == &xccrt_record || !*S.First.Path)
      break;
    Handle = dlopen(S.First.Path, RTLD_LAZY | RTLD_NOLOAD);
  }
  dlerror(); // what failed here is nobody else's to read
  const Functions *Table = &Ours;
  if (S.Unknown) {
    snprintf(Refusal, sizeof(Refusal),
             "the runtime of xcc in %s is of a version that cannot be shared "
             "with %s; rebuild both with one xcc",
             named(S.UnknownPath), ownPath());
    Table = &Refusing;
  } else if (S.First.Record) {
    Table = tableOf(S.First);
  }
  const Functions *None = nullptr;
  if (!Chosen.compare_exchange_strong(None, Table, std::memory_order_acq_rel)) {
    if (Handle)
      dlclose(Handle); // another thread was faster
    return None;
  }
  Kept.store(Handle, std::memory_order_release);
  return Table;
}

static inline const Functions *functions() {
  const Functions *F = Chosen.load(std::memory_order_acquire);
  return F ? F : choose();
}

/// After everything else in this library that may use the runtime.
__attribute__((destructor(101))) static void letGo() {
  if (void *Handle = Kept.exchange(nullptr)) {
    Chosen.store(nullptr);
    dlclose(Handle);
  }
}

// Usually the copy is the only one, and calls go straight on.
#define FORWARD(name, args)                                                    \
  const Functions *F = functions();                                            \
  if (F == &Ours) [[likely]]                                                   \
    return xccrt_##name args;                                                  \
  return F->name args;
#define STATUS(name, params, args)                                             \
  extern "C" xcc_status xcc_##name params { FORWARD(name, args) }
#define SILENT(name, params, args)                                             \
  extern "C" void xcc_##name params { FORWARD(name, args) }
#define ABOUT(type, name, params, args)                                        \
  extern "C" type xcc_##name params { FORWARD(name, args) }
#define ANY(type, name, params, args)                                          \
  extern "C" type xcc_##name params { FORWARD(name, args) }
#include "interface.def"
