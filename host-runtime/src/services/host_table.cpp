// Host functions that device code calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host_table.h"
#include "xcc/runtime.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

namespace xcc::rt {

// Constant-initialised, because tables are registered before main in any order.
static constinit std::shared_mutex tableMutex;
static constinit xcc_host_table *tables = nullptr;

const xcc_host_entry *findHostEntry(uint64_t id) {
  std::shared_lock lock(tableMutex);
  for (const xcc_host_table *t = tables; t; t = t->next) {
    const xcc_host_entry *end = t->entries + t->count;
    const xcc_host_entry *found = std::lower_bound(
        t->entries, end, id,
        [](const xcc_host_entry &e, uint64_t wanted) { return e.id < wanted; });
    if (found != end && found->id == id)
      return found;
  }
  return nullptr;
}

} // namespace xcc::rt

using namespace xcc::rt;

extern "C" void xcc_host_table_register(xcc_host_table *table) {
  std::unique_lock lock(tableMutex);
  table->next = tables;
  tables = table;
}

extern "C" void xcc_host_table_unregister(xcc_host_table *table) {
  std::unique_lock lock(tableMutex);
  for (xcc_host_table **at = &tables; *at; at = &(*at)->next)
    if (*at == table) {
      *at = table->next;
      return;
    }
}
