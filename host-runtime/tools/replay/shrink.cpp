// A recorded launch without the memory that it does not use
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shrink.h"
#include "rerun.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace replay {

/// Ranges are cut where pages begin: the CPU device's memory has no finer bounds.
static constexpr uint64_t Page = 4096;

namespace {

/// What a try found. Contents count by range: others than these may be gone.
struct Result {
  bool ran = false; ///< false: the launch could not be tried
  std::string failure;
  std::string memory;
};

class Shrinker {
public:
  explicit Shrinker(Launch &launch) : launch(launch) {}
  void run();

private:
  Result tryOut(const Launch &less);
  bool isSame(const std::vector<Range> &ranges);
  void removeWhole(size_t first, size_t count);
  void cut(size_t which, bool atEnd);
  std::vector<Range> keptRanges() const;

  Launch &launch;
  Result all; ///< with all memory
  std::vector<Range> ranges;
  std::vector<bool> gone;
};

} // namespace

/// The same launch with other ranges, whose offsets are into its own bytes.
static Launch withRanges(const Launch &l, const std::vector<Range> &ranges) {
  Launch out = l;
  out.memory.clear();
  out.before.clear();
  out.after.clear();
  for (Range r : ranges) {
    out.before += l.before.substr(r.offset, r.bytes);
    if (l.hasAfter())
      out.after += l.after.substr(r.offset, r.bytes);
    r.offset = out.before.size() - r.bytes;
    out.memory.push_back(r);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

/// In the process of a try: 'F' and what failed, or 'E' and the memory.
[[noreturn]] static void report(const Launch &l, int to) {
  std::string text;
  try {
    const Outcome o = rerun(l, 1);
    text = o.failure.empty() ? "E" + o.memory : "F" + o.failure;
  } catch (const std::exception &) {
  }
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(to, text.data() + done, text.size() - done);
    if (n <= 0)
      break;
    done += size_t(n);
  }
  // A kernel that failed may still run.
  _exit(0);
}

static std::string readAll(int from) {
  std::string text;
  char buffer[1 << 16];
  ssize_t n;
  while ((n = read(from, buffer, sizeof(buffer))) > 0 ||
         (n < 0 && errno == EINTR))
    if (n > 0)
      text.append(buffer, size_t(n));
  return text;
}

Result Shrinker::tryOut(const Launch &less) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Failure(std::string("no pipe: ") + strerror(errno));
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    throw Failure(std::string("no process: ") + strerror(errno));
  if (child == 0) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    report(less, ends[1]);
  }
  close(ends[1]);
  const std::string text = readAll(ends[0]);
  close(ends[0]);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (text.empty())
    return {};
  return {true, text[0] == 'F' ? text.substr(1) : "",
          text[0] == 'E' ? text.substr(1) : ""};
}

/// Does the launch end as with all memory, and with the same in these ranges?
bool Shrinker::isSame(const std::vector<Range> &some) {
  const Launch less = withRanges(launch, some);
  const Result r = tryOut(less);
  if (!r.ran || r.failure != all.failure)
    return false;
  if (!r.failure.empty())
    return true;
  for (size_t i = 0; i != some.size(); ++i)
    if (r.memory.compare(less.memory[i].offset, some[i].bytes, all.memory,
                         some[i].offset, some[i].bytes) != 0)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

std::vector<Range> Shrinker::keptRanges() const {
  std::vector<Range> kept;
  for (size_t i = 0; i != ranges.size(); ++i)
    if (!gone[i])
      kept.push_back(ranges[i]);
  return kept;
}

/// Takes away whole ranges: all of these, or of each half what can go.
void Shrinker::removeWhole(size_t first, size_t count) {
  if (!count)
    return;
  for (size_t i = first; i != first + count; ++i)
    gone[i] = true;
  if (isSame(keptRanges()))
    return;
  for (size_t i = first; i != first + count; ++i)
    gone[i] = false;
  if (count == 1)
    return;
  removeWhole(first, count / 2);
  removeWhole(first + count / 2, count - count / 2);
}

/// Takes away as many pages as can go at one end of a range.
void Shrinker::cut(size_t which, bool atEnd) {
  const Range whole = ranges[which];
  // Between page boundaries, of which there are two at least.
  const uint64_t first = (whole.begin + Page - 1) / Page,
                 last = (whole.begin + whole.bytes - 1) / Page;
  if (last < first)
    return;
  auto cutTo = [&](uint64_t pages) {
    Range r = whole;
    const uint64_t at =
        atEnd ? (last + 1 - pages) * Page : (first - 1 + pages) * Page;
    if (pages && atEnd) {
      r.bytes = at - r.begin;
    } else if (pages) {
      r.offset += at - r.begin;
      r.bytes -= at - r.begin;
      r.begin = at;
    }
    return r;
  };
  // None can go at first; the whole cannot.
  uint64_t can = 0, cannot = last - first + 2;
  while (cannot - can > 1) {
    const uint64_t middle = can + (cannot - can) / 2;
    ranges[which] = cutTo(middle);
    (ranges[which].bytes && ranges[which].bytes < whole.bytes &&
             isSame(keptRanges())
         ? can
         : cannot) = middle;
  }
  ranges[which] = cutTo(can);
}

void Shrinker::run() {
  ranges = launch.memory;
  gone.assign(ranges.size(), false);
  all = tryOut(launch);
  if (!all.ran)
    throw Failure(
        "the launch cannot be run here; run without --shrink to see why");
  removeWhole(0, ranges.size());
  for (size_t i = 0; i != ranges.size(); ++i)
    if (!gone[i] && ranges[i].bytes > Page) {
      cut(i, /*atEnd=*/true);
      cut(i, /*atEnd=*/false);
    }
  launch = withRanges(launch, keptRanges());
}

void shrink(Launch &launch) { Shrinker(launch).run(); }

} // namespace replay
