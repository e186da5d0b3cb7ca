// Which calls may recurse
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an H200, lanes that recurse to different depths may come back one group after
// the other: all activations of a function use the same convergence barrier. ptxas
// takes them for converged, but for calls through pointers. So lanes return apart
// from direct calls, which the compiler is not to make where there is recursion;
// from calls through pointers they return together, as they mostly do on a GPU.
// What cannot reach a cycle of the call graph does not recurse; all calls through
// pointers are one node of it, which leads to every function whose address is taken.

#include "code.h"

namespace ptx {
namespace {

struct Node {
  std::vector<size_t> calledBy;
  size_t calls = 0; ///< of nodes that may recurse, as far as is known
};

} // namespace

void Program::markRecursion() {
  // A node for each function, and one for what pointers lead to.
  std::vector<Node> nodes(codes.size() + 1);
  auto addEdge = [&](size_t from, size_t to) {
    nodes[to].calledBy.push_back(from);
    ++nodes[from].calls;
  };
  auto nodeOf = [&](const CallSite &site) {
    return site.to ? size_t(site.to->number) : codes.size();
  };
  for (auto &c : codes) {
    if (c->addressTaken)
      addEdge(codes.size(), size_t(c->number));
    for (const CallSite &site : c->calls)
      addEdge(size_t(c->number), nodeOf(site));
  }

  std::vector<size_t> work;
  for (size_t n = 0; n != nodes.size(); ++n)
    if (!nodes[n].calls)
      work.push_back(n);
  while (!work.empty()) {
    size_t done = work.back();
    work.pop_back();
    for (size_t caller : nodes[done].calledBy)
      if (--nodes[caller].calls == 0)
        work.push_back(caller);
  }
  for (auto &c : codes)
    for (CallSite &site : c->calls)
      site.recurses = site.to && nodes[nodeOf(site)].calls != 0;
}

} // namespace ptx
