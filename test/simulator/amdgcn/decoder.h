// From bytes to an instruction
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_DECODER_H
#define XCC_TEST_SIMULATOR_AMDGCN_DECODER_H

#include "instruction.h"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

namespace amdgcn {

/// For one processor and width of its waves. Not thread-safe.
class Decoder {
public:
  Decoder(const std::string &processor, unsigned lanes);
  ~Decoder();
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;

  /// The instruction at an address; lives as long as the decoder. One that
  /// cannot be decoded has a problem and reports it when it is run.
  const Instruction *decode(const uint8_t *bytes, size_t size, uint64_t pc);

  /// Takes a text apart, for tests too.
  static void parse(std::string_view text, Instruction &out);

private:
  struct Text {
    std::string is;
    uint32_t bytes = 0; ///< 0: they are no instruction
  };
  const Text &textOf(const uint8_t *bytes, size_t size);

  void *context;
  std::string processor;
  std::deque<Instruction> kept;
  std::unordered_map<std::string, Text> texts; ///< of encodings
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_DECODER_H
