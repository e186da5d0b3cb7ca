// Bytes around variables that no access may touch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that was compiled with -foffload-red-zones tells by two stores where they
// are (formats/red_zones.h). Other code has none, and costs nothing.

#ifndef XCC_TEST_SIMULATOR_COMMON_RED_ZONES_H
#define XCC_TEST_SIMULATOR_COMMON_RED_ZONES_H

#include "formats/red_zones.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace simulator {

/// The zones of some memory: of a block's, or of the stacks of a warp.
class RedZones {
public:
  /// Whether there are any.
  bool on() const { return !kinds.empty(); }
  void clear() { kinds.clear(); }

  /// Whether a store of \p word may tell of a zone.
  static bool mayTell(uint32_t word) {
    return word == xcc::rt::zones::Begin || xcc::rt::zones::isWord(word);
  }
  /// A store of \p word at \p at, in memory of \p size bytes that begins at \p
  /// memory. Whether it tells of a zone, and is done.
  bool told(void *memory, uint64_t size, uint64_t at, uint32_t word) {
    namespace zones = xcc::rt::zones;
    // The first word, where a zone already is.
    if (word == zones::Begin && at % zones::Align == 0 && touches(at, 4)) {
      memcpy(static_cast<char *>(memory) + at, &word, 4);
      return true;
    }
    if (!zones::isWord(word) || at < 4 || at % zones::Align != 4 || at > size)
      return false;
    uint32_t before;
    memcpy(&before, static_cast<char *>(memory) + at - 4, 4);
    const uint64_t from = at - 4 - zones::beforeOf(word);
    if (before != zones::Begin || at - 4 < zones::beforeOf(word) ||
        zones::Size > size - (at - 4))
      return false;
    if (kinds.empty())
      kinds.resize(size);
    memset(kinds.data() + from, int(zones::kindOf(word)),
           zones::Size + zones::beforeOf(word));
    return true;
  }

  bool touches(uint64_t at, unsigned bytes) const {
    for (uint64_t n = at; n != at + bytes && n < kinds.size(); ++n)
      if (kinds[n])
        return true;
    return false;
  }

  /// "4 bytes behind a variable of 64 bytes", of an access that touches one.
  std::string describe(uint64_t at, unsigned bytes) const {
    using namespace xcc::rt::zones;
    uint64_t n = at;
    while (!kinds[n])
      ++n;
    uint64_t first = n, end = n; // of the variable
    if (kinds[n] == Before) {
      while (first < kinds.size() && kinds[first] == Before)
        ++first;
      for (end = first; end < kinds.size() && !kinds[end];)
        ++end;
      return std::to_string(first - at) + " bytes in front of a variable of " +
             std::to_string(end - first) + " bytes";
    }
    while (end && kinds[end - 1] == Behind)
      --end;
    for (first = end; first && !kinds[first - 1];)
      --first;
    const uint64_t last = at + bytes;
    return (at >= end ? std::to_string(at - end) + " bytes behind the end"
                      : std::to_string(last - end) + " bytes beyond the end") +
           " of a variable of " + std::to_string(end - first) + " bytes";
  }

private:
  std::vector<uint8_t> kinds; ///< of each byte; 0: none
};

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_COMMON_RED_ZONES_H
