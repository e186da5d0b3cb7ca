// The table that the instruction files fill
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_SEMANTICS_H
#define XCC_TEST_SIMULATOR_AMDGCN_SEMANTICS_H

#include "instruction.h"

#include <unordered_map>

namespace amdgcn {

class Table {
public:
  /// Under each of the names, which blanks separate: one operation has had
  /// several names through the generations.
  void add(std::string_view Names, const Semantics &S);
  const Semantics *find(std::string_view Name) const {
    auto Found = Map.find(Name);
    return Found == Map.end() ? nullptr : &Found->second;
  }
  size_t size() const { return Map.size(); }

private:
  std::unordered_map<std::string_view, Semantics> Map;
};

/// A name that was put together: the table keeps views.
inline std::string_view keep(std::string Name) {
  return *new std::string(std::move(Name));
}

// One for each file of instructions.
void addScalar(Table &T);
void addControl(Table &T);
void addVectorInteger(Table &T);
void addVectorFloat(Table &T);
void addVectorConvert(Table &T);
void addVectorCompare(Table &T);
void addVectorPacked(Table &T);
void addVectorLanes(Table &T);
void addGlobal(Table &T);
void addLds(Table &T);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_SEMANTICS_H
