// Hiding host memory from kernels, for tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests on a device that could access host memory but must not. While a
// kernel runs, the host's copy of the memory it uses holds a pattern. A kernel
// that reads it through an untranslated address gets a visibly wrong result,
// and one that writes it is found.

#ifndef XCC_SRC_MAPPING_HIDDEN_H
#define XCC_SRC_MAPPING_HIDDEN_H

#include "mapping/collection.h"
#include "mapping/visit.h"

namespace xcc::rt {

/// The value of each hidden byte.
inline constexpr unsigned char HiddenByte = 0xDB;

/// Hides the ranges of a mapping from construction until restore() or
/// destruction. restore() fails if a hidden byte was written.
class Hidden {
public:
  explicit Hidden(const xcc_mapping &m);
  ~Hidden() { (void)putBack(); }
  Hidden(const Hidden &) = delete;
  xcc_status restore();

private:
  struct Piece {
    char *at;
    std::string bytes;
    uint32_t path;
  };
  const Piece *putBack();

  NoVisits alone;
  const xcc_mapping &m;
  std::vector<Piece> pieces;
  bool hides = true;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HIDDEN_H
