// thread_local variables that images share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "thread_locals.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace xcc::rt::cpu {

void *ThreadLocals::find(const xcc_cpu_thread_local &variable) try {
  void *&place = places[&variable];
  if (place)
    return place;
  size_t align = std::max<size_t>(variable.align, alignof(std::max_align_t));
  size_t size = (variable.size + align - 1) / align * align;
  place = aligned_alloc(align, std::max(size, align));
  if (place && variable.initial)
    memcpy(place, variable.initial, variable.size);
  else if (place)
    memset(place, 0, variable.size);
  return place;
} catch (const std::bad_alloc &) {
  return nullptr;
}

bool ThreadLocals::atExit(void (*destroy)(void *), void *object) try {
  exits.push_back({destroy, object});
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

void ThreadLocals::runExits() {
  while (!exits.empty()) {
    Exit last = exits.back();
    exits.pop_back();
    last.destroy(last.object);
  }
}

void ThreadLocals::forget() {
  exits.clear();
  for (auto &[variable, place] : places)
    free(place);
  places.clear();
}

} // namespace xcc::rt::cpu
