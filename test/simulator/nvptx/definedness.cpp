// Uninitialised values: frames, memory, reports
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "definedness.h"
#include "hot.h"
#include "machine.h"
#include "test/simulator/common/definedness.h"

#include <cstring>

namespace ptx {

Code::Code() = default;
Code::~Code() = default;

void Warp::track(const Inst &i, uint32_t all, uint32_t lanes) {
  if (i.guard >= 0) {
    auto &guard = *reinterpret_cast<uint32_t *>(undefined + i.guard);
    if (const uint32_t bad = guard & all) {
      accuse(i.branches ? "decides a branch"
                        : "decides whether an instruction is executed",
             bad, originOf(i.guard));
      guard &= ~bad; // what follows from it is not said again
    }
  }
  const Rule &rule = running->rules[size_t(&i - running->insts.data())];
  if (lanes && rule.run)
    rule.run(*this, i, rule, lanes);
}

std::string Warp::tell(const Origin *o) {
  if (!o || !o->read)
    return "";
  std::string where;
  const Windows &win = windows();
  Space in = o->in;
  uint64_t address = o->address;
  if (in == Space::Generic && address - win.local < Windows::Size)
    in = Space::Local;
  else if (in == Space::Generic && address - win.shared < Windows::Size)
    in = Space::Shared, address -= win.shared;
  if (in == Space::Local)
    where = "the thread's stack";
  else if (in == Space::Shared)
    where = "byte " + std::to_string(address - block.grid.k.sharedBase) +
            " of the block's shared memory";
  else
    where = block.grid.mem.owner(address);
  return ", read from " + where + " at " + place(block.grid, *o->read) + ",";
}

void Warp::accuse(const std::string &what, uint32_t lanes, const Origin *o) {
  if (!block.grid.accused.insert(doing).second)
    return;
  block.grid.tell(
      *this, "init",
      "an uninitialised value" + tell(o) + " " + what + ": thread " +
          std::to_string(index * WarpSize + unsigned(__builtin_ctz(lanes))) +
          " of block " + std::to_string(block.number));
}

Warp::Bits Warp::definedAt(uint64_t address, unsigned bytes, Space s,
                           unsigned lane) {
  const Windows &win = windows();
  if (s == Space::Generic) {
    if (address - win.local < Windows::Size)
      s = Space::Local, address -= win.local;
    else if (address - win.shared < Windows::Size)
      s = Space::Shared, address -= win.shared;
    else if (address - win.param < Windows::Size)
      s = Space::Param;
    else
      s = Space::Global;
  }
  switch (s) {
  case Space::Local:
    // What cannot be reached is a fault of its own.
    if (address < sp[lane] || address + bytes > LocalTop)
      return {};
    return {stackDefined.data() + stack * lane +
            (address - (LocalTop - stack))};
  case Space::Shared:
    if (address + bytes > block.sharedDefined.size())
      return {};
    return {block.sharedDefined.data() + address};
  case Space::Param:
    return {};
  default:
    if (uint8_t *bits = simulator::definedBits(address))
      return {bits, Bits::Device};
    return {nullptr, Bits::Host};
  }
}

void Warp::forgetStack(unsigned lane, uint64_t from, uint64_t until) {
  memset(stackDefined.data() + stack * lane + (from - (LocalTop - stack)), 0,
         until - from);
}

/// What a call passes.
void Warp::copyUndefined(Frame *to, int32_t at, const Frame *from, int32_t of,
                         uint32_t stride, uint32_t lanes) {
  if (!to->undefined)
    return;
  for (; lanes; lanes &= lanes - 1) {
    const unsigned l = unsigned(__builtin_ctz(lanes));
    memcpy(to->undefined + at + stride * l, from->undefined + of + stride * l,
           stride);
  }
  to->origins[at / 32] = from->origins[of / 32];
}

/// A parameter that goes to the stack.
void Warp::spillDefinedness(const Frame &f, const Spilled &s, unsigned lane) {
  if (!f.undefined)
    return;
  uint8_t *to = stackDefined.data() + stack * lane +
                (sp[lane] + s.to - (LocalTop - stack));
  const char *from = f.undefined + s.from.at + s.from.stride() * lane;
  for (uint32_t n = 0; n != s.from.size; ++n)
    to[n] = uint8_t(~from[n]);
}

} // namespace ptx
