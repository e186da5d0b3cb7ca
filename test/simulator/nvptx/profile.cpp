// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profile.h"

#include <algorithm>
#include <set>

namespace ptx {

//===----------------------------------------------------------------------===//
// One instruction's accesses
//===----------------------------------------------------------------------===//

void Profile::settle() {
  settleDevice();
  settleShared();
  touched.clear();
}

/// Sectors that the lanes touch together, and bytes of them that they want.
void Profile::settleDevice() {
  constexpr uint64_t sector = 32;
  std::set<uint64_t> sectors, words;
  for (const Touch &t : touched) {
    if (t.shared)
      continue;
    sectors.insert(t.at / sector);
    sectors.insert((t.at + t.bytes - 1) / sector);
    for (uint64_t at = t.at; at != t.at + t.bytes; ++at)
      words.insert(at);
  }
  if (sectors.empty())
    return;
  ++now->requests;
  now->sectors += sectors.size();
  now->bytes += words.size();
}

/// The bank of which the lanes want the most different words takes as many
/// passes; accesses of eight bytes are two halves of a warp, of sixteen four.
void Profile::settleShared() {
  constexpr unsigned banks = 32;
  std::map<unsigned, std::vector<const Touch *>> lanes;
  unsigned most = 0;
  for (const Touch &t : touched)
    if (t.shared) {
      lanes[t.lane].push_back(&t);
      unsigned bytes = 0;
      for (const Touch *one : lanes[t.lane])
        bytes += one->bytes;
      most = std::max(most, bytes);
    }
  if (lanes.empty())
    return;
  const unsigned perPart = most > 8 ? 8 : most > 4 ? 16 : 32;
  unsigned passes = 0;
  for (unsigned first = 0; first < WarpSize; first += perPart) {
    std::set<uint64_t> words[banks];
    for (unsigned l = first; l != first + perPart; ++l)
      for (const Touch *t : lanes[l])
        for (uint64_t w = t->at / 4; w <= (t->at + t->bytes - 1) / 4; ++w)
          words[w % banks].insert(w);
    size_t worst = 0;
    for (const auto &of : words)
      worst = std::max(worst, of.size());
    passes += unsigned(worst);
  }
  ++now->shared;
  now->passes += passes;
}

/// The source line, or without -g the line of PTX.
static simulator::Place placeOf(const Program &p, const Inst &i) {
  auto file = p.source->files.find(i.from.file);
  if (i.from.line && file != p.source->files.end())
    return {file->second, i.from.line};
  std::string text(p.source->line(i.line));
  return {"PTX '" + text.substr(0, 60) + "'", i.line};
}

static bool isSource(const simulator::Place &place) {
  return !place.first.starts_with("PTX '");
}

std::unique_ptr<Profile> Profile::start() {
  return simulator::countsLines() ? std::make_unique<Profile>() : nullptr;
}

void Profile::finish(const Program &p, const std::string &kernel) {
  settle();
  simulator::LaunchCounts all{kernel, WarpSize, {}, {}, {}};
  for (const auto &[inst, c] : counts) {
    const simulator::Place place = placeOf(p, *inst);
    all.lines[place] += c;
    if (isSource(place))
      all.covered[place] = std::max(all.covered[place], c.lanes);
  }
  for (const auto &code : p.codes)
    for (const Inst &i : code->insts)
      if (simulator::Place place = placeOf(p, i); isSource(place))
        all.known.insert(place);
  simulator::addLaunch(all);
}

} // namespace ptx
