// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "line_profile.h"
#include "checks.h"
#include "findings.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace simulator {

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

namespace {

struct KernelCounts {
  unsigned launches = 0, width = 0;
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
          "%.1f of %u lanes active",
          demangled(symbol).c_str(), k.launches, k.launches == 1 ? "" : "es",
          (unsigned long long)all.executed,
          all.executed ? double(all.lanes) / double(all.executed) : 0, k.width);
  if (all.requests)
    fprintf(stderr, ", %llu sectors of device memory",
            (unsigned long long)all.sectors);
  fputc('\n', stderr);
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

bool countsLines() {
  static const bool wanted = [] {
    const bool is = wantsProfile() || coverageFile();
    if (is)
      tellAtEnd(tellAll);
    return is;
  }();
  return wanted;
}

void addLaunch(const LaunchCounts &of) {
  Totals &t = totals();
  std::lock_guard lock(t.mutex);
  KernelCounts &k = t.kernels[of.kernel];
  ++k.launches;
  k.width = of.width;
  for (const auto &[place, c] : of.lines)
    k.lines[place] += c;
  for (const Place &place : of.known)
    t.coverage[place];
  for (const auto &[place, lanes] : of.covered)
    t.coverage[place] += lanes;
}

} // namespace simulator
