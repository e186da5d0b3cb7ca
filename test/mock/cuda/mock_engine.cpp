// No device code, and everything at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"
#include "test/mock/device_memory.h"

#include <cctype>
#include <cstring>
#include <dlfcn.h>

namespace mock {

static bool isNameChar(char c) { return isalnum(c) || c == '_' || c == '$'; }

/// Does the name stand in the image as a word of its own?
static bool holds(const std::string &data, const std::string &name) {
  for (size_t at = data.find(name); at != std::string::npos;
       at = data.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isNameChar(data[at - 1])) &&
        (end == data.size() || !isNameChar(data[end])))
      return true;
  }
  return false;
}

/// Bytes of the variables there can be.
static size_t variableSize(const std::string &name) {
  return name == "__xcc_rpc" ? 40 : name == "__xcc_trap_report" ? 8 : 0;
}

/// Bytes of a buffer with these parameters, each with its offset and its size.
static size_t sizeOf(const std::vector<std::pair<size_t, size_t>> &parameters) {
  return parameters.empty()
             ? 0
             : parameters.back().first + parameters.back().second;
}

/// The kernel's body, if anybody gave it one.
static mock_kernel bodyOf(State &s, const std::string &symbol) {
  if (auto found = s.kernels.find(symbol); found != s.kernels.end())
    return found->second;
  if (!s.kernelLibrary)
    return nullptr;
  return reinterpret_cast<mock_kernel>(dlsym(s.kernelLibrary, symbol.c_str()));
}

namespace {
class MockEngine final : public Engine {
  Result load(ModuleObject &m, std::string &why) override {
    // Text that says so is what a compiler refuses.
    size_t bad = m.text ? m.data.find("#error ") : std::string::npos;
    if (bad == std::string::npos)
      return Success;
    why = m.data.substr(bad + 7, 99);
    return InvalidPtx;
  }
  void unload(ModuleObject &m) override {
    State &s = state();
    for (auto &[name, a] : m.variables) {
      s.memory.erase(a);
      freeDevice(a);
    }
  }
  bool hasFunction(const ModuleObject &m, const std::string &name) override {
    return holds(m.data, name);
  }
  Address variable(ModuleObject &m, const std::string &name,
                   size_t &size) override {
    size = variableSize(name);
    if (!size || !holds(m.data, name))
      return 0;
    Address &a = m.variables[name];
    if (!a) {
      a = allocateDevice(size, 256);
      memset(reachable(a), 0, size);
      state().memory[a] = {.size = size, .device = m.in->number};
    }
    return a;
  }
  int attribute(const FunctionObject &, FunctionAttribute which) override {
    State &s = state();
    return which == FunctionMaxThreads   ? s.maxThreads
           : which == FunctionSharedSize ? s.shared
                                         : s.local;
  }
  Result parameter(const FunctionObject &f, size_t index, size_t &offset,
                   size_t &size) override {
    auto told = state().parameters.find(f.symbol);
    if (told == state().parameters.end())
      return NotSupported;
    if (index >= told->second.size())
      return InvalidValue;
    std::tie(offset, size) = told->second[index];
    return Success;
  }
  Result launch(Function f, Stream in, LaunchArguments given) override {
    mock_kernel body;
    {
      std::lock_guard lock(state().mutex);
      body = bodyOf(state(), f->symbol);
      // As the driver has it for arguments of the wrong size.
      auto told = state().parameters.find(f->symbol);
      if (told != state().parameters.end() &&
          given.kernarg.size() != sizeOf(told->second))
        return LaunchOutOfResources;
    }
    if (!body)
      return Success;
    mock_launch l;
    std::copy(given.grid, given.grid + 3, l.grid);
    std::copy(given.block, given.block + 3, l.block);
    l.shared = given.shared;
    l.kernarg_size = given.kernarg.size();
    l.stream = in;
    body(given.kernarg.data(), &l);
    return Success;
  }
};
} // namespace

Engine &engine() {
  static Engine &e = *new MockEngine;
  return e;
}

} // namespace mock
