// A module, ready to run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode.h"
#include "machine.h"
#include "test/mock/device_memory.h"
#include "test/simulator/common/checks.h"
#include "test/simulator/common/definedness.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>

namespace ptx {

Program::Program(std::string text, int capability) : capability(capability) {
  source = parse(std::move(text));
  if (source->target > capability)
    throw Refusal{"compiled for sm_" + std::to_string(source->target) +
                  ", and the device is sm_" + std::to_string(capability)};
  // Addresses first: everything may name everything.
  placeVariables();
  for (auto &f : source->functions) {
    codes.push_back(std::make_unique<Code>());
    codes.back()->of = f.get();
    codes.back()->number = int(codes.size() - 1);
  }
  // Modules in one process have functions at addresses of their own.
  static std::atomic<uint64_t> taken{0};
  uint64_t most = Windows::Size / 16, own = codes.size() + 1;
  firstFunction =
      windows().functions + 16 * (taken.fetch_add(own) % (most - own % most));
  for (size_t n = 0; n != variables.size(); ++n)
    if (variables[n].address)
      fill(source->variables[n], mock::reachable(variables[n].address));
  std::vector<Decoder> decoders;
  for (auto &c : codes)
    if (c->of->defined) {
      decoders.emplace_back(*this, *c);
      decoders.back().decode();
    }
  markRecursion();
  for (Decoder &decoder : decoders)
    decoder.resolve();
  makeKernels();
}

Program::~Program() {
  for (Placed &v : variables)
    mock::freeDevice(v.address);
}

void Program::placeVariables() {
  for (const Variable &v : source->variables) {
    Placed at{std::string(v.name)};
    if (v.in == Space::Shared) {
      shared.push_back({v.name, v.size, v.align, v.isExtern || !v.size});
    } else {
      if (v.isExtern)
        Lexer::refuse(v.line, "variable '" + at.name + "' is not defined");
      uint64_t align = std::max<uint64_t>(v.align, 256);
      at.size = std::max<uint64_t>(v.size, 1);
      at.address = mock::allocateDevice(at.size, align);
      at.constant = v.in == Space::Const;
      memset(mock::reachable(at.address), 0, at.size);
      simulator::define(at.address, at.size);
    }
    variables.push_back(std::move(at));
  }
}

uint64_t Program::addressOf(const Code &c) const {
  return firstFunction + 16 * uint64_t(c.number + 1);
}

const Code *Program::functionAt(uint64_t address) const {
  uint64_t offset = address - firstFunction;
  if (offset % 16 || !offset || offset / 16 > codes.size())
    return nullptr;
  return codes[offset / 16 - 1].get();
}

uint64_t Program::addressOf(std::string_view symbol, int line) const {
  if (auto v = source->variableNames.find(symbol);
      v != source->variableNames.end()) {
    if (source->variables[size_t(v->second)].in != Space::Shared)
      return variables[size_t(v->second)].address;
    Lexer::refuse(line, "the address of shared variable '" +
                            std::string(symbol) + "' is no constant");
  }
  auto f = source->functionNames.find(symbol);
  if (f == source->functionNames.end())
    Lexer::refuse(line,
                  "no variable or function '" + std::string(symbol) + "'");
  return addressOf(*codes[size_t(f->second)]);
}

void Program::fill(const Variable &v, char *at) {
  for (const Variable::Item &i : v.items) {
    uint64_t bits = i.bits;
    if (!i.symbol.empty())
      bits += addressOf(i.symbol, v.line);
    if (i.mask != ~uint64_t(0) && i.mask)
      bits = (bits & i.mask) >> __builtin_ctzll(i.mask);
    memcpy(at, &bits, std::min(v.itemSize, 8u));
    at += v.itemSize;
  }
}

const Kernel *Program::kernel(const std::string &name) const {
  auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : &found->second;
}

const Placed *Program::variable(const std::string &name) const {
  for (const Placed &v : variables)
    if (v.name == name && v.address)
      return &v;
  return nullptr;
}

namespace {
/// What a kernel's calls lead to.
struct CallGraph {
  const Program &p;
  std::set<const Code *> reached = {}, active = {};
  std::map<const Code *, uint64_t> depths = {};
  bool unknown = false;

  void reach(const Code *c) {
    if (!reached.insert(c).second)
      return;
    for (const CallSite &site : c->calls)
      if (site.to) {
        reach(site.to);
      } else if (!unknown) {
        unknown = true; // any function, then
        for (auto &other : p.codes)
          if (!other->of->entry)
            reach(other.get());
      }
  }
  /// Bytes of the stack below and with c; marks recursion.
  uint64_t depth(const Code *c) {
    if (auto known = depths.find(c); known != depths.end())
      return known->second;
    if (!active.insert(c).second) {
      unknown = true;
      return 0;
    }
    uint64_t most = 0;
    for (const CallSite &site : c->calls)
      if (site.to)
        most = std::max(most, depth(site.to));
    active.erase(c);
    return depths[c] = most + c->localBytes + c->localAlign;
  }
};
} // namespace

void Program::makeKernels() {
  for (auto &c : codes) {
    if (!c->of->entry || !c->of->defined)
      continue;
    Kernel k;
    k.entry = c.get();
    CallGraph graph{*this};
    graph.reach(c.get());
    k.stack = graph.depth(c.get());
    bool dynamic = false;
    std::vector<bool> used(shared.size());
    for (const Code *r : graph.reached) {
      for (int n : r->sharedUsed)
        used[size_t(n)] = true;
      dynamic |= r->allocates;
    }
    k.stackUnknown = graph.unknown || dynamic;
    const uint64_t gap = simulator::checksMemory() ? SharedGap : 0;
    // From sm_80 on, the first KiB is the device's.
    k.sharedBase = capability >= 80 ? 1024 : 0;
    uint64_t at = k.sharedBase, most = 16;
    if (gap && std::find(used.begin(), used.end(), true) != used.end())
      at += k.sharedGaps = gap; // in front of the first one
    k.sharedAt.assign(shared.size(), 0);
    for (size_t n = 0; n != shared.size(); ++n)
      if (used[n] && !shared[n].dynamic) {
        // ptxas aligns what is behind the base, as if that were 0.
        const uint64_t own = at - k.sharedBase, align = shared[n].align;
        at = k.sharedBase + (own + align - 1) / align * align;
        k.sharedAt[n] = at;
        at += shared[n].size + gap;
        k.sharedGaps += gap;
      }
    for (size_t n = 0; n != shared.size(); ++n)
      if (used[n] && shared[n].dynamic)
        most = std::max<uint64_t>(most, shared[n].align);
    at = (at + most - 1) / most * most;
    for (size_t n = 0; n != shared.size(); ++n)
      if (used[n] && shared[n].dynamic)
        k.sharedAt[n] = at; // where the launch's bytes begin
    k.sharedEnd = at;
    k.sharedBytes = at - k.sharedGaps;
    for (const Variable &v : c->of->of.takes) {
      const uint64_t at = placeParameter(k.parameterBytes, v.align, capability);
      k.parameters.push_back({at, v.size});
      k.parameterBytes = at + v.size;
    }
    kernels[std::string(c->of->name)] = std::move(k);
  }
}

const SharedVariable *Program::gapAt(const Kernel &k, uint64_t address,
                                     unsigned bytes) const {
  if (!k.sharedGaps || address >= k.sharedEnd)
    return nullptr;
  const SharedVariable *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  for (size_t n = 0; n != shared.size(); ++n) {
    const uint64_t begin = k.sharedAt[n], end = begin + shared[n].size;
    if (!begin || shared[n].dynamic)
      continue;
    if (address >= begin && address + bytes <= end)
      return nullptr;
    const uint64_t away =
        address + bytes > end ? address + bytes - end : begin - address;
    if (away < distance) {
      distance = away;
      nearest = &shared[n];
    }
  }
  return nearest;
}

} // namespace ptx
