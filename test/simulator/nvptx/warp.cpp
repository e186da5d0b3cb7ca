// Groups of lanes: they part, meet, call and end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "handlers.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace ptx {

static bool canBeWide() {
#ifdef __x86_64__
  return __builtin_cpu_supports("x86-64-v3");
#else
  return true;
#endif
}
bool wide = canBeWide();

} // namespace ptx

/// For tests: vectors, if the processor has them, or none.
extern "C" __attribute__((visibility("default"))) bool
simulator_wide(bool wanted) {
  return ptx::wide = wanted && ptx::canBeWide();
}

namespace ptx {

/// Every byte of memory that nobody has written yet.
static constexpr int Unwritten = 0xA5;

/// Stacks are large and launches many: they are kept for the next warp.
static std::mutex stacksMutex;
static auto &stacks = *new std::map<uint64_t, std::vector<char *>>;

static char *takeStack(uint64_t bytes) {
  std::lock_guard lock(stacksMutex);
  std::vector<char *> &kept = stacks[bytes];
  if (kept.empty()) {
    auto *fresh = static_cast<char *>(malloc(bytes ? bytes : 1));
    // Large ones are for recursion, which mostly does not come.
    if (bytes <= 4096 * WarpSize)
      memset(fresh, Unwritten, bytes);
    return fresh;
  }
  char *old = kept.back();
  kept.pop_back();
  return old;
}
static void keepStack(char *old, uint64_t bytes) {
  std::lock_guard lock(stacksMutex);
  if (old)
    stacks[bytes].push_back(old);
}

Warp::~Warp() {
  keepStack(local, stack * WarpSize);
  for (Frame *f : allFrames) {
    free(f->data);
    free(f->undefined);
    delete[] f->origins;
    delete f;
  }
  for (Meeting *m : allMeetings)
    delete m;
}

void Warp::watchAccesses() {
  eachMatters = block.grid.profile || block.grid.races || block.races.on();
  writesMatter = eachMatters || block.grid.watch.on();
}

void Warp::numberThreads() {
  const uint32_t *size = block.grid.shape.block;
  for (unsigned l = 0; l != WarpSize; ++l) {
    const uint32_t t = index * WarpSize + l;
    threads[0][l] = t % size[0];
    threads[1][l] = t / size[0] % size[1];
    threads[2][l] = t / size[0] / size[1];
  }
}

void Warp::start(unsigned number, uint32_t lanes) {
  index = number;
  live = lanes;
  for (Group &g : inUse())
    g = {};
  usedGroups = 1;
  if (copying)
    for (unsigned l = 0; l != WarpSize; ++l) {
      copies[l].clear();
      committed[l] = 0;
    }
  copying = false;
  // All that the last block had is free again; a fault ends the whole grid.
  freeFrames.resize(block.grid.p.codes.size());
  for (Frame *f : allFrames)
    freeFrames[size_t(f->of->number)].clear();
  for (Frame *f : allFrames)
    freeFrame(f);
  if (!local)
    numberThreads();
  if (!local || stack != block.grid.stack) {
    keepStack(local, stack * WarpSize);
    stack = block.grid.stack;
    local = takeStack(stack * WarpSize);
  }
  if (settings().init)
    stackDefined.resize(stack * WarpSize);
  zones.clear();
  for (uint64_t &s : sp)
    s = LocalTop;
  circle = {};
  watchAccesses();
  lastGroup = 0;
  executed = 0;
  barrierTrue = 0;
  Group &g = groups[0];
  g.is = Group::Ready;
  g.lanes = lanes;
  now = &g;
  doing = nullptr;
  g.at = newFrame(*block.grid.k.entry, lanes);
}

//===----------------------------------------------------------------------===//
// Frames and reconvergence points
//===----------------------------------------------------------------------===//

Frame *Warp::newFrame(const Code &of, uint32_t lanes) {
  auto &free = freeFrames[size_t(of.number)];
  Frame *f;
  if (free.empty()) {
    f = new Frame;
    f->of = &of;
    size_t bytes = (of.frameBytes + 63) / 64 * 64 + 64;
    f->data = static_cast<char *>(aligned_alloc(64, bytes));
    memset(f->data, Unwritten, bytes);
    if (settings().init) {
      f->undefined = static_cast<char *>(aligned_alloc(64, bytes));
      f->origins = new Origin[bytes / 32];
    }
    allFrames.push_back(f);
  } else {
    f = free.back();
    free.pop_back();
  }
  f->caller = nullptr;
  f->site = nullptr;
  memcpy(f->spBefore, sp, sizeof(sp));
  if (f->undefined)
    memset(f->undefined, 0, of.frameBytes);
  if (of.localBytes)
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = unsigned(__builtin_ctz(m));
      uint64_t base = (sp[l] - of.localBytes) & ~uint64_t(of.localAlign - 1);
      if (LocalTop - base > stack) {
        free.push_back(f);
        fault(xcc::rt::cuda::IllegalAddress,
              "stack overflow: '" + std::string(of.of->name) + "' needs " +
                  std::to_string(of.localBytes) + " bytes, and of " +
                  std::to_string(stack) + " bytes for each thread " +
                  std::to_string(stack - (LocalTop - sp[l])) + " are left",
              uint32_t(1) << l);
      }
      if (f->undefined)
        forgetStack(l, base, sp[l]);
      sp[l] = base;
    }
  for (const Preset &p : of.presets) {
    auto *r = reinterpret_cast<uint64_t *>(f->data + p.slot);
    if (p.sharedVariable < 0)
      for (unsigned l = 0; l != WarpSize; ++l)
        r[l] = sp[l] + p.plus;
    else
      for (unsigned l = 0; l != WarpSize; ++l)
        r[l] = block.grid.k.sharedAt[size_t(p.sharedVariable)];
  }
  return f;
}

void Warp::freeFrame(Frame *f) {
  freeFrames[size_t(f->of->number)].push_back(f);
}

Meeting *Warp::newMeeting() {
  if (freeMeetings.empty()) {
    allMeetings.push_back(new Meeting);
    freeMeetings.push_back(allMeetings.back());
  }
  Meeting *m = freeMeetings.back();
  freeMeetings.pop_back();
  *m = {};
  return m;
}

void Warp::freeMeeting(Meeting *m) { freeMeetings.push_back(m); }

Group *Warp::newGroup() {
  for (Group &g : inUse())
    if (g.is == Group::Free) {
      g = {};
      g.is = Group::Ready;
      return &g;
    }
  if (usedGroups != WarpSize) {
    Group &g = groups[usedGroups++];
    g = {};
    g.is = Group::Ready;
    return &g;
  }
  abort(); // there are no more groups than lanes
}

/// All that were expected have come: they go on together.
void Warp::release(Meeting *m) {
  Frame *at = m->at;
  uint32_t pc = m->pc;
  if (m->isReturn) {
    at = m->at->caller;
    freeFrame(m->at);
  }
  if (m->expected) {
    Group *g = newGroup();
    g->lanes = m->expected;
    g->pc = pc;
    g->at = at;
    g->next = m->outer;
  }
  freeMeeting(m);
}

void Warp::arriveAt(Meeting *m, uint32_t lanes) {
  m->arrived |= lanes;
  if (m->arrived == m->expected)
    release(m);
}

/// Lanes that will not come to the reconvergence points of that chain, up to
/// the one behind the call of a frame (exclusive), or all.
void Warp::leave(Meeting *chain, uint32_t lanes, const Frame *within) {
  for (Meeting *m = chain, *outer; m; m = outer) {
    outer = m->outer;
    if (within && m->isReturn && m->at == within)
      return;
    m->expected &= ~lanes;
    if (m->arrived == m->expected)
      release(m);
  }
}

/// Is this where the group waits for others?
bool Warp::arrive(Group &g) {
  bool arrived = false;
  while (Meeting *m = g.next) {
    if (m->isReturn || m->at != g.at || m->pc != g.pc)
      break;
    g.is = Group::Free;
    arriveAt(m, g.lanes);
    arrived = true;
    break;
  }
  return arrived;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Lanes of a group go on elsewhere. \p next is the reconvergence point of
/// both.
void Warp::splitOff(Group &g, uint32_t lanes, uint32_t pc, Meeting *next) {
  g.lanes &= ~lanes;
  Group *fresh = newGroup();
  fresh->lanes = lanes;
  fresh->pc = pc;
  fresh->at = g.at;
  fresh->next = next;
}

void Warp::jump(const Inst &i, uint32_t lanes, uint32_t to) {
  Group &g = *now;
  if (lanes == g.lanes) {
    g.pc = to;
    return;
  }
  if (to == g.pc)
    return;
  splitOff(g, lanes, to, meetingOf(i, g));
  stopped = true;
}

/// Where the lanes of a group that a branch splits meet again: the group's own
/// place already, or a new one; what it had if there is none.
Meeting *Warp::meetingOf(const Inst &i, Group &g) {
  Meeting *next = g.next;
  if (i.meeting == Nowhere || block.grid.independent ||
      (next && !next->isReturn && next->at == g.at && next->pc == i.meeting))
    return next;
  next = newMeeting();
  next->at = g.at;
  next->pc = i.meeting;
  next->expected = g.lanes;
  next->outer = g.next;
  next->madeAt = uint32_t(&i - running->insts.data());
  return g.next = next;
}

/// Each lane has a place of its own to go to.
void Warp::branchMany(const Inst &i, uint32_t lanes, const uint32_t *to) {
  Group &g = *now;
  uint32_t rest = g.lanes & ~lanes; // by a guard
  uint32_t first = to[__builtin_ctz(lanes)], same = 0;
  for (uint32_t m = lanes; m; m &= m - 1)
    if (to[__builtin_ctz(m)] == first)
      same |= m & -m;
  if (same == g.lanes) {
    g.pc = first;
    return;
  }
  Meeting *next = meetingOf(i, g);
  // The group goes on with those who stay, or with the last.
  uint32_t left = lanes;
  uint32_t fall = g.pc;
  while (left) {
    uint32_t target = to[__builtin_ctz(left)], part = 0;
    for (uint32_t m = left; m; m &= m - 1)
      if (to[__builtin_ctz(m)] == target)
        part |= m & -m;
    left &= ~part;
    if (target == fall && !rest) {
      rest = part; // stays in this group
      continue;
    }
    if (!left && !rest) {
      g.pc = target;
      break;
    }
    splitOff(g, part, target, next);
  }
  stopped = true;
}

//===----------------------------------------------------------------------===//
// Calls and ends
//===----------------------------------------------------------------------===//

void Warp::call(const Inst &i, uint32_t lanes) {
  const CallSite &site = running->calls[i.extra];
  Group *g = now;
  uint32_t returnTo = g->pc;
  if (lanes != g->lanes) {
    // A guarded call: the others go on behind it, and wait if they are to.
    Group *others = newGroup();
    *others = *g;
    others->lanes = g->lanes & ~lanes;
    g->lanes = lanes;
  }
  const uint64_t *address = site.to ? nullptr : in<uint64_t>(site.slot);
  Meeting *together = nullptr;
  uint32_t left = lanes;
  while (left) {
    const Code *to = site.to;
    uint32_t part = left;
    if (!to) {
      unsigned first = unsigned(__builtin_ctz(left));
      to = block.grid.p.functionAt(address[first]);
      for (uint32_t m = left & (left - 1); m; m &= m - 1)
        if (address[__builtin_ctz(m)] != address[first])
          part &= ~(m & -m);
      if (!to || !to->of->defined) {
        char text[100];
        snprintf(text, sizeof(text), "call of %#llx, which is no function",
                 (unsigned long long)address[first]);
        fault(xcc::rt::cuda::InvalidPc, text, part);
      }
    }
    if (to->takes.size() != site.arguments.size() ||
        to->returns.size() != site.results.size())
      fault(xcc::rt::cuda::LaunchFailed,
            "call of '" + std::string(to->of->name) +
                "' with a number of parameters that it does not have",
            part);
    left &= ~part;
    if (left && !together && !site.recurses && !block.grid.independent) {
      // Several functions: their lanes meet behind the call.
      together = newMeeting();
      together->at = g->at;
      together->pc = returnTo;
      together->expected = lanes;
      together->outer = g->next;
      together->madeAt = returnTo - 1;
      g->next = together;
    }
    Group *calls = g;
    if (left) {
      calls = newGroup();
      Group copy = *g;
      *calls = copy;
      calls->lanes = part;
      g->lanes &= ~part;
    }
    Frame *f = newFrame(*to, part);
    f->caller = g->at;
    f->site = &site;
    f->returnTo = returnTo;
    for (size_t n = 0; n != site.arguments.size(); ++n) {
      const Passed &from = site.arguments[n], &into = to->takes[n];
      if (from.size != into.size)
        fault(xcc::rt::cuda::LaunchFailed,
              "call of '" + std::string(to->of->name) + "' with " +
                  std::to_string(from.size) + " bytes for parameter " +
                  std::to_string(n + 1) + ", which has " +
                  std::to_string(into.size),
              part);
      memcpy(f->data + into.at, g->at->data + from.at,
             from.stride() * WarpSize);
      copyUndefined(f, into.at, g->at, from.at, from.stride(), part);
    }
    for (const Spilled &s : to->spills)
      for (uint32_t m = part; m; m &= m - 1) {
        unsigned l = unsigned(__builtin_ctz(m));
        memcpy(local + stack * l + (sp[l] + s.to - (LocalTop - stack)),
               f->data + s.from.at + s.from.stride() * l, s.from.size);
        spillDefinedness(*f, s, l);
      }
    Meeting *m = newMeeting();
    m->at = f;
    m->pc = returnTo;
    m->expected = part;
    m->outer = calls->next;
    m->isReturn = true;
    m->apart = site.recurses || block.grid.independent;
    m->madeAt = returnTo - 1;
    calls->next = m;
    calls->at = f;
    calls->pc = 0;
  }
  stopped = true;
}

void Warp::returnValues(Frame *f, uint32_t lanes) {
  for (size_t n = 0; n != f->site->results.size(); ++n) {
    const Passed &into = f->site->results[n], &from = f->of->returns[n];
    if (from.size != into.size)
      fault(xcc::rt::cuda::LaunchFailed,
            "return of " + std::to_string(from.size) +
                " bytes to a call that expects " + std::to_string(into.size),
            lanes);
    uint32_t stride = from.stride();
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = unsigned(__builtin_ctz(m));
      memcpy(f->caller->data + into.at + stride * l,
             f->data + from.at + stride * l, stride);
    }
    copyUndefined(f->caller, into.at, f, from.at, stride, lanes);
  }
}

/// ret: back to the caller, where the lanes of a call meet.
void Warp::giveBack(uint32_t lanes) {
  Group &g = *now;
  Frame *f = g.at;
  if (!f->caller)
    return exit(lanes);
  returnValues(f, lanes);
  for (uint32_t m = lanes; m; m &= m - 1)
    sp[__builtin_ctz(m)] = f->spBefore[__builtin_ctz(m)];
  Meeting *chain = g.next, *back = chain;
  while (!(back->isReturn && back->at == f))
    back = back->outer;
  g.lanes &= ~lanes;
  if (!g.lanes)
    g.is = Group::Free;
  leave(chain, lanes, f);
  if (back->apart)
    goOnApart(back, f, lanes);
  else
    arriveAt(back, lanes);
  stopped = true;
}

void Warp::goOnApart(Meeting *back, Frame *f, uint32_t lanes) {
  back->expected &= ~lanes;
  // It does not where a pointer is called.
  if (back->expected && f->site->to && f->site->recurses && !f->site->joined)
    block.grid.note(*this, "lanes return one after the other from a call that "
                           "may recurse, and do not wait for each other; ptxas "
                           "takes them for converged");
  Group *on = newGroup();
  on->lanes = lanes;
  on->pc = f->returnTo;
  on->at = f->caller;
  on->next = back->outer;
  if (!back->expected)
    release(back);
}

void Warp::exit(uint32_t lanes) {
  Group &g = *now;
  live &= ~lanes;
  g.lanes &= ~lanes;
  if (!g.lanes)
    g.is = Group::Free;
  leave(g.next, lanes, nullptr);
  if (g.lanes == 0)
    g.next = nullptr;
  trySyncs();
  block.barriersChanged = true;
  stopped = true;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

bool Warp::ready() const {
  for (const Group &g : inUse())
    if (g.is == Group::Ready)
      return true;
  return false;
}

Group *Warp::choose() {
  unsigned start = lastGroup + 1;
  if (block.grid.random)
    start = unsigned(block.grid.dice());
  uint32_t ready = 0;
  for (unsigned n = 0; n != usedGroups; ++n)
    ready |= uint32_t(groups[n].is == Group::Ready) << n;
  if (ready) {
    // The first from there on.
    unsigned n =
        unsigned(__builtin_ctz(std::rotr(ready, int(start % WarpSize))));
    lastGroup = (start + n) % WarpSize;
    return &groups[lastGroup];
  }
  return nullptr;
}

/// Makes the group the one whose instructions follow.
void Warp::enter(Group &g) {
  now = &g;
  running = g.at->of;
  data = g.at->data;
  undefined = g.at->undefined;
  origins = g.at->origins;
  pool = running->pool.data();
}

uint64_t Warp::run(uint64_t budget) {
  uint64_t before = executed, turn = 0;
  Profile *profile = block.grid.profile.get();
  const bool tracked = settings().init, watched = profile || tracked,
             hot = !watched && wide && simulator::hotFrom();
  Group *g = nullptr;
  while (executed - before < budget) {
    // A group goes on until it waits or ends, or its turn does.
    if (!g || g->is != Group::Ready || g->rested || !turn) {
      g = choose();
      turn = block.grid.random ? 1 + block.grid.dice() % 64 : 5000;
    }
    if (!g)
      break;
    enter(*g);
    stopped = false;
    g->rested = false;
    const Inst *insts = running->insts.data();
    uint32_t pc = g->pc;
    uint64_t most = std::min(turn, budget - (executed - before)), ran = 0;
    while (ran != most) {
      const Inst &i = insts[pc];
      doing = &i;
      if (i.spot && hot)
        if (const uint64_t did = runHostCode(i, most - ran)) {
          ran += did;
          pc = g->pc;
          continue;
        }
      ++ran;
      if (i.meets && arrive(*g))
        break;
      uint32_t lanes = g->lanes;
      if (i.guard >= 0)
        lanes &= predicate(i.guard, i.guardNot);
      g->pc = ++pc;
      if (watched) [[unlikely]] {
        if (profile)
          profile->begin(i, lanes);
        if (tracked)
          track(i, g->lanes, lanes);
      }
      if (lanes) {
        i.run(*this, i, lanes);
        if (stopped)
          break;
        // The counter itself is not read where nothing changes it: instructions
        // need not wait for each other.
        if (i.branches)
          pc = g->pc;
      }
    }
    executed += ran;
    turn -= ran;
    if (g->rested) {
      // When all that could run rest, the warp does.
      bool all = true;
      for (Group &other : inUse())
        all &= other.is != Group::Ready || other.rested;
      if (all)
        break;
    }
  }
  return executed - before;
}

} // namespace ptx
