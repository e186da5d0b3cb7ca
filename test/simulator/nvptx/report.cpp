// What went wrong, and where
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"
#include "sync.h"

#include <cstdio>

namespace ptx {

std::string place(const Grid &g, const Inst &i) {
  std::string out = "PTX line " + std::to_string(i.line) + ", '" +
                    std::string(g.p.source->line(i.line)) + "'";
  auto file = g.p.source->files.find(i.from.file);
  if (i.from.line && file != g.p.source->files.end())
    out += " (" + file->second + ":" + std::to_string(i.from.line) + ")";
  return out;
}

simulator::Finding finding(const Grid &g, const Warp *w, const char *kind,
                           std::string message) {
  simulator::Finding f{kind, g.name, {}, "", 0, std::move(message)};
  if (!w || !w->now)
    return f;
  for (const Frame *at = w->now->at; at && f.functions.size() != 64;
       at = at->caller)
    f.functions.emplace_back(at->of->of->name);
  if (const Inst *i = w->doing; i && i->from.line) {
    auto file = g.p.source->files.find(i->from.file);
    if (file != g.p.source->files.end()) {
      f.file = file->second;
      f.line = i->from.line;
    }
  }
  return f;
}

/// "lanes 0-7, 12".
static std::string lanes(uint32_t mask) {
  if (mask == AllLanes)
    return "all lanes";
  std::string out = __builtin_popcount(mask) == 1 ? "lane " : "lanes ";
  const char *between = "";
  for (unsigned l = 0; l < WarpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    unsigned last = l;
    while (last + 1 < WarpSize && mask >> (last + 1) & 1)
      ++last;
    out += between + std::to_string(l);
    if (last != l)
      out += "-" + std::to_string(last);
    between = ", ";
    l = last;
  }
  return out;
}

static std::string triple(uint32_t x, uint32_t y, uint32_t z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " +
         std::to_string(z) + ")";
}

static const char *nameOf(Result r) {
  switch (r) {
  case xcc::rt::cuda::IllegalAddress:
    return "illegal address";
  case xcc::rt::cuda::MisalignedAddress:
    return "misaligned address";
  case xcc::rt::cuda::InvalidPc:
    return "invalid program counter";
  case xcc::rt::cuda::LaunchTimeout:
    return "the launch was stopped";
  default:
    return "launch failed";
  }
}

std::string describe(const Grid &g, const Block &b, const Fault &f) {
  std::string out = "simulator: kernel " + simulator::demangled(g.name) +
                    ", block " + triple(b.at[0], b.at[1], b.at[2]);
  if (f.text.starts_with("DEADLOCK"))
    return out + ": " + f.text;
  const Warp *w = b.running;
  uint32_t mask = f.lanes;
  if (w && w->now && !mask)
    mask = w->now->lanes;
  if (w && mask) {
    const uint32_t *dim = g.shape.block;
    uint32_t t = w->index * WarpSize + uint32_t(__builtin_ctz(mask));
    out += ", thread " +
           triple(t % dim[0], t / dim[0] % dim[1], t / dim[0] / dim[1]);
    if (__builtin_popcount(mask) > 1)
      out += " and others (" + lanes(mask) + " of warp " +
             std::to_string(w->index) + ")";
  }
  out += ": " + std::string(nameOf(f.code)) + ": " + f.text + "\n";
  if (w && w->doing)
    out += "  at " + place(g, *w->doing) + "\n";
  if (w && w->now && w->now->at) {
    int depth = 0;
    for (const Frame *at = w->now->at; at; at = at->caller, ++depth) {
      if (depth == 12) {
        out += "  ...\n";
        break;
      }
      out += "  in " + simulator::demangled(std::string(at->of->of->name));
      if (at->caller)
        out +=
            ", called at " + place(g, at->caller->of->insts[at->returnTo - 1]);
      out += "\n";
    }
  }
  return out;
}

/// What each lane of the block waits for.
std::string describeDeadlock(const Block &b, const char *what) {
  std::string out = std::string("DEADLOCK: ") + what + "\n";
  unsigned told = 0;
  for (unsigned n = 0; n != b.count; ++n) {
    const Warp &w = *b.warps[n];
    if (w.done())
      continue;
    if (++told > 8) {
      out += "  ... and other warps\n";
      break;
    }
    std::string name = "  warp " + std::to_string(n) + ", ";
    uint32_t left = w.live;
    for (const Group &g : w.groups) {
      if (g.is == Group::Free)
        continue;
      left &= ~g.lanes;
      const Inst &i = g.at->of->insts[g.pc];
      out += name + lanes(g.lanes);
      if (g.is == Group::AtSync) {
        char mask[16];
        snprintf(mask, sizeof(mask), "%#x", g.syncMask);
        uint32_t missing = g.syncMask & w.live & ~g.lanes;
        out += ": wait at " + place(b.grid, i) + " for the mask " + mask +
               "; missing: " + lanes(missing) + "\n";
      } else if (g.is == Group::Ready) {
        out += ": go round in a circle at " + place(b.grid, i) + "\n";
      } else {
        out += ": wait at barrier " + std::to_string(g.barrier) + ", " +
               place(b.grid, i) + "\n";
      }
    }
    // The others wait at reconvergence points, which hang on those that do not
    // come.
    std::set<const Meeting *> seen;
    for (const Group &g : w.groups)
      for (const Meeting *m = g.is == Group::Free ? nullptr : g.next; m;
           m = m->outer) {
        if (!seen.insert(m).second || !(m->arrived & left))
          continue;
        const Code &c = *(m->isReturn ? m->at->caller : m->at)->of;
        out += name + lanes(m->arrived & left) + ": wait for " +
               lanes(m->expected & ~m->arrived) +
               (m->isReturn ? " to return from the call at "
                            : " to come out of the branch at ") +
               place(b.grid, c.insts[m->madeAt]) + "\n";
        left &= ~m->arrived;
      }
  }
  return out;
}

} // namespace ptx
