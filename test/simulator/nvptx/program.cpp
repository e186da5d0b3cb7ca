// A module, ready to run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode.h"
#include "machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

namespace ptx {

Program::Program(std::string Text, int Capability) : Capability(Capability) {
  Source = parse(std::move(Text));
  if (Source->Target > Capability)
    throw Refusal{"compiled for sm_" + std::to_string(Source->Target) +
                  ", and the device is sm_" + std::to_string(Capability)};
  // Addresses first: everything may name everything.
  placeVariables();
  for (auto &F : Source->Functions) {
    Codes.push_back(std::make_unique<Code>());
    Codes.back()->Of = F.get();
    Codes.back()->Number = int(Codes.size() - 1);
  }
  for (size_t N = 0; N != Variables.size(); ++N)
    if (Variables[N].Address)
      fill(Source->Variables[N],
           reinterpret_cast<char *>(Variables[N].Address));
  for (auto &C : Codes)
    if (C->Of->Defined)
      Decoder(*this, *C).decode();
  makeKernels();
}

Program::~Program() {
  for (Placed &V : Variables)
    free(reinterpret_cast<void *>(V.Address));
}

void Program::placeVariables() {
  for (const Variable &V : Source->Variables) {
    Placed At{std::string(V.Name)};
    if (V.In == Space::Shared) {
      Shared.push_back({V.Name, V.Size, V.Align, V.Extern || !V.Size});
    } else {
      if (V.Extern)
        Lexer::refuse(V.Line, "variable '" + At.Name + "' is not defined");
      uint64_t Align = std::max<uint64_t>(V.Align, 256);
      At.Size = std::max<uint64_t>(V.Size, 1);
      At.Address = reinterpret_cast<uint64_t>(
          aligned_alloc(Align, (At.Size + Align - 1) / Align * Align));
      At.Constant = V.In == Space::Const;
      memset(reinterpret_cast<void *>(At.Address), 0, At.Size);
    }
    Variables.push_back(std::move(At));
  }
}

uint64_t Program::addressOf(const Code &C) const {
  return windows().Functions + 16 * uint64_t(C.Number + 1);
}

const Code *Program::functionAt(uint64_t Address) const {
  uint64_t Offset = Address - windows().Functions;
  if (Offset % 16 || !Offset || Offset / 16 > Codes.size())
    return nullptr;
  return Codes[Offset / 16 - 1].get();
}

uint64_t Program::addressOf(std::string_view Symbol, int Line) const {
  if (auto V = Source->VariableNames.find(Symbol);
      V != Source->VariableNames.end()) {
    if (Source->Variables[size_t(V->second)].In != Space::Shared)
      return Variables[size_t(V->second)].Address;
    Lexer::refuse(Line, "the address of shared variable '" +
                            std::string(Symbol) + "' is no constant");
  }
  auto F = Source->FunctionNames.find(Symbol);
  if (F == Source->FunctionNames.end())
    Lexer::refuse(Line,
                  "no variable or function '" + std::string(Symbol) + "'");
  return addressOf(*Codes[size_t(F->second)]);
}

void Program::fill(const Variable &V, char *At) {
  for (const Variable::Item &I : V.Items) {
    uint64_t Bits = I.Bits;
    if (!I.Symbol.empty())
      Bits += addressOf(I.Symbol, V.Line);
    if (I.Mask != ~uint64_t(0) && I.Mask)
      Bits = (Bits & I.Mask) >> __builtin_ctzll(I.Mask);
    memcpy(At, &Bits, std::min(V.ItemSize, 8u));
    At += V.ItemSize;
  }
}

const Kernel *Program::kernel(const std::string &Name) const {
  auto Found = Kernels.find(Name);
  return Found == Kernels.end() ? nullptr : &Found->second;
}

const Placed *Program::variable(const std::string &Name) const {
  for (const Placed &V : Variables)
    if (V.Name == Name && V.Address)
      return &V;
  return nullptr;
}

namespace {
/// What a kernel's calls lead to.
struct CallGraph {
  const Program &P;
  std::set<const Code *> Reached = {}, Active = {};
  std::map<const Code *, uint64_t> Depth = {};
  bool Unknown = false;

  void reach(const Code *C) {
    if (!Reached.insert(C).second)
      return;
    for (const CallSite &Site : C->Calls)
      if (Site.To) {
        reach(Site.To);
      } else if (!Unknown) {
        Unknown = true; // any function, then
        for (auto &Other : P.Codes)
          if (!Other->Of->Entry)
            reach(Other.get());
      }
  }
  /// Bytes of the stack below and with C; marks recursion.
  uint64_t depth(const Code *C) {
    if (auto Known = Depth.find(C); Known != Depth.end())
      return Known->second;
    if (!Active.insert(C).second) {
      Unknown = true;
      return 0;
    }
    uint64_t Most = 0;
    for (const CallSite &Site : C->Calls)
      if (Site.To)
        Most = std::max(Most, depth(Site.To));
    Active.erase(C);
    return Depth[C] = Most + C->LocalBytes + C->LocalAlign;
  }
};
} // namespace

void Program::makeKernels() {
  for (auto &C : Codes) {
    if (!C->Of->Entry || !C->Of->Defined)
      continue;
    Kernel K;
    K.Entry = C.get();
    CallGraph Graph{*this};
    Graph.reach(C.get());
    K.Stack = Graph.depth(C.get());
    bool Dynamic = false;
    std::vector<bool> Used(Shared.size());
    for (const Code *R : Graph.Reached) {
      for (int N : R->SharedUsed)
        Used[size_t(N)] = true;
      Dynamic |= R->Allocates;
    }
    K.StackUnknown = Graph.Unknown || Dynamic;
    // From sm_80 on, the first KiB is the device's.
    K.SharedBase = Capability >= 80 ? 1024 : 0;
    uint64_t At = K.SharedBase, Most = 16;
    K.SharedAt.assign(Shared.size(), 0);
    for (size_t N = 0; N != Shared.size(); ++N)
      if (Used[N] && !Shared[N].Dynamic) {
        At = (At + Shared[N].Align - 1) / Shared[N].Align * Shared[N].Align;
        K.SharedAt[N] = At;
        At += Shared[N].Size;
      }
    for (size_t N = 0; N != Shared.size(); ++N)
      if (Used[N] && Shared[N].Dynamic)
        Most = std::max<uint64_t>(Most, Shared[N].Align);
    At = (At + Most - 1) / Most * Most;
    for (size_t N = 0; N != Shared.size(); ++N)
      if (Used[N] && Shared[N].Dynamic)
        K.SharedAt[N] = At; // where the launch's bytes begin
    K.SharedBytes = At;
    for (const Variable &V : C->Of->Of.Takes) {
      K.ParameterBytes = (K.ParameterBytes + V.Align - 1) / V.Align * V.Align;
      K.ParameterBytes += V.Size;
    }
    Kernels[std::string(C->Of->Name)] = std::move(K);
  }
}

} // namespace ptx
