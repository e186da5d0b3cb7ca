// Where an address leads to, if a thread may go there
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace ptx {

using namespace xcc::rt::cuda;

const Windows &windows() {
  static const Windows W = [] {
    // Addresses of our own that nothing else gets.
    auto At = reinterpret_cast<uint64_t>(
        mmap(nullptr, 5 * Windows::Size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (At == ~uint64_t(0))
      abort();
    At = (At + Windows::Size - 1) & ~(Windows::Size - 1);
    return Windows{At, At + Windows::Size, At + 2 * Windows::Size,
                   At + 3 * Windows::Size};
  }();
  return W;
}

static const char *nameOf(Space S) {
  switch (S) {
  case Space::Global:
    return "global ";
  case Space::Const:
    return "constant ";
  case Space::Shared:
    return "shared ";
  case Space::Local:
    return "local ";
  case Space::Param:
    return "parameter ";
  case Space::Generic:
    return "";
  }
  return "";
}

void Warp::misaligned(uint64_t Address, unsigned Bytes, unsigned Lane) {
  char Text[120];
  snprintf(Text, sizeof(Text), "%#llx is not aligned for an access of %u bytes",
           (unsigned long long)Address, Bytes);
  fault(MisalignedAddress, Text, uint32_t(1) << Lane);
}

void Warp::badAddress(uint64_t Address, unsigned Bytes, Space S, bool Write,
                      unsigned Lane) {
  const Windows &Win = windows();
  char Text[160];
  snprintf(Text, sizeof(Text),
           "%s of %u bytes of %smemory at %#llx: ", Write ? "write" : "read",
           Bytes, nameOf(S), (unsigned long long)Address);
  std::string Why = Text;
  auto Local = [&](uint64_t Raw) {
    if (Raw >= LocalTop)
      return std::string("beyond the thread's stack");
    if (LocalTop - Raw <= Stack)
      return "below the thread's stack pointer, by " +
             std::to_string(Sp[Lane] - Raw) +
             " bytes: of a function that has returned?";
    return std::string("below the thread's stack of ") + std::to_string(Stack) +
           " bytes";
  };
  auto Shared = [&] {
    return "the block has " + std::to_string(In.In.SharedBytes) +
           " bytes of shared memory";
  };
  if (S == Space::Local)
    Why += Local(Address);
  else if (S == Space::Shared)
    Why += Shared();
  else if (S == Space::Generic && Address - Win.Local < Windows::Size)
    Why += "local memory, " + Local(Address - Win.Local);
  else if (Address - Win.Shared < Windows::Size)
    Why += S == Space::Generic
               ? "shared memory at " + std::to_string(Address - Win.Shared) +
                     ", and " + Shared()
               : "an address of shared memory";
  else if (Address - Win.Local < Windows::Size)
    Why += "an address of local memory";
  else if (Address - Win.Param < Windows::Size)
    Why += "an address of the kernel's parameters";
  else if (Address - Win.Functions < Windows::Size)
    Why += "an address of a function";
  else
    Why += In.In.Mem.describe(Address);
  fault(IllegalAddress, Why, uint32_t(1) << Lane);
}

char *Warp::reachLocal(uint64_t Raw, unsigned Bytes, unsigned Lane) {
  // Below the stack pointer is what functions that have returned had.
  if (Raw < Sp[Lane] || Raw + Bytes > LocalTop)
    return nullptr;
  return Local + Stack * Lane + (Raw - (LocalTop - Stack));
}

char *Warp::reachGlobal(uint64_t Address, unsigned Bytes, bool Write) {
  uint64_t Version = In.In.Mem.Version.load(std::memory_order_acquire);
  if (Version != KnownVersion) [[unlikely]] {
    for (Range &R : Known)
      R = {};
    KnownVersion = Version;
  }
  for (Range &R : Known)
    if (Address - R.Begin < R.Size && Bytes <= R.Size - (Address - R.Begin) &&
        !(Write && R.Constant))
      return reinterpret_cast<char *>(Address);
  Range New;
  if (!In.In.Mem.find(Address, New) ||
      Bytes > New.Size - (Address - New.Begin) || (Write && New.Constant))
    return nullptr;
  Known[KnownNext++ % 4] = New;
  return reinterpret_cast<char *>(Address);
}

template <bool Write>
char *Warp::reachAny(uint64_t Address, unsigned Bytes, Space S, unsigned Lane) {
  if (Address & (Bytes - 1)) [[unlikely]]
    misaligned(Address, Bytes, Lane);
  const Windows &Win = windows();
  char *Found = nullptr;
  switch (S) {
  case Space::Generic:
    if (Address - Win.Local < Windows::Size)
      Found = reachLocal(Address - Win.Local, Bytes, Lane);
    else if (Address - Win.Shared < Windows::Size)
      return reachAny<Write>(Address - Win.Shared, Bytes, Space::Shared, Lane);
    else if (!Write && Address - Win.Param < Windows::Size)
      return reachAny<Write>(Address - Win.Param, Bytes, Space::Param, Lane);
    else
      Found = reachGlobal(Address, Bytes, Write);
    break;
  case Space::Global:
  case Space::Const:
    Found = reachGlobal(Address, Bytes, Write);
    break;
  case Space::Shared:
    if (Address >= In.In.K.SharedBase && Address + Bytes <= In.In.SharedBytes)
      Found = In.Shared.data() + Address;
    if (Found && In.Races.on()) [[unlikely]]
      In.checkRace(*this, Address, Bytes, Write, Lane);
    break;
  case Space::Local:
    Found = reachLocal(Address, Bytes, Lane);
    break;
  case Space::Param:
    if (!Write && Address + Bytes <= In.In.Kernarg.size())
      Found = const_cast<char *>(In.In.Kernarg.data()) + Address;
    break;
  }
  if (!Found) [[unlikely]]
    badAddress(Address, Bytes, S, Write, Lane);
  return Found;
}
/// Volatile accesses are as good as atomic ones here.
void Block::checkRace(Warp &W, uint64_t At, unsigned Bytes, bool Write,
                      unsigned Lane) {
  using simulator::Races;
  Races::Race Found;
  bool Strong = W.Doing && W.Doing->Strong;
  Races::Kind How = Write    ? Strong ? Races::Atomic : Races::Write
                    : Strong ? Races::AtomicRead
                             : Races::Read;
  uint32_t Thread = W.Index * WarpSize + Lane;
  if (!this->Races.touch(At, Bytes, How, {Thread, W.Index, W.Synced, W.Doing},
                         Found) ||
      !In.Raced.insert(W.Doing).second)
    return;
  std::string Text = "a race: thread " + std::to_string(Found.Other.Thread) +
                     " " + simulator::done(Found.OtherKind);
  if (Found.Other.Place)
    Text += ", at " + place(In, *static_cast<const Inst *>(Found.Other.Place)) +
            ",";
  Text += " shared memory that thread " + std::to_string(Thread) + " " +
          simulator::does(How) + " with no barrier in between";
  In.note(W, Text);
}

template char *Warp::reachAny<true>(uint64_t, unsigned, Space, unsigned);
template char *Warp::reachAny<false>(uint64_t, unsigned, Space, unsigned);

} // namespace ptx
