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

// Constant-initialised: tables come before main, in any order.
static constinit std::shared_mutex TableMutex;
static constinit xcc_host_table *Tables = nullptr;

const xcc_host_entry *findHostEntry(uint64_t Id) {
  std::shared_lock Lock(TableMutex);
  for (const xcc_host_table *T = Tables; T; T = T->next) {
    const xcc_host_entry *End = T->entries + T->count;
    const xcc_host_entry *Found = std::lower_bound(
        T->entries, End, Id,
        [](const xcc_host_entry &E, uint64_t Wanted) { return E.id < Wanted; });
    if (Found != End && Found->id == Id)
      return Found;
  }
  return nullptr;
}

} // namespace xcc::rt

using namespace xcc::rt;

extern "C" void xcc_host_table_register(xcc_host_table *Table) {
  std::unique_lock Lock(TableMutex);
  Table->next = Tables;
  Tables = Table;
}

extern "C" void xcc_host_table_unregister(xcc_host_table *Table) {
  std::unique_lock Lock(TableMutex);
  for (xcc_host_table **At = &Tables; *At; At = &(*At)->next)
    if (*At == Table) {
      *At = Table->next;
      return;
    }
}
