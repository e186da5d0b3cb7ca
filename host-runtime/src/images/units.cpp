// The linked units of the process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "units.h"
#include "generation/generator.h"

#include <atomic>
#include <mutex>
#include <set>

namespace xcc::rt {

/// The end of the list, so that a null link means "not in the list".
static constinit xcc_binary end{};
static constinit std::atomic<xcc_binary *> head{&end};
/// Held by a thread that walks the list or removes a unit. Registering needs no
/// lock: it only changes the head, and runs before main.
static constinit std::mutex listMutex;

Bytes sectionOf(const xcc_binary &unit) {
  auto begin = reinterpret_cast<uintptr_t>(unit.images_begin);
  auto last = reinterpret_cast<uintptr_t>(unit.images_end);
  if (!begin || last <= begin)
    return Bytes();
  return Bytes(unit.images_begin, last - begin);
}

void rememberUnit(xcc_binary &unit) {
  if (unit.next)
    return;
  xcc_binary *first = head.load(std::memory_order_relaxed);
  do
    unit.next = first;
  while (!head.compare_exchange_weak(first, &unit, std::memory_order_release,
                                     std::memory_order_relaxed));
}

void forgetUnit(xcc_binary &unit) {
  std::lock_guard lock(listMutex);
  if (!unit.next)
    return;
  xcc_binary *expected = &unit;
  if (!head.compare_exchange_strong(expected, unit.next)) {
    // Units that were registered meanwhile come before this one.
    xcc_binary *before = expected;
    while (before != &end && before->next != &unit)
      before = before->next;
    if (before != &end)
      before->next = unit.next;
  }
  unit.next = nullptr;
}

void visitUnits(const std::function<void(xcc_binary &)> &visit) {
  std::lock_guard lock(listMutex);
  for (xcc_binary *u = head.load(std::memory_order_acquire); u != &end;
       u = u->next)
    visit(*u);
}

/// Calls \p visit for each unit until it returns true. Returns whether it did.
template <class Fn> static bool anyUnit(Fn visit) {
  std::lock_guard lock(listMutex);
  for (const xcc_binary *u = head.load(std::memory_order_acquire); u != &end;
       u = u->next)
    if (visit(*u))
      return true;
  return false;
}

bool programHolds(const char *triplePrefix) {
  return anyUnit([&](const xcc_binary &u) {
    OffloadReader reader(sectionOf(u));
    OffloadImage i;
    while (reader.next(i))
      if (std::string_view(i.triple).starts_with(triplePrefix))
        return true;
    return false;
  });
}

bool runsEveryUnit(Device &d) {
  return !anyUnit([&](const xcc_binary &u) {
    OffloadReader reader(sectionOf(u));
    OffloadImage i;
    bool suits = false, holds = false;
    OffloadImage portable;
    while (reader.next(i)) {
      const char *missing = nullptr;
      holds = true;
      suits |= d.suits(i, missing) > 0;
      if (isPortableFor(i, d))
        portable = i;
    }
    if (!suits && portable.portable())
      suits = generatorIsAvailable(portable);
    return holds && !suits && !reader.error();
  });
}

const char *whyNotGenerated(std::span<Device *const> devices) {
  const char *why = nullptr;
  anyUnit([&](const xcc_binary &u) {
    OffloadReader reader(sectionOf(u));
    OffloadImage i;
    while (reader.next(i))
      for (Device *d : devices)
        if (isPortableFor(i, *d) && (why = openGenerator(i)))
          return true;
    return false;
  });
  return why;
}

std::string archsHeld(std::span<Device *const> devices) {
  std::set<std::string> archs;
  anyUnit([&](const xcc_binary &u) {
    OffloadReader reader(sectionOf(u));
    OffloadImage i;
    while (reader.next(i)) {
      std::string text = *i.arch ? i.arch : "(no arch)";
      for (Device *d : devices) {
        const char *missing = nullptr;
        if (!d->suits(i, missing) && missing && missing != i.arch)
          text = text + " (needs " + missing + ")";
      }
      archs.insert(std::move(text));
    }
    return false;
  });
  std::string out;
  for (const std::string &a : archs)
    out += (out.empty() ? "" : ", ") + a;
  return out;
}

} // namespace xcc::rt
