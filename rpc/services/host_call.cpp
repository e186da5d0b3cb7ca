//===-- host_call.cpp - Device code calls a function of the program -------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "services_impl.h"

#include <cinttypes>
#include <exception>

using namespace xcc::services;

namespace {
constexpr uint64_t MaxSegments = 4096;
/// Of all segments of one call together.
constexpr uint64_t MaxBytes = uint64_t(1) << 30;

/// Copies of a call's segments, each on a 16-byte boundary.
struct Segments {
  std::vector<xcc_segment> List;
  std::unique_ptr<std::byte[]> Bytes;
  uint64_t OutBytes = 0;

  /// False for a message that is not what it says.
  bool read(Lane &L) {
    if (L.Head.B > MaxSegments)
      return false;
    uint64_t Total = 0;
    List.resize(L.Head.B);
    for (xcc_segment &S : List) {
      SegmentHeader H;
      if (!L.Rest.read(H) || H.Size > MaxBytes ||
          H.Direction > (SegmentIn | SegmentOut | SegmentNull))
        return false;
      S = {nullptr, H.Size, H.Direction};
      Total += (H.Size + 15) / 16 * 16;
      if (Total > MaxBytes)
        return false;
      if (H.Direction & SegmentOut)
        OutBytes += H.Size;
    }
    // new aligns to 16; all zero.
    static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16);
    Bytes = std::make_unique<std::byte[]>(Total + 16);
    std::byte *At = Bytes.get();
    for (xcc_segment &S : List) {
      if (S.direction & SegmentNull) {
        if (S.size)
          return false;
        continue;
      }
      S.data = At;
      At += (S.size + 15) / 16 * 16;
      std::string_view In;
      if (!(S.direction & SegmentIn))
        continue;
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
      At += (S.size + 15) / 16 * 16;
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

void xcc_services::hostCall(Lanes All) {
  for (Lane &L : All) {
    Segments Copies;
    if (!Copies.read(L)) {
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
    std::vector<xcc_segment> ForEntry = Copies.List;
    try {
      Entry->call(ForEntry.data());
      Copies.write(*L.Out);
      L.Answer = {0, 0};
    } catch (const std::exception &E) {
      refuse(L, "the host function '%s' threw: %s", Entry->name, E.what());
    } catch (...) {
      refuse(L, "the host function '%s' threw an exception", Entry->name);
    }
  }
}
