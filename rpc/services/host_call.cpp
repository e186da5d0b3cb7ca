// Device code calls a function of the program
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <new>

using namespace xcc::services;

namespace {
constexpr uint64_t MaxSegments = 4096;
/// Of all segments of one call together: of what comes in, which the message
/// itself holds, no limit but memory's and that no sum overflows; of the rest,
/// which it only claims.
constexpr uint64_t MaxBytes = uint64_t(1) << 40, MaxClaimed = 1 << 30;
/// Of each copy: what the largest vector types ask for.
constexpr uint64_t Alignment = 64;

constexpr uint64_t aligned(uint64_t Size) {
  return (Size + Alignment - 1) / Alignment * Alignment;
}

/// Copies of a call's segments.
struct Segments {
  std::vector<xcc_segment> List;
  struct Free {
    void operator()(std::byte *Block) const {
      ::operator delete(Block, std::align_val_t(Alignment));
    }
  };
  std::unique_ptr<std::byte, Free> Bytes;
  uint64_t OutBytes = 0;

  /// False for a message that is not what it says.
  bool read(Lane &L) {
    if (L.Head.B > MaxSegments)
      return false;
    uint64_t Total = 0, Claimed = 0;
    List.resize(L.Head.B);
    for (xcc_segment &S : List) {
      SegmentHeader H;
      if (!L.Rest.read(H) || H.Size > MaxBytes ||
          H.Direction > (SegmentIn | SegmentOut | SegmentNull))
        return false;
      S = {nullptr, H.Size, H.Direction};
      Total += aligned(H.Size);
      if (!(H.Direction & SegmentIn))
        Claimed += H.Size;
      if (Total > MaxBytes || Claimed > MaxClaimed)
        return false;
      if (H.Direction & SegmentOut)
        OutBytes += H.Size;
    }
    Bytes.reset(static_cast<std::byte *>(
        ::operator new(Total + Alignment, std::align_val_t(Alignment))));
    std::byte *At = Bytes.get();
    for (xcc_segment &S : List) {
      if (S.direction & SegmentNull) {
        if (S.size)
          return false;
        continue;
      }
      S.data = At;
      At += aligned(S.size);
      std::string_view In;
      if (!(S.direction & SegmentIn)) {
        memset(S.data, 0, S.size);
        continue;
      }
      if (!L.Rest.bytes(S.size, In))
        return false;
      memcpy(S.data, In.data(), In.size());
    }
    return true;
  }

  /// An entry may have changed what is in the list, but not the sizes.
  void write(std::string &To) const {
    To.reserve(OutBytes);
    const std::byte *At = Bytes.get();
    for (const xcc_segment &S : List) {
      if (S.direction & SegmentNull)
        continue;
      if (S.direction & SegmentOut)
        To.append(reinterpret_cast<const char *>(At), S.size);
      At += aligned(S.size);
    }
  }
};

void refuse(Lane &L, const char *Format, auto... Values) {
  char Why[160];
  snprintf(Why, sizeof Why, Format, Values...);
  L.Out->assign(Why);
  L.fail(ErrInvalid);
}
} // namespace

/// The caller's segments; none if the message is not what it says.
static bool readShared(Lane &L, std::vector<xcc_segment> &List) {
  uint64_t Address;
  if (L.Head.B > MaxSegments || !L.Rest.read(Address) || (L.Head.B && !Address))
    return false;
  auto *First = reinterpret_cast<const xcc_segment *>(Address);
  List.assign(First, First + L.Head.B);
  return true;
}

void xcc_services::hostCall(Lanes All) {
  for (Lane &L : All) {
    const bool Shared = Options.shares_memory && L.Head.C == CallShares;
    Segments Copies;
    std::vector<xcc_segment> ForEntry;
    if (!(Shared ? readShared(L, ForEntry) : !L.Head.C && Copies.read(L))) {
      refuse(L, "%s", "a call of a host function has a broken message");
      continue;
    }
    const xcc_host_entry *Entry =
        Options.find_host_entry
            ? Options.find_host_entry(L.Head.A, Options.context)
            : nullptr;
    if (!Entry) {
      refuse(L,
             "the host function with id 0x%016" PRIx64
             " is not in this program; is its file linked?",
             L.Head.A);
      continue;
    }
    if (!Shared)
      ForEntry = Copies.List;
    try {
      Entry->call(ForEntry.data());
      if (!Shared)
        Copies.write(*L.Out);
      L.Answer = {0, 0};
    } catch (const abi::__forced_unwind &) {
      // The thread goes, and with it whoever would answer the kernel.
      fprintf(stderr,
              "xcc: the host function '%s', which device code called, ended "
              "its thread (pthread_exit, pthread_cancel)\n",
              Entry->name);
      abort();
    } catch (const std::exception &E) {
      refuse(L, "the host function '%s' threw: %s", Entry->name, E.what());
    } catch (...) {
      refuse(L, "the host function '%s' threw an exception", Entry->name);
    }
  }
}
