// Which bytes of entries scopes hold
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that touch share an entry. When the scope ends that holds one of them,
// its part of the entry goes: it would be found there, with addresses in it that
// lead to what has gone with it.
//
// Everything here is used under mappingMutex; may throw std::bad_alloc.

#ifndef XCC_SRC_MAPPING_HOLDINGS_H
#define XCC_SRC_MAPPING_HOLDINGS_H

#include "mapping/scope.h"

namespace xcc::rt {

/// The scope holds those bytes of the entry.
void holdPart(xcc_scope &scope, Entry &e, const Span &part, bool single,
              std::string words = {});
/// What the scope holds it holds with all that addresses in it lead to.
void holdReached(xcc_scope &scope);
/// The scope holds nothing any more; fills in the entries that no other holds,
/// which are still in the table. Nothing in flight may use the scope's entries.
void letGo(xcc_scope &scope, std::vector<Entry *> &gone);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HOLDINGS_H
