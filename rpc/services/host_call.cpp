// Calling host functions of the program for device code
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
/// The most bytes of all segments of a call. The bytes of input segments are in
/// the message, so only memory limits them; the limit avoids overflow of sums.
/// For other segments the message only claims a size, so their limit is lower.
constexpr uint64_t MaxBytes = uint64_t(1) << 40, MaxClaimed = 1 << 30;
/// The alignment of each copy: enough for the largest vector types.
constexpr uint64_t Alignment = 64;

constexpr uint64_t aligned(uint64_t size) {
  return (size + Alignment - 1) / Alignment * Alignment;
}

/// Copies of a call's segments.
struct Segments {
  std::vector<xcc_segment> list;
  struct Free {
    void operator()(std::byte *block) const {
      ::operator delete(block, std::align_val_t(Alignment));
    }
  };
  std::unique_ptr<std::byte, Free> bytes;
  uint64_t outBytes = 0;

  /// Reads a message. Returns false if its contents are inconsistent.
  bool read(Lane &l) {
    if (l.head.b > MaxSegments)
      return false;
    uint64_t total = 0, claimed = 0;
    list.resize(l.head.b);
    for (xcc_segment &s : list) {
      SegmentHeader h;
      if (!l.rest.read(h) || h.size > MaxBytes ||
          h.direction > (SegmentIn | SegmentOut | SegmentNull))
        return false;
      s = {nullptr, h.size, h.direction};
      total += aligned(h.size);
      if (!(h.direction & SegmentIn))
        claimed += h.size;
      if (total > MaxBytes || claimed > MaxClaimed)
        return false;
      if (h.direction & SegmentOut)
        outBytes += h.size;
    }
    bytes.reset(static_cast<std::byte *>(
        ::operator new(total + Alignment, std::align_val_t(Alignment))));
    std::byte *at = bytes.get();
    for (xcc_segment &s : list) {
      if (s.direction & SegmentNull) {
        if (s.size)
          return false;
        continue;
      }
      s.data = at;
      at += aligned(s.size);
      std::string_view in;
      if (!(s.direction & SegmentIn)) {
        memset(s.data, 0, s.size);
        continue;
      }
      if (!l.rest.bytes(s.size, in))
        return false;
      memcpy(s.data, in.data(), in.size());
    }
    return true;
  }

  /// The entry may have changed the list's pointers, but not its sizes.
  void write(std::string &to) const {
    to.reserve(outBytes);
    const std::byte *at = bytes.get();
    for (const xcc_segment &s : list) {
      if (s.direction & SegmentNull)
        continue;
      if (s.direction & SegmentOut)
        to.append(reinterpret_cast<const char *>(at), s.size);
      at += aligned(s.size);
    }
  }
};

/// Tells the runtime which function runs, until it returns or throws.
class Calling {
public:
  Calling(const xcc_services_options &options, const xcc_host_entry *entry)
      : options(options) {
    tell(entry);
  }
  ~Calling() { tell(nullptr); }
  Calling(const Calling &) = delete;

private:
  const xcc_services_options &options;
  void tell(const xcc_host_entry *entry) const {
    if (options.calling)
      options.calling(entry, options.context);
  }
};

void refuse(Lane &l, const char *format, auto... values) {
  char why[160];
  snprintf(why, sizeof why, format, values...);
  l.out->assign(why);
  l.fail(ErrInvalid);
}
} // namespace

/// Reads the caller's own segments. Returns false if the message is invalid.
static bool readShared(Lane &l, std::vector<xcc_segment> &list) {
  uint64_t address;
  if (l.head.b > MaxSegments || !l.rest.read(address) || (l.head.b && !address))
    return false;
  auto *first = reinterpret_cast<const xcc_segment *>(address);
  list.assign(first, first + l.head.b);
  return true;
}

void xcc_services::hostCall(Lanes all) {
  for (Lane &l : all) {
    const bool shared = options.shares_memory && l.head.c == CallShares;
    Segments copies;
    std::vector<xcc_segment> forEntry;
    if (!(shared ? readShared(l, forEntry) : !l.head.c && copies.read(l))) {
      refuse(l, "%s", "the message of a call of a host function is damaged");
      continue;
    }
    const xcc_host_entry *entry =
        options.find_host_entry
            ? options.find_host_entry(l.head.a, options.context)
            : nullptr;
    if (!entry) {
      refuse(l,
             "the host function with id 0x%016" PRIx64
             " is not in this program; is its file linked?",
             l.head.a);
      continue;
    }
    if (!shared)
      forEntry = copies.list;
    try {
      {
        Calling marked(options, entry);
        entry->call(forEntry.data());
      }
      if (!shared)
        copies.write(*l.out);
      l.answer = {0, 0};
    } catch (const abi::__forced_unwind &) {
      // If the thread ended, no thread would answer the kernel.
      fprintf(stderr,
              "xcc: the host function '%s', which device code called, ended "
              "its thread (pthread_exit, pthread_cancel)\n",
              entry->name);
      abort();
    } catch (const std::exception &e) {
      refuse(l, "the host function '%s' threw: %s", entry->name, e.what());
    } catch (...) {
      refuse(l, "the host function '%s' threw an exception", entry->name);
    }
  }
}
