// The parts of entries that scopes hold
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that touch share an entry. When the scope that holds one of them
// ends, its part of the entry is removed. Otherwise a launch would find it,
// with addresses that lead to memory that was removed as well.
//
// Use all of this under mappingMutex; it may throw std::bad_alloc.

#ifndef XCC_SRC_MAPPING_HOLDINGS_H
#define XCC_SRC_MAPPING_HOLDINGS_H

#include "mapping/scope.h"

namespace xcc::rt {

/// Makes the scope hold these bytes of the entry.
void holdPart(xcc_scope &scope, Entry &e, const Span &part, bool single,
              std::string words = {});
/// Makes the scope hold everything to which addresses in its objects lead.
void holdReached(xcc_scope &scope);
/// Ends all holdings of the scope. \p gone gets the entries that no other scope
/// holds; they are still in the table. Nothing in flight may use the scope's
/// entries.
void releaseHoldings(xcc_scope &scope, std::vector<Entry *> &gone);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HOLDINGS_H
