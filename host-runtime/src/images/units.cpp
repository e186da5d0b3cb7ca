// The linked units of the process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "units.h"

#include <atomic>
#include <mutex>
#include <set>

namespace xcc::rt {

/// Ends the list, so that a null link means "not in the list".
static constinit xcc_binary End{};
static constinit std::atomic<xcc_binary *> Head{&End};
/// Held by whoever walks the list or takes a unit off it. Registering does
/// without: it only ever changes the head, and runs before main.
static constinit std::mutex ListMutex;

Bytes sectionOf(const xcc_binary &Unit) {
  auto Begin = reinterpret_cast<uintptr_t>(Unit.images_begin);
  auto Last = reinterpret_cast<uintptr_t>(Unit.images_end);
  if (!Begin || Last <= Begin)
    return Bytes();
  return Bytes(Unit.images_begin, Last - Begin);
}

void rememberUnit(xcc_binary &Unit) {
  if (Unit.next)
    return;
  xcc_binary *First = Head.load(std::memory_order_relaxed);
  do
    Unit.next = First;
  while (!Head.compare_exchange_weak(First, &Unit, std::memory_order_release,
                                     std::memory_order_relaxed));
}

void forgetUnit(xcc_binary &Unit) {
  std::lock_guard Lock(ListMutex);
  if (!Unit.next)
    return;
  xcc_binary *Expected = &Unit;
  if (!Head.compare_exchange_strong(Expected, Unit.next)) {
    // Units registered meanwhile are before this one.
    xcc_binary *Before = Expected;
    while (Before != &End && Before->next != &Unit)
      Before = Before->next;
    if (Before != &End)
      Before->next = Unit.next;
  }
  Unit.next = nullptr;
}

/// Calls \p Visit for each unit until it returns true; was there one?
template <class Fn> static bool anyUnit(Fn Visit) {
  std::lock_guard Lock(ListMutex);
  for (const xcc_binary *U = Head.load(std::memory_order_acquire); U != &End;
       U = U->next)
    if (Visit(*U))
      return true;
  return false;
}

bool programHolds(const char *TriplePrefix) {
  return anyUnit([&](const xcc_binary &U) {
    OffloadReader Reader(sectionOf(U));
    OffloadImage I;
    while (Reader.next(I))
      if (std::string_view(I.Triple).starts_with(TriplePrefix))
        return true;
    return false;
  });
}

bool suitsEveryUnit(Device &D) {
  return !anyUnit([&](const xcc_binary &U) {
    OffloadReader Reader(sectionOf(U));
    OffloadImage I;
    bool Suits = false, Holds = false;
    while (Reader.next(I)) {
      const char *Missing = nullptr;
      Holds = true;
      Suits |= D.suits(I, Missing) > 0;
    }
    return Holds && !Suits && !Reader.error();
  });
}

std::string archsHeld(std::span<Device *const> Devices) {
  std::set<std::string> Archs;
  anyUnit([&](const xcc_binary &U) {
    OffloadReader Reader(sectionOf(U));
    OffloadImage I;
    while (Reader.next(I)) {
      std::string Text = *I.Arch ? I.Arch : "(no arch)";
      for (Device *D : Devices) {
        const char *Missing = nullptr;
        if (!D->suits(I, Missing) && Missing && Missing != I.Arch)
          Text = Text + " (needs " + Missing + ")";
      }
      Archs.insert(std::move(Text));
    }
    return false;
  });
  std::string Out;
  for (const std::string &A : Archs)
    Out += (Out.empty() ? "" : ", ") + A;
  return Out;
}

} // namespace xcc::rt
