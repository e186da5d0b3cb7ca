// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profile.h"
#include "test/simulator/common/checks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <mutex>
#include <set>

namespace ptx {

Counts &Counts::operator+=(const Counts &other) {
  executed += other.executed;
  lanes += other.lanes;
  requests += other.requests;
  sectors += other.sectors;
  bytes += other.bytes;
  shared += other.shared;
  passes += other.passes;
  return *this;
}

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

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

namespace {

using Place = std::pair<std::string, int>; ///< a file, or the text of PTX

struct KernelCounts {
  unsigned launches = 0;
  std::map<Place, Counts> lines;
};

/// Never destroyed: kernels may run until the process has ended.
struct Totals {
  std::mutex mutex;
  std::map<std::string, KernelCounts> kernels;
  /// Lanes that were at a line of a file; 0 for those of functions that no
  /// launch got to.
  std::map<Place, uint64_t> coverage;
};
Totals &totals() {
  static auto &all = *new Totals;
  return all;
}

bool wantsProfile() {
  const char *text = getenv("XCC_SIM_PROFILE");
  return text && *text && strcmp(text, "0") != 0;
}
const char *coverageFile() {
  const char *text = getenv("XCC_SIM_COVERAGE");
  return text && *text ? text : nullptr;
}

/// The source line, or without -g the line of PTX.
Place placeOf(const Program &p, const Inst &i) {
  auto file = p.source->files.find(i.from.file);
  if (i.from.line && file != p.source->files.end())
    return {file->second, i.from.line};
  std::string text(p.source->line(i.line));
  return {"PTX '" + text.substr(0, 60) + "'", i.line};
}

bool isSource(const Place &place) { return !place.first.starts_with("PTX '"); }

std::string readable(const std::string &symbol) {
  int status = 0;
  char *text = abi::__cxa_demangle(symbol.substr(0, symbol.rfind("__")).c_str(),
                                   nullptr, nullptr, &status);
  std::string out = text ? text : symbol;
  free(text);
  return out;
}

void printLine(const Place &place, const Counts &c, uint64_t all) {
  char sectors[16] = "-", used[16] = "-", passes[16] = "-";
  if (c.requests) {
    snprintf(sectors, sizeof(sectors), "%.1f",
             double(c.sectors) / double(c.requests));
    snprintf(used, sizeof(used), "%.0f%%",
             100.0 * double(c.bytes) / double(32 * c.sectors));
  }
  if (c.shared)
    snprintf(passes, sizeof(passes), "%.1f",
             double(c.passes) / double(c.shared));
  fprintf(stderr, "  %5.1f%% %12llu %6.1f %8s %6s %7s  %s:%d\n",
          100.0 * double(c.executed) / double(all),
          (unsigned long long)c.executed, double(c.lanes) / double(c.executed),
          sectors, used, passes, place.first.c_str(), place.second);
}

void printKernel(const std::string &symbol, const KernelCounts &k) {
  constexpr size_t shown = 20;
  Counts all;
  std::vector<std::pair<Place, Counts>> lines;
  for (const auto &[place, c] : k.lines) {
    all += c;
    if (c.executed)
      lines.push_back({place, c});
  }
  fprintf(stderr,
          "simulator: kernel %s: %u launch%s, %llu instructions of warps, "
          "%.1f of 32 lanes active, %llu sectors of device memory\n",
          readable(symbol).c_str(), k.launches, k.launches == 1 ? "" : "es",
          (unsigned long long)all.executed,
          all.executed ? double(all.lanes) / double(all.executed) : 0,
          (unsigned long long)all.sectors);
  fprintf(stderr,
          "  share  instructions  lanes  sectors   used  passes  line\n");
  std::ranges::sort(lines, [](const auto &a, const auto &b) {
    return a.second.executed != b.second.executed
               ? a.second.executed > b.second.executed
               : a.first < b.first;
  });
  for (size_t i = 0; i != std::min(lines.size(), shown); ++i)
    printLine(lines[i].first, lines[i].second, all.executed);
  if (lines.size() > shown)
    fprintf(stderr, "  and %zu more lines\n", lines.size() - shown);
}

/// In the format of lcov: what genhtml and editors read.
void writeCoverage(const char *file, const Totals &t) {
  FILE *out = fopen(file, "w");
  if (!out) {
    fprintf(stderr, "simulator: XCC_SIM_COVERAGE=%s: %s\n", file,
            strerror(errno));
    return;
  }
  const std::string *source = nullptr;
  for (const auto &[place, count] : t.coverage) {
    if (!source || *source != place.first) {
      if (source)
        fputs("end_of_record\n", out);
      source = &place.first;
      fprintf(out, "SF:%s\n", source->c_str());
    }
    fprintf(out, "DA:%d,%llu\n", place.second, (unsigned long long)count);
  }
  if (source)
    fputs("end_of_record\n", out);
  if (fclose(out) != 0)
    fprintf(stderr, "simulator: XCC_SIM_COVERAGE=%s: %s\n", file,
            strerror(errno));
}

void tellAll() {
  Totals &t = totals();
  std::lock_guard lock(t.mutex);
  if (wantsProfile())
    for (const auto &[symbol, counts] : t.kernels)
      printKernel(symbol, counts);
  if (const char *file = coverageFile())
    writeCoverage(file, t);
}

} // namespace

std::unique_ptr<Profile> Profile::start() {
  static const bool wanted = [] {
    const bool is = wantsProfile() || coverageFile();
    if (is)
      simulator::tellAtEnd(tellAll);
    return is;
  }();
  return wanted ? std::make_unique<Profile>() : nullptr;
}

void Profile::finish(const Program &p, const std::string &kernel) {
  settle();
  Totals &t = totals();
  std::lock_guard lock(t.mutex);
  KernelCounts &k = t.kernels[kernel];
  ++k.launches;
  for (const auto &[inst, c] : counts)
    k.lines[placeOf(p, *inst)] += c;
  for (const auto &code : p.codes)
    for (const Inst &i : code->insts)
      if (Place place = placeOf(p, i); isSource(place))
        t.coverage[place];
  // A line is covered as often as the instruction of it that ran most often.
  std::map<Place, uint64_t> most;
  for (const auto &[inst, c] : counts)
    if (Place place = placeOf(p, *inst); isSource(place))
      most[place] = std::max(most[place], c.lanes);
  for (const auto &[place, lanes] : most)
    t.coverage[place] += lanes;
}

} // namespace ptx
