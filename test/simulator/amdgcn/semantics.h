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
  void add(std::string_view names, const Semantics &s);
  const Semantics *find(std::string_view name) const {
    auto found = map.find(name);
    return found == map.end() ? nullptr : &found->second;
  }
  /// Calls F(name, semantics) for each.
  template <class F> void each(F body) const {
    for (auto &[name, s] : map)
      body(name, s);
  }

private:
  std::unordered_map<std::string_view, Semantics> map;
};

/// All instructions.
const Table &allSemantics();

/// A name that was put together: the table keeps views.
inline std::string_view keep(std::string name) {
  return *new std::string(std::move(name));
}

// One for each file of instructions.
void addScalar(Table &t);
void addControl(Table &t);
void addVectorInteger(Table &t);
void addVectorFloat(Table &t);
void addVectorExtremes(Table &t);
void addVectorConvert(Table &t);
void addVectorCompare(Table &t);
void addVectorPacked(Table &t);
void addVectorLanes(Table &t);
void addGlobal(Table &t);
void addLds(Table &t);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_SEMANTICS_H
