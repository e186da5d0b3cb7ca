// What is said of a launch that failed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dispatch.h"

#include <cinttypes>
#include <cstdio>

namespace amdgcn {

/// What runs an instruction that could not be decoded or is not known.
void reportProblem(Wave &w, const Instruction &i) {
  w.stop(Stop::Illegal, i.problem);
}

const char *kindOf(Stop::Kind k) {
  switch (k) {
  case Stop::Trap:
    return "TRAP";
  case Stop::MemoryFault:
    return "MEMORY FAULT";
  case Stop::Aperture:
    return "APERTURE VIOLATION";
  case Stop::Illegal:
    return "ILLEGAL INSTRUCTION";
  case Stop::Hang:
    return "DEADLOCK";
  }
  return "";
}

static std::string format(const char *format, auto... values) {
  char text[400];
  snprintf(text, sizeof(text), format, values...);
  return text;
}

void trace(const Wave &w) {
  const Instruction &i = *w.current;
  uint64_t exec = w.exec();
  fprintf(stderr, "%u,%u,%u:%u %-60s", w.group.id[0], w.group.id[1],
          w.group.id[2], w.number, i.text.c_str());
  const Operand &to = i.op[0];
  unsigned lane = exec ? unsigned(__builtin_ctzll(exec)) : 0;
  for (unsigned n = to.count; n--;)
    if (to.k == Operand::Vector)
      fprintf(stderr, " %08x", const_cast<Wave &>(w).row(to.reg + n)[lane]);
    else if (to.k == Operand::Scalar)
      fprintf(stderr, " %08x", w.s[to.reg + n]);
  fprintf(stderr, "  scc %d, exec %" PRIx64 "\n", w.scc, exec);
}

/// Where a wave is.
std::string Dispatch::describe(const Wave &w) const {
  const Workgroup &g = w.group;
  std::string text = format("  workgroup (%u, %u, %u), wave %u", g.id[0],
                            g.id[1], g.id[2], w.number);
  const Instruction *i = w.current;
  if (!i)
    return text + ", before its first instruction\n";
  text += format(", exec %#" PRIx64 ", pc %#" PRIx64 "\n    ", w.exec(), i->pc);
  return text + i->text + "\n    in " + code.describe(i->pc) + "\n";
}

simulator::Finding Dispatch::finding(const Instruction *i, const char *kind,
                                     std::string message) const {
  simulator::Finding f{kind, name, {}, "", 0, std::move(message)};
  if (!i)
    return f;
  if (std::string in = code.functionAt(i->pc); !in.empty())
    f.functions.push_back(in);
  const std::string line = code.lineAt(i->pc);
  if (const size_t colon = line.rfind(':'); colon != line.npos) {
    f.file = line.substr(0, colon);
    f.line = atoi(line.c_str() + colon + 1);
  }
  return f;
}

/// A wave's instructions are done in order. Atomic loads and stores are code
/// like any other, so that only operations are taken for atomic.
void Dispatch::checkRace(const Wave &w, unsigned lane, uint64_t at,
                         unsigned size, Access how) {
  using simulator::Races;
  Races::Kind kind = how == Access::Read    ? Races::Read
                     : how == Access::Write ? Races::Write
                                            : Races::AtomicRead;
  uint32_t thread = w.number * w.lanes + lane;
  Races::Race found;
  if (!w.group.races.touch(at, size, kind,
                           {thread, w.number, uint32_t(w.retired), w.current},
                           found) ||
      !raced.insert(w.current).second)
    return;
  const auto &other = *static_cast<const Instruction *>(found.other.place);
  std::string text = format(
      "a race: thread %u %s shared memory that thread %u %s with no barrier in "
      "between\n",
      found.other.thread, simulator::done(found.otherKind), thread,
      kind == Races::AtomicRead ? "changes by an atomic operation"
                                : simulator::does(kind));
  text += describe(w) + "  before\n    " + other.text + "\n    in " +
          code.describe(other.pc) + "\n";
  notes += text;
  fprintf(stderr, "simulator: note: kernel %s: %s",
          simulator::demangled(name).c_str(), text.c_str());
}

/// The resident waves by what they are doing, the same ones once.
std::string Dispatch::whereAll() const {
  std::string text;
  unsigned shown = 0;
  std::map<std::pair<const Instruction *, int>, unsigned> seen;
  for (auto &g : resident)
    for (auto &w : g->waves)
      ++seen[{w->current, w->is}];
  for (auto &[what, count] : seen) {
    if (what.second == Wave::Ended)
      continue;
    if (++shown > 8)
      return text + "  ...\n";
    text += format("  %u wave%s %s at ", count, count == 1 ? "" : "s",
                   what.second == Wave::AtBarrier ? "wait for the barrier"
                   : what.second == Wave::Halted  ? "are halted"
                                                  : "run in a circle");
    if (!what.first)
      text += "their entry\n";
    else
      text +=
          what.first->text + "\n    in " + code.describe(what.first->pc) + "\n";
  }
  return text;
}

std::string Dispatch::report(const Stop &why) const {
  std::string text = format("simulator: %s: ", kindOf(why.k)) + why.what + "\n";
  if (why.k == Stop::MemoryFault)
    text += format("  address %#" PRIx64 "\n", why.address);
  if (why.lane >= 0)
    text += format("  lane %d\n", why.lane);
  text +=
      "  kernel " + simulator::demangled(name) +
      format(" on %s, a grid of (%u, %u, %u) workgroups of (%u, %u, %u), "
             "%u lanes to a wave\n",
             code.arch.name.c_str(), unsigned(groups[0]), unsigned(groups[1]),
             unsigned(groups[2]), packet.workgroupSize[0],
             packet.workgroupSize[1], packet.workgroupSize[2], lanes);
  if (failed)
    text += describe(*failed);
  else
    text += whereAll();
  return text;
}

} // namespace amdgcn
