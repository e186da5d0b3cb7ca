// Keeping visits and hidden memory apart
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/visit.h"
#include "devices/device.h"

#include <shared_mutex>

namespace xcc::rt {

/// How many visits of this thread are nested.
static thread_local constinit unsigned visiting = 0;

static std::shared_mutex &visits() {
  // Never freed: threads may launch until the process ends.
  static auto &m = *new std::shared_mutex;
  return m;
}

Visit::Visit(const Device &on) : counts(false) { resume(on); }

void Visit::resume(const Device &on) {
  counts = on.hidesOriginals();
  if (counts && visiting++ == 0)
    visits().lock_shared();
}

void Visit::end() {
  if (!counts)
    return;
  counts = false;
  if (--visiting == 0)
    visits().unlock_shared();
}

NoVisits::NoVisits() : locked(visiting == 0) {
  if (locked)
    visits().lock();
}

NoVisits::~NoVisits() {
  if (locked)
    visits().unlock();
}

} // namespace xcc::rt
