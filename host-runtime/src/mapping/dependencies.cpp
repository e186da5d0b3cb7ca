// Dependencies between queues
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/dependencies.h"

#include <algorithm>

namespace xcc::rt {

/// The number of dependencies from which useless ones are removed.
static constexpr size_t Few = 64;
/// The most dependencies of one queue on another that are kept apart.
static constexpr size_t MostOfPair = 64;

static bool holdsFor(const Dependency &d, const Queue *queue, uint64_t upTo) {
  return !queue || (d.waits == queue && d.since <= upTo);
}

/// Does the dependency lead to memory in flight that has to be copied back?
static bool brings(const Dependency &d) {
  for (const Entry *e : d.other->inFlight)
    for (const Use &use : e->uses)
      if (!e->isHeld() && use.queue == d.queue && use.last <= d.upTo)
        return true;
  return false;
}

/// Removes dependencies that lead to no memory to copy back, directly or
/// through others.
static void prune() {
  std::vector<Dependency *> useless;
  for (MappedMemory *memory : allMapped())
    for (Dependency &d : memory->dependencies)
      if (!brings(d))
        useless.push_back(&d);
  auto leads = [&](const Dependency &from) {
    for (const Dependency &to : from.other->dependencies)
      if (holdsFor(to, from.queue, from.upTo) &&
          std::find(useless.begin(), useless.end(), &to) == useless.end())
        return true;
    return false;
  };
  for (bool more = true; more;) {
    size_t before = useless.size();
    std::erase_if(useless, [&](const Dependency *d) { return leads(*d); });
    more = useless.size() != before;
  }
  for (MappedMemory *memory : allMapped())
    std::erase_if(memory->dependencies, [&](const Dependency &d) {
      return std::find(useless.begin(), useless.end(), &d) != useless.end();
    });
}

/// Merges the dependencies of one queue on another, if there are many.
static void merge(MappedMemory &memory, Queue *waits, Queue *queue) {
  auto &all = memory.dependencies;
  auto isSame = [&](const Dependency &d) {
    return d.waits == waits && d.queue == queue;
  };
  if (size_t(std::count_if(all.begin(), all.end(), isSame)) <= MostOfPair)
    return;
  auto first = std::find_if(all.begin(), all.end(), isSame);
  for (auto d = first + 1; d != all.end(); ++d)
    if (isSame(*d)) {
      first->since = std::min(first->since, d->since);
      first->upTo = std::max(first->upTo, d->upTo);
    }
  first->merged = true;
  Dependency one = *first;
  std::erase_if(all, isSame);
  all.push_back(one);
}

void remember(MappedMemory &memory, const Dependency &d) {
  auto &all = memory.dependencies;
  for (const Dependency &known : all)
    if (known.waits == d.waits && known.queue == d.queue &&
        known.since <= d.since && known.upTo >= d.upTo)
      return;
  all.push_back(d);
  if (all.size() < memory.mostDependencies)
    return;
  prune();
  if (all.size() >= Few)
    merge(memory, d.waits, d.queue);
  memory.mostDependencies = std::max(Few, 2 * all.size());
}

bool takeDependency(MappedMemory &memory, const Queue *queue, uint64_t upTo,
                    Dependency &out) {
  auto &all = memory.dependencies;
  auto d = std::find_if(all.begin(), all.end(), [&](const Dependency &d) {
    return holdsFor(d, queue, upTo);
  });
  if (d == all.end())
    return false;
  out = *d;
  all.erase(d);
  return true;
}

} // namespace xcc::rt
