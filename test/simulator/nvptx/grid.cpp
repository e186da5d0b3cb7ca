// Blocks and grids take their turns
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block runs until it ends or has had its turn. Then another begins, as long
// as there is room, and all that have begun take turns: so blocks may wait for
// each other as far as a device of four multiprocessors lets them.

#include "machine.h"
#include "test/simulator/common/checks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <thread>
#include <unistd.h>

namespace ptx {

using namespace xcc::rt::cuda;

/// False for a schedule that there is not.
static bool parseSchedule(const std::string &how, Schedule &out) {
  out = {};
  if (how == "independent") {
    out.is = Schedule::Independent;
  } else if (how.starts_with("random")) {
    out.is = Schedule::Random;
    if (how.size() > 6) {
      char *end;
      out.seed = strtoull(how.c_str() + 7, &end, 10);
      return how[6] == ':' && how.size() > 7 && !*end;
    }
  } else {
    return how == "lockstep";
  }
  return true;
}

static Settings &mutableSettings() {
  static Settings &all = []() -> Settings & {
    auto *s = new Settings;
    if (const char *turns = getenv("XCC_SIM_SCHEDULE");
        turns && !parseSchedule(turns, s->turns)) {
      fprintf(stderr,
              "simulator: XCC_SIM_SCHEDULE=%s: lockstep, random:SEED or "
              "independent was expected\n",
              turns);
      _exit(2);
    }
    if (const char *notes = getenv("XCC_SIM_NOTES"))
      s->notes = strcmp(notes, "0") != 0;
    s->races = simulator::checksRaces();
    s->init = simulator::checksInit();
    if (const char *text = getenv("XCC_SIM_SECONDS"))
      s->hangSeconds = strtod(text, nullptr);
    if (const char *limit = getenv("XCC_SIM_LIMIT"))
      s->limit = strtoull(limit, nullptr, 10);
    return *s;
  }();
  return all;
}
const Settings &settings() { return mutableSettings(); }

} // namespace ptx

/// For tests: another schedule from the next launch on.
extern "C" __attribute__((visibility("default"))) bool
simulator_schedule(const char *text) {
  return ptx::parseSchedule(text, ptx::mutableSettings().turns);
}
extern "C" __attribute__((visibility("default"))) bool
simulator_notes(bool wanted) {
  ptx::mutableSettings().notes = wanted;
  return true;
}

namespace ptx {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Block::~Block() {
  for (Warp *w : warps)
    delete w;
}

void Block::start(uint64_t n) {
  number = n;
  const LaunchShape &s = grid.shape;
  at[0] = uint32_t(n % s.grid[0]);
  at[1] = uint32_t(n / s.grid[0] % s.grid[1]);
  at[2] = uint32_t(n / s.grid[0] / s.grid[1]);
  uint32_t threads = s.block[0] * s.block[1] * s.block[2];
  count = (threads + WarpSize - 1) / WarpSize;
  while (warps.size() < count)
    warps.push_back(new Warp(*this));
  shared.assign((grid.sharedBytes + 15) / 16 * 16, char(0xA5));
  if (settings().init)
    sharedDefined.assign(shared.size(), 0);
  if (settings().notes || settings().races)
    races.start(shared.size());
  for (unsigned b = 0; b != std::size(barriers); ++b)
    if (usedBarriers >> b & 1) {
      barriers[b].reset();
      barriers[b].arrived.assign(count, 0);
    }
  usedBarriers = 0;
  barriersChanged = false;
  nextWarp = 0;
  for (unsigned w = 0; w != count; ++w) {
    uint32_t left = threads - w * WarpSize;
    running = warps[w];
    warps[w]->start(w, left >= WarpSize ? AllLanes : (1u << left) - 1);
  }
}

void Block::order() {
  races.barrier();
  if (grid.races)
    grid.races->barrier(uint32_t(number));
}

Block::Progress Block::run(uint64_t budget) {
  uint64_t used = 0;
  while (used < budget) {
    bool ran = false, done = true, rests = true;
    unsigned first = grid.random ? unsigned(grid.dice() % count) : 0;
    for (unsigned n = 0; n != count; ++n) {
      Warp &w = *warps[(first + n) % count];
      if (w.done())
        continue;
      done = false;
      if (!w.ready())
        continue;
      if (grid.random && grid.dice() % 4 == 0) {
        ran = true;
        rests = false;
        continue;
      }
      running = &w;
      uint64_t turn = grid.random ? 1 + grid.dice() % 200 : 20000;
      uint64_t steps = w.run(std::min(turn, budget));
      used += steps;
      ran |= steps != 0;
      // One that came to a barrier or ended did not rest.
      rests &= w.ready() && w.now->rested;
      if (settings().limit && w.executed > settings().limit)
        w.fault(LaunchTimeout, "more instructions than XCC_SIM_LIMIT allows");
      if (barriersChanged)
        tryBarriers();
    }
    if (done)
      return Progress::Done;
    if (!ran) {
      // A barrier may have been completed by the last one to end.
      tryBarriers();
      if (std::none_of(warps.begin(), warps.begin() + count,
                       [](Warp *w) { return w->ready(); }))
        deadlock();
    }
    if (ran && rests)
      return Progress::Resting;
  }
  return Progress::More;
}

void Block::deadlock() {
  throw Fault{LaunchTimeout,
              describeDeadlock(*this, "every thread waits for another")};
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

static std::atomic<uint64_t> launches{0};

Grid::Grid(const Program &p, const Kernel &k, const std::string &name,
           const LaunchShape &s, std::string kernarg, Memory &m, uint64_t limit)
    : p(p), k(k), name(name), shape(s), kernarg(std::move(kernarg)), mem(m) {
  const Settings &how = settings();
  number = ++launches;
  random = how.turns.is == Schedule::Random;
  independent = how.turns.is == Schedule::Independent;
  dice.seed(how.turns.seed * 1000003 + number);
  stack = k.stackUnknown ? std::max(k.stack, limit) : k.stack;
  stack = (stack + 15) / 16 * 16;
  sharedBytes = k.sharedBytes + k.sharedGaps + s.dynamic;
  profile = Profile::start();
  if (how.races)
    races = std::make_unique<simulator::DeviceRaces>();
  uint64_t threads = uint64_t(s.block[0]) * s.block[1] * s.block[2];
  uint64_t perMultiprocessor = std::min<uint64_t>(32, 2048 / threads);
  if (const uint64_t taken = sharedBytes - k.sharedGaps)
    perMultiprocessor =
        std::min<uint64_t>(perMultiprocessor, 228 * 1024 / (taken + 1024));
  resident = 4 * std::max<uint64_t>(perMultiprocessor, 1);
}

Grid::~Grid() = default;

void Grid::note(const Warp &w, const std::string &text) {
  if (settings().notes)
    tell(w, "note", text);
}

void Grid::tell(const Warp &w, const char *kind, const std::string &text) {
  std::string whole = text + ": " + (w.doing ? place(*this, *w.doing) : "");
  if (!noted.insert(whole).second)
    return;
  simulator::tellFinding(finding(*this, &w, kind, whole));
}

Result Grid::run() {
  const Result result = runBlocks();
  if (profile)
    profile->finish(p, name);
  return result;
}

/// The kind of check that a fault belongs to.
static const char *kindOf(const Fault &f) {
  return f.code == IllegalAddress || f.code == MisalignedAddress ? "memory"
         : f.code == LaunchTimeout                               ? "sync"
                                                                 : "other";
}

Result Grid::runBlocks() {
  uint64_t total = uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  uint64_t next = 0;
  std::vector<std::unique_ptr<Block>> all;
  std::vector<Block *> free;
  std::deque<Block *> begun;
  unsigned resting = 0;
  Block *now = nullptr;
  try {
    while (next != total || !begun.empty()) {
      bool room = next != total && begun.size() < resident;
      bool fresh = room && (begun.empty() || !random || dice() % 2);
      if (fresh) {
        if (free.empty()) {
          all.push_back(std::make_unique<Block>(*this));
          free.push_back(all.back().get());
        }
        now = free.back();
        free.pop_back();
        now->start(next++);
        resting = 0;
        watch.progress();
      } else {
        size_t which = random ? dice() % begun.size() : 0;
        now = begun[which];
        begun.erase(begun.begin() + std::ptrdiff_t(which));
      }
      switch (now->run(random ? 1 + dice() % 5000 : 200000)) {
      case Block::Done:
        free.push_back(now);
        resting = 0;
        watch.progress();
        continue;
      case Block::More:
        resting = 0;
        break;
      case Block::Resting:
        // All wait for something outside, such as the host.
        if (++resting > begun.size()) {
          if (resting > 100 * (begun.size() + 1))
            std::this_thread::sleep_for(std::chrono::microseconds(50));
          else
            std::this_thread::yield();
        }
        break;
      }
      begun.push_back(now);
      if (watch.look({begun.begin(), begun.end()}, settings().hangSeconds))
        throw Fault{LaunchTimeout, describeDeadlock(*now, "no warp can go on")};
    }
  } catch (const Fault &f) {
    said = describe(*this, *now, f);
    simulator::countFinding(finding(*this, now->running, kindOf(f), f.text));
    fprintf(stderr, "%s", said.c_str());
    return f.code;
  }
  return Success;
}

} // namespace ptx
