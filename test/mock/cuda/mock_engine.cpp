// No device code, and everything at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <cctype>
#include <cstdlib>
#include <dlfcn.h>

namespace mock {

static bool isNameChar(char C) { return isalnum(C) || C == '_' || C == '$'; }

/// Does the name stand in the image as a word of its own?
static bool holds(const std::string &Data, const std::string &Name) {
  for (size_t At = Data.find(Name); At != std::string::npos;
       At = Data.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !isNameChar(Data[At - 1])) &&
        (End == Data.size() || !isNameChar(Data[End])))
      return true;
  }
  return false;
}

/// Bytes of the variables there can be.
static size_t variableSize(const std::string &Name) {
  return Name == "__xcc_rpc" ? 40 : Name == "__xcc_trap_report" ? 8 : 0;
}

/// The kernel's body, if anybody gave it one.
static mock_kernel bodyOf(State &S, const std::string &Symbol) {
  if (auto Found = S.Kernels.find(Symbol); Found != S.Kernels.end())
    return Found->second;
  if (!S.KernelLibrary)
    return nullptr;
  return reinterpret_cast<mock_kernel>(dlsym(S.KernelLibrary, Symbol.c_str()));
}

namespace {
class MockEngine final : public Engine {
  Result load(ModuleObject &M, std::string &Why) override {
    // Text that says so is what a compiler refuses.
    size_t Bad = M.Text ? M.Data.find("#error ") : std::string::npos;
    if (Bad == std::string::npos)
      return Success;
    Why = M.Data.substr(Bad + 7, 99);
    return InvalidPtx;
  }
  void unload(ModuleObject &M) override {
    State &S = state();
    for (auto &[Name, A] : M.Variables) {
      S.Memory.erase(A);
      free(reinterpret_cast<void *>(A));
    }
  }
  bool hasFunction(const ModuleObject &M, const std::string &Name) override {
    return holds(M.Data, Name);
  }
  Address variable(ModuleObject &M, const std::string &Name,
                   size_t &Size) override {
    Size = variableSize(Name);
    if (!Size || !holds(M.Data, Name))
      return 0;
    Address &A = M.Variables[Name];
    if (!A) {
      A = reinterpret_cast<uintptr_t>(calloc(1, Size));
      state().Memory[A] = {Size, M.In->Number};
    }
    return A;
  }
  int attribute(const FunctionObject &, FunctionAttribute Which) override {
    State &S = state();
    return Which == FunctionMaxThreads   ? S.MaxThreads
           : Which == FunctionSharedSize ? S.Shared
                                         : S.Local;
  }
  Result launch(Function F, Stream In, LaunchArguments Given) override {
    mock_kernel Body;
    {
      std::lock_guard Lock(state().Mutex);
      Body = bodyOf(state(), F->Symbol);
    }
    if (!Body)
      return Success;
    mock_launch L;
    std::copy(Given.Grid, Given.Grid + 3, L.grid);
    std::copy(Given.Block, Given.Block + 3, L.block);
    L.shared = Given.Shared;
    L.kernarg_size = Given.Kernarg.size();
    L.stream = In;
    Body(Given.Kernarg.data(), &L);
    return Success;
  }
};
} // namespace

Engine &engine() {
  static Engine &E = *new MockEngine;
  return E;
}

} // namespace mock
