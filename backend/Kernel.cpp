// Kernel layouts: fingerprint, comparison, text, JSON
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

using namespace llvm;

namespace xcc {
namespace {

constexpr uint64_t FNVBasis = 0xcbf29ce484222325, FNVPrime = 0x100000001b3;

struct Hash {
  uint64_t value = FNVBasis;
  void add(uint64_t word) {
    for (int i = 0; i < 8; ++i, word >>= 8)
      value = (value ^ (word & 0xff)) * FNVPrime;
  }
};

const char *kindName(xcc_param_kind kind) {
  switch (kind) {
  case XCC_PARAM_VALUE:
    return "value";
  case XCC_PARAM_POINTER:
    return "pointer";
  case XCC_PARAM_REFERENCE:
    return "reference";
  case XCC_PARAM_SPAN:
    return "span";
  case XCC_PARAM_CLOSURE:
    return "closure";
  }
  return "value";
}

std::string differ(const Twine &what, const Twine &field, uint64_t host,
                   uint64_t device) {
  return (what + " has " + field + " " + Twine(host) + " on the host and " +
          Twine(device) + " on the device")
      .str();
}

std::string unescape(StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      c = text[++i];
      c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
    }
    out += c;
  }
  return out;
}

} // namespace

rt::KernelRow Kernel::row(uint32_t sharedSize, uint32_t privateSize,
                          uint32_t flags) const {
  return {symbol, name,       kernargSize,   sharedSize,          privateSize,
          flags,  maxThreads, fingerprint(), root ? "root=1" : ""};
}

uint64_t Kernel::fingerprint() const {
  Hash hash;
  hash.add(kernargSize);
  hash.add(kernargAlignment);
  for (const KernelParam &p : params)
    for (uint64_t word : {uint64_t(p.size), uint64_t(p.alignment),
                          uint64_t(p.offset), uint64_t(p.kind)})
      hash.add(word);
  for (const KernelCapture &c : captures)
    for (uint64_t word : {uint64_t(c.size), uint64_t(c.offset),
                          uint64_t(c.byReference), uint64_t(c.kind)})
      hash.add(word);
  return hash.value;
}

std::string layoutDifference(const Kernel &host, const Kernel &device) {
  if (host.params.size() != device.params.size())
    return differ("the kernel", "parameter count", host.params.size(),
                  device.params.size());
  for (size_t i = 0; i < host.params.size(); ++i) {
    const KernelParam &h = host.params[i], &d = device.params[i];
    std::string what = "parameter '" + h.name + "' (" + h.type + ")";
    if (h.size != d.size)
      return differ(what, "size", h.size, d.size);
    if (h.alignment != d.alignment)
      return differ(what, "alignment", h.alignment, d.alignment);
    if (h.offset != d.offset)
      return differ(what, "offset", h.offset, d.offset);
    if (h.kind != d.kind)
      return what + " is a " + kindName(h.kind) + " on the host and a " +
             kindName(d.kind) + " on the device";
  }
  if (host.captures.size() != device.captures.size())
    return differ("the closure", "capture count", host.captures.size(),
                  device.captures.size());
  for (size_t i = 0; i < host.captures.size(); ++i) {
    const KernelCapture &h = host.captures[i], &d = device.captures[i];
    std::string what = "capture '" + h.name + "' (" + h.type + ")";
    if (h.size != d.size)
      return differ(what, "size", h.size, d.size);
    if (h.offset != d.offset)
      return differ(what, "offset", h.offset, d.offset);
    if (h.byReference != d.byReference || h.kind != d.kind)
      return what + " is captured in another way on the device";
  }
  if (host.kernargSize != device.kernargSize)
    return differ("the kernarg segment", "size", host.kernargSize,
                  device.kernargSize);
  if (host.kernargAlignment != device.kernargAlignment)
    return differ("the kernarg segment", "alignment", host.kernargAlignment,
                  device.kernargAlignment);
  return {};
}

std::string toJSON(const KernelTable &kernels) {
  using json = nlohmann::ordered_json;
  json list = json::array();
  for (const Kernel &k : kernels) {
    json params = json::array(), captures = json::array(),
         specialized = json::array();
    for (const KernelParam &p : k.params)
      params.push_back({{"name", p.name},
                        {"type", p.type},
                        {"kind", kindName(p.kind)},
                        {"size", p.size},
                        {"alignment", p.alignment},
                        {"offset", p.offset}});
    for (const KernelCapture &c : k.captures)
      captures.push_back({{"name", c.name},
                          {"type", c.type},
                          {"kind", kindName(c.kind)},
                          {"by_reference", c.byReference},
                          {"size", c.size},
                          {"offset", c.offset}});
    for (const KernelPlace &p : k.specialized)
      specialized.push_back({{"size", p.size}, {"offset", p.offset}});
    list.push_back(
        {{"name", k.name},
         {"symbol", k.symbol},
         {"file", k.file},
         {"line", k.line},
         {"column", k.column},
         {"linkage", k.external ? "external" : "internal"},
         {"kernarg_size", k.kernargSize},
         {"kernarg_alignment", k.kernargAlignment},
         {"fingerprint", "0x" + utohexstr(k.fingerprint(), true, 16)},
         {"params", params},
         {"captures", captures},
         {"specialized", specialized}});
  }
  json document = {{"xcc_abi", XCC_ABI_VERSION}, {"kernels", list}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

// The text has one record on each line: a letter, then fields separated by
// tabs. A kernel is followed by its parameters, captures and mappings. The
// names of files and types may contain any characters, so texts are escaped.
std::string writeLayouts(const KernelTable &kernels) {
  std::string out;
  raw_string_ostream os(out);
  for (const Kernel &k : kernels) {
    os << "K\t" << k.symbol << '\t'
       << (k.external | k.root << 1 | k.optional << 2) << '\t' << k.kernargSize
       << '\t' << k.kernargAlignment << '\t' << k.maxThreads << '\t' << k.line
       << '\t' << k.column << '\t' << k.text << '\t' << rt::escapeField(k.file)
       << '\t' << rt::escapeField(k.name) << '\n';
    for (const KernelParam &p : k.params)
      os << "P\t" << p.size << '\t' << p.alignment << '\t' << p.offset << '\t'
         << unsigned(p.kind) << '\t' << rt::escapeField(p.name) << '\t'
         << rt::escapeField(p.type) << '\n';
    for (const KernelCapture &c : k.captures)
      os << "C\t" << c.size << '\t' << c.offset << '\t' << c.byReference << '\t'
         << unsigned(c.kind) << '\t' << rt::escapeField(c.name) << '\t'
         << rt::escapeField(c.type) << '\n';
    for (const KernelMapping &m : k.mapping) {
      os << "M\t" << m.line << '\t' << m.column << '\t' << unsigned(m.kind)
         << '\t' << m.isConst << '\t' << m.stated << '\t'
         << rt::escapeField(m.file) << '\t' << rt::escapeField(m.what) << '\t';
      for (const KernelMapping::Range &r : m.path)
        os << r.first << ':' << r.last << ',';
      os << '\n';
    }
  }
  return out;
}

/// Parses a path of KernelMapping: "0:8,16:24,".
static bool parsePath(StringRef text, std::vector<KernelMapping::Range> &path) {
  while (!text.empty()) {
    StringRef one, first, last;
    std::tie(one, text) = text.split(',');
    std::tie(first, last) = one.split(':');
    KernelMapping::Range range{};
    if (first.getAsInteger(10, range.first) ||
        last.getAsInteger(10, range.last))
      return false;
    path.push_back(range);
  }
  return true;
}

bool parseLayouts(StringRef text, KernelTable &kernels) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    SmallVector<StringRef, 10> field;
    line.split(field, '\t');
    auto number = [&](size_t i, uint32_t &value) {
      return i < field.size() && !field[i].getAsInteger(10, value);
    };
    uint32_t kind = 0, flag = 0;
    if (field[0] == "K" && field.size() == 11) {
      Kernel k;
      k.symbol = field[1].str();
      if (!number(2, flag) || !number(3, k.kernargSize) ||
          !number(4, k.kernargAlignment) || !number(5, k.maxThreads) ||
          !number(6, k.line) || !number(7, k.column) ||
          field[8].getAsInteger(10, k.text))
        return false;
      k.external = flag & 1;
      k.root = flag & 2;
      k.optional = flag & 4;
      k.file = unescape(field[9]);
      k.name = unescape(field[10]);
      kernels.push_back(std::move(k));
    } else if (field[0] == "P" && field.size() == 7 && !kernels.empty()) {
      KernelParam p;
      if (!number(1, p.size) || !number(2, p.alignment) ||
          !number(3, p.offset) || !number(4, kind) || kind > XCC_PARAM_CLOSURE)
        return false;
      p.kind = xcc_param_kind(kind);
      p.name = unescape(field[5]);
      p.type = unescape(field[6]);
      kernels.back().params.push_back(std::move(p));
    } else if (field[0] == "C" && field.size() == 7 && !kernels.empty()) {
      KernelCapture c;
      if (!number(1, c.size) || !number(2, c.offset) || !number(3, flag) ||
          !number(4, kind) || kind > XCC_PARAM_CLOSURE)
        return false;
      c.byReference = flag;
      c.kind = xcc_param_kind(kind);
      c.name = unescape(field[5]);
      c.type = unescape(field[6]);
      kernels.back().captures.push_back(std::move(c));
    } else if (field[0] == "M" && field.size() == 9 && !kernels.empty()) {
      KernelMapping m;
      if (!number(1, m.line) || !number(2, m.column) || !number(3, kind) ||
          kind > KernelMapping::Trait || !number(4, flag) ||
          !number(5, m.stated) || !parsePath(field[8], m.path))
        return false;
      m.kind = KernelMapping::Kind(kind);
      m.isConst = flag;
      m.file = unescape(field[6]);
      m.what = unescape(field[7]);
      kernels.back().mapping.push_back(std::move(m));
    } else {
      return false;
    }
  }
  return true;
}

} // namespace xcc
