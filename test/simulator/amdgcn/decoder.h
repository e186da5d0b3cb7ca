// From bytes to an instruction
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_DECODER_H
#define XCC_TEST_SIMULATOR_AMDGCN_DECODER_H

#include "instruction.h"

#include <deque>
#include <memory>

namespace amdgcn {

/// For one processor and width of its waves. Not thread-safe.
class Decoder {
public:
  Decoder(const std::string &Processor, unsigned Lanes);
  ~Decoder();
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;

  /// The instruction at an address; lives as long as the decoder. One that
  /// cannot be decoded has a Problem and reports it when it is run.
  const Instruction *decode(const uint8_t *Bytes, size_t Size, uint64_t Pc);

  /// Takes a text apart, for tests too.
  static void parse(std::string_view Text, Instruction &Out);

private:
  void *Context;
  std::string Processor;
  std::deque<Instruction> Kept;
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_DECODER_H
