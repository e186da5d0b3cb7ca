// A linked unit made in memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launch kernels the compiler has not made: this builds what a linked
// unit would hold, from an image compiled beside the tests.

#ifndef XCC_TEST_UNIT_H
#define XCC_TEST_UNIT_H

#include "src/images/kernel_row.h"
#include "xcc/runtime.h"

#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace xcc::test {

/// The strings of an OffloadBinary, in order.
using Strings = std::vector<std::pair<std::string, std::string>>;

/// FNV-1a of 64 bits, in hexadecimal.
inline std::string hashText(const std::string &Data) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (unsigned char C : Data)
    Hash = (Hash ^ C) * 0x100000001b3u;
  char Text[17];
  snprintf(Text, sizeof(Text), "%016llx",
           static_cast<unsigned long long>(Hash));
  return Text;
}

/// One OffloadBinary of version 1, padded to a multiple of 8 bytes.
inline std::string writeOffloadBinary(const std::string &Image,
                                      const Strings &Map,
                                      uint16_t ImageKind = 1) { // object
  std::string Out(32 + 40 + Map.size() * 16, '\0');
  auto Put = [&Out](size_t At, auto Value) {
    memcpy(&Out[At], &Value, sizeof(Value));
  };
  for (size_t I = 0; I != Map.size(); ++I) {
    Put(72 + I * 16, uint64_t(Out.size()));
    Out += Map[I].first + '\0';
    Put(72 + I * 16 + 8, uint64_t(Out.size()));
    Out += Map[I].second + '\0';
  }
  Out.resize((Out.size() + 7) / 8 * 8);
  uint64_t ImageOffset = Out.size();
  Out += Image;
  Out.resize((Out.size() + 7) / 8 * 8);
  memcpy(&Out[0], "\x10\xFF\x10\xAD", 4);
  Put(4, uint32_t(1));
  Put(8, uint64_t(Out.size()));
  Put(16, uint64_t(32));
  Put(24, uint64_t(40));
  Put(32, ImageKind);
  Put(34, uint16_t(0));
  Put(36, uint32_t(0));
  Put(40, uint64_t(72));
  Put(48, uint64_t(Map.size()));
  Put(56, ImageOffset);
  Put(64, uint64_t(Image.size()));
  return Out;
}

inline std::string readFile(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

/// A kernel table; descriptors made here have that fingerprint.
inline std::string kernelRows(std::vector<rt::KernelRow> Rows) {
  rt::KernelTableWriter Table;
  for (rt::KernelRow &Row : Rows) {
    Row.fingerprint = 0x1234;
    Table.add(Row);
  }
  return Table.text();
}

inline Strings imageStrings(const std::string &Image,
                            const std::string &Arch = "x86-64-v2") {
  return {
      {"triple", "x86_64-pc-linux-gnu"},
      {"arch", Arch},
      {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
      {"xcc.hash", hashText(Image)},
      {"xcc.kernels", kernelRows({{.symbol = "k_nothing", .name = "nothing"},
                                  {.symbol = "k_increment",
                                   .name = "increment",
                                   .kernargSize = 8}})}};
}

/// A unit with descriptors made on demand. Unloads itself.
class Unit {
public:
  /// The image compiled beside the tests.
  Unit() : Unit(defaultSection()) {}
  explicit Unit(std::string TheSection) : Section(std::move(TheSection)) {
    // The section starts at a multiple of 8 as std::string's buffers do.
    Binary = {XCC_ABI_VERSION, 0,
              Section.data(),  Section.data() + Section.size(),
              nullptr,         nullptr,
              nullptr,         nullptr};
    xcc_binary_register(&Binary);
  }
  ~Unit() { xcc_binary_unload(&Binary); }
  Unit(const Unit &) = delete;

  static const std::string &defaultImage() {
    static const std::string Image = readFile(XCC_TEST_IMAGE);
    return Image;
  }
  static std::string defaultSection() {
    return writeOffloadBinary(defaultImage(), imageStrings(defaultImage()));
  }

  /// The descriptor of k_NAME. Not for several threads at once.
  xcc_kernel_info &kernel(const std::string &Name, uint32_t KernargSize = 0) {
    auto Found = ByName.find(Name);
    if (Found != ByName.end())
      return Found->second->Info;
    Kernels.emplace_back();
    Described &D = Kernels.back();
    D.Name = Name;
    D.Symbol = "k_" + Name;
    D.Info = {XCC_KERNEL_MAGIC,
              XCC_ABI_VERSION,
              D.Name.c_str(),
              D.Symbol.c_str(),
              "kernel.cpp",
              1,
              1,
              nullptr,
              nullptr,
              0,
              0,
              KernargSize,
              8,
              0x1234,
              &Binary,
              D.Slots};
    ByName[Name] = &D;
    return D.Info;
  }

  xcc_binary Binary;

private:
  struct Described {
    std::string Name, Symbol;
    void *Slots[XCC_KERNEL_SLOTS] = {};
    xcc_kernel_info Info;
  };
  std::string Section;
  std::deque<Described> Kernels;
  std::map<std::string, Described *> ByName;
};

/// A configuration of one dimension with this line as launch site.
inline xcc_launch_config config(uint32_t Grid, uint32_t Block,
                                xcc_stream *Stream = nullptr) {
  return {{Grid, 1, 1}, {Block, 1, 1}, 0, Stream, "test.cpp", 7};
}

/// Launches with one argument.
template <class T>
xcc_status launch(const xcc_kernel_info &Info, const xcc_launch_config &C,
                  const T &Argument) {
  return xcc_launch(&Info, &C, &Argument, sizeof(Argument));
}
inline xcc_status launch(const xcc_kernel_info &Info,
                         const xcc_launch_config &C) {
  return xcc_launch(&Info, &C, nullptr, 0);
}

} // namespace xcc::test
#endif // XCC_TEST_UNIT_H
