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
// What cannot reach a cycle of direct calls does not recurse here.

#include "code.h"

namespace ptx {
namespace {

struct Node {
  std::vector<size_t> calledBy;
  size_t calls = 0; ///< of nodes that may recurse, as far as is known
};

} // namespace

void Program::markRecursion() {
  std::vector<Node> nodes(codes.size());
  auto addEdge = [&](size_t from, size_t to) {
    nodes[to].calledBy.push_back(from);
    ++nodes[from].calls;
  };
  for (auto &c : codes)
    for (const CallSite &site : c->calls)
      if (site.to)
        addEdge(size_t(c->number), size_t(site.to->number));

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
      site.recurses = site.to && nodes[size_t(site.to->number)].calls != 0;
}

} // namespace ptx
