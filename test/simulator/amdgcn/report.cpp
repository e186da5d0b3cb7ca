// What is said of a launch that failed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dispatch.h"

#include <cinttypes>
#include <cstdio>

namespace amdgcn {

/// What runs an instruction that could not be decoded or is not known.
void reportProblem(Wave &W, const Instruction &I) {
  W.stop(Stop::Illegal, I.Problem);
}

const char *kindOf(Stop::Kind K) {
  switch (K) {
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

static std::string format(const char *Format, auto... Values) {
  char Text[400];
  snprintf(Text, sizeof(Text), Format, Values...);
  return Text;
}

void trace(const Wave &W) {
  const Instruction &I = *W.Current;
  uint64_t Exec = W.exec();
  fprintf(stderr, "%u,%u,%u:%u %-60s", W.Group.Id[0], W.Group.Id[1],
          W.Group.Id[2], W.Number, I.Text.c_str());
  const Operand &To = I.Op[0];
  unsigned Lane = Exec ? unsigned(__builtin_ctzll(Exec)) : 0;
  for (unsigned N = To.Count; N--;)
    if (To.K == Operand::Vector)
      fprintf(stderr, " %08x", const_cast<Wave &>(W).row(To.Reg + N)[Lane]);
    else if (To.K == Operand::Scalar)
      fprintf(stderr, " %08x", W.S[To.Reg + N]);
  fprintf(stderr, "  scc %d, exec %" PRIx64 "\n", W.Scc, Exec);
}

/// Where a wave is.
std::string Dispatch::describe(const Wave &W) const {
  const Workgroup &G = W.Group;
  std::string Text = format("  workgroup (%u, %u, %u), wave %u", G.Id[0],
                            G.Id[1], G.Id[2], W.Number);
  const Instruction *I = W.Current;
  if (!I)
    return Text + ", before its first instruction\n";
  Text += format(", exec %#" PRIx64 ", pc %#" PRIx64 "\n    ", W.exec(), I->Pc);
  return Text + I->Text + "\n    in " + Code.describe(I->Pc) + "\n";
}

/// A wave's instructions are done in order. Atomic loads and stores are code
/// like any other, so that only operations are taken for atomic.
void Dispatch::checkRace(const Wave &W, unsigned Lane, uint64_t At,
                         unsigned Size, Access How) {
  using simulator::Races;
  Races::Kind Kind = How == Access::Read    ? Races::Read
                     : How == Access::Write ? Races::Write
                                            : Races::AtomicRead;
  uint32_t Thread = W.Number * W.Lanes + Lane;
  Races::Race Found;
  if (!W.Group.Races.touch(At, Size, Kind,
                           {Thread, W.Number, uint32_t(W.Retired), W.Current},
                           Found) ||
      !Raced.insert(W.Current).second)
    return;
  const auto &Other = *static_cast<const Instruction *>(Found.Other.Place);
  std::string Text = format(
      "a race: thread %u %s shared memory that thread %u %s with no barrier in "
      "between\n",
      Found.Other.Thread, simulator::done(Found.OtherKind), Thread,
      Kind == Races::AtomicRead ? "changes by an atomic operation"
                                : simulator::does(Kind));
  Text += describe(W) + "  before\n    " + Other.Text + "\n    in " +
          Code.describe(Other.Pc) + "\n";
  Notes += Text;
  fprintf(stderr, "simulator: note: kernel %s: %s", Name.c_str(), Text.c_str());
}

/// The resident waves by what they are doing, the same ones once.
std::string Dispatch::whereAll() const {
  std::string Text;
  unsigned Shown = 0;
  std::map<std::pair<const Instruction *, int>, unsigned> Seen;
  for (auto &G : Resident)
    for (auto &W : G->Waves)
      ++Seen[{W->Current, W->Is}];
  for (auto &[What, Count] : Seen) {
    if (What.second == Wave::Ended)
      continue;
    if (++Shown > 8)
      return Text + "  ...\n";
    Text += format("  %u wave%s %s at ", Count, Count == 1 ? "" : "s",
                   What.second == Wave::AtBarrier ? "wait for the barrier"
                   : What.second == Wave::Halted  ? "are halted"
                                                  : "run in a circle");
    if (!What.first)
      Text += "their entry\n";
    else
      Text +=
          What.first->Text + "\n    in " + Code.describe(What.first->Pc) + "\n";
  }
  return Text;
}

std::string Dispatch::report(const Stop &Why) const {
  std::string Text = format("simulator: %s: ", kindOf(Why.K)) + Why.What + "\n";
  if (Why.K == Stop::MemoryFault)
    Text += format("  address %#" PRIx64 "\n", Why.Address);
  if (Why.Lane >= 0)
    Text += format("  lane %d\n", Why.Lane);
  Text +=
      "  kernel " + Name +
      format(" on %s, a grid of (%u, %u, %u) workgroups of (%u, %u, %u), "
             "%u lanes to a wave\n",
             Code.Arch.Name.c_str(), unsigned(Groups[0]), unsigned(Groups[1]),
             unsigned(Groups[2]), Packet.workgroupSize[0],
             Packet.workgroupSize[1], Packet.workgroupSize[2], Lanes);
  if (Failed)
    Text += describe(*Failed);
  else
    Text += whereAll();
  return Text;
}

} // namespace amdgcn
