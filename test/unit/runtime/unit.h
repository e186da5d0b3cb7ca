// A linked unit made in memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launch kernels the compiler has not made: this builds what a linked
// unit would hold, from an image compiled beside the tests.

#ifndef XCC_TEST_UNIT_H
#define XCC_TEST_UNIT_H

#include "formats/kernel_row.h"
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
inline std::string hashText(const std::string &data) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : data)
    hash = (hash ^ c) * 0x100000001b3u;
  char text[17];
  snprintf(text, sizeof(text), "%016llx",
           static_cast<unsigned long long>(hash));
  return text;
}

/// One OffloadBinary of version 1, padded to a multiple of 8 bytes.
inline std::string writeOffloadBinary(const std::string &image,
                                      const Strings &map,
                                      uint16_t imageKind = 1) { // object
  std::string out(32 + 40 + map.size() * 16, '\0');
  auto put = [&out](size_t at, auto value) {
    memcpy(&out[at], &value, sizeof(value));
  };
  for (size_t i = 0; i != map.size(); ++i) {
    put(72 + i * 16, uint64_t(out.size()));
    out += map[i].first + '\0';
    put(72 + i * 16 + 8, uint64_t(out.size()));
    out += map[i].second + '\0';
  }
  out.resize((out.size() + 7) / 8 * 8);
  uint64_t imageOffset = out.size();
  out += image;
  out.resize((out.size() + 7) / 8 * 8);
  memcpy(&out[0], "\x10\xFF\x10\xAD", 4);
  put(4, uint32_t(1));
  put(8, uint64_t(out.size()));
  put(16, uint64_t(32));
  put(24, uint64_t(40));
  put(32, imageKind);
  put(34, uint16_t(0));
  put(36, uint32_t(0));
  put(40, uint64_t(72));
  put(48, uint64_t(map.size()));
  put(56, imageOffset);
  put(64, uint64_t(image.size()));
  return out;
}

inline std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A kernel table; descriptors made here have that fingerprint.
inline std::string kernelRows(std::vector<rt::KernelRow> rows) {
  rt::KernelTableWriter table;
  for (rt::KernelRow &row : rows) {
    row.fingerprint = 0x1234;
    table.add(row);
  }
  return table.text();
}

inline Strings imageStrings(const std::string &image,
                            const std::string &arch = "x86-64-v2") {
  return {
      {"triple", "x86_64-pc-linux-gnu"},
      {"arch", arch},
      {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
      {"xcc.hash", hashText(image)},
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
  explicit Unit(std::string theSection) : section(std::move(theSection)) {
    // The section starts at a multiple of 8 as std::string's buffers do.
    binary = {XCC_ABI_VERSION, 0,
              section.data(),  section.data() + section.size(),
              nullptr,         nullptr,
              nullptr,         nullptr};
    xcc_binary_register(&binary);
  }
  ~Unit() { xcc_binary_unload(&binary); }
  Unit(const Unit &) = delete;

  static const std::string &defaultImage() {
    static const std::string image = readFile(XCC_TEST_IMAGE);
    return image;
  }
  static std::string defaultSection() {
    return writeOffloadBinary(defaultImage(), imageStrings(defaultImage()));
  }

  /// The descriptor of k_NAME. Not for several threads at once.
  xcc_kernel_info &kernel(const std::string &name, uint32_t kernargSize = 0) {
    auto found = byName.find(name);
    if (found != byName.end())
      return found->second->info;
    kernels.emplace_back();
    Described &d = kernels.back();
    d.name = name;
    d.symbol = "k_" + name;
    d.info = {XCC_KERNEL_MAGIC,
              XCC_ABI_VERSION,
              d.name.c_str(),
              d.symbol.c_str(),
              "kernel.cpp",
              1,
              1,
              nullptr,
              nullptr,
              0,
              0,
              kernargSize,
              8,
              0x1234,
              &binary,
              d.slots,
              nullptr,
              0,
              0,
              nullptr};
    byName[name] = &d;
    return d.info;
  }

  xcc_binary binary;

private:
  struct Described {
    std::string name, symbol;
    void *slots[XCC_KERNEL_SLOTS] = {};
    xcc_kernel_info info;
  };
  std::string section;
  std::deque<Described> kernels;
  std::map<std::string, Described *> byName;
};

/// A configuration of one dimension with this line as launch site.
inline xcc_launch_config config(uint32_t grid, uint32_t block,
                                xcc_stream *stream = nullptr) {
  return {{grid, 1, 1}, {block, 1, 1}, 0, stream, "test.cpp", 7, 0};
}

/// Launches with one argument.
template <class T>
xcc_status launch(const xcc_kernel_info &info, const xcc_launch_config &c,
                  const T &argument) {
  return xcc_kernel_launch(&info, &c, &argument, sizeof(argument));
}
inline xcc_status launch(const xcc_kernel_info &info,
                         const xcc_launch_config &c) {
  return xcc_kernel_launch(&info, &c, nullptr, 0);
}

} // namespace xcc::test
#endif // XCC_TEST_UNIT_H
