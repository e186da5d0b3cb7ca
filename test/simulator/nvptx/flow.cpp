// Where diverged lanes meet again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As ptxas has it: at the immediate post-dominator of the branch. A path that
// ends the thread or returns does not count, since its lanes leave the
// reconvergence point (BREAK); one that only ends is a guarded EXIT, and no
// path at all. So where the end of the function is all that is common to the
// arms, they meet at the first block that lanes of both may come to, unless
// such blocks are several. A branch with an aligned barrier in an arm has no
// reconvergence point: ptxas takes it for uniform.
// Nor has one with a call that may recurse: its lanes wait in a register that
// the activations of a recursive function use as well, and may be let go by them.

#include "flow.h"

#include <algorithm>

namespace ptx {
namespace {

struct BasicBlock {
  uint32_t begin = 0, end = 0;
  std::vector<uint32_t> to;
  bool ends = false;     ///< a thread may end or return in its last instruction
  bool traps = false;    ///< so that the launch ends
  bool jumps = false;    ///< it is a branch alone, which all take
  bool onlyEnds = false; ///< and does nothing else
  bool barrier = false;
  bool recurses = false;
};

class Flow {
public:
  explicit Flow(const std::vector<Step> &steps) : steps(steps) {
    makeBlocks();
    leaveOutEnds();
    leaveOutTraps();
    postDominators();
  }
  uint32_t meetingOf(uint32_t block);

  const std::vector<Step> &steps;
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockAt; ///< of each step

private:
  void makeBlocks();
  void leaveOutEnds();
  void leaveOutTraps();
  std::vector<uint32_t> onward(const BasicBlock &b) const;
  void postDominators();
  std::vector<uint32_t> preorder() const;
  bool dominates(uint32_t a, uint32_t b);
  uint32_t beyondEnds(uint32_t block);
  bool barrierBetween(uint32_t block, uint32_t until);
  bool recursesBetween(uint32_t block, uint32_t until);
  std::vector<bool> reachable(uint32_t from, uint32_t without);

  std::vector<uint32_t> post; ///< immediate post-dominator; the end: size()
};

void Flow::makeBlocks() {
  uint32_t n = uint32_t(steps.size());
  std::vector<bool> leader(n + 1);
  leader[0] = true;
  for (uint32_t i = 0; i != n; ++i)
    if (steps[i].branch || steps[i].ends) {
      leader[i + 1] = true;
      for (uint32_t t : steps[i].to)
        leader[t] = true;
    }
  blockAt.resize(n);
  for (uint32_t i = 0; i != n; ++i) {
    if (leader[i]) {
      blocks.emplace_back();
      blocks.back().begin = i;
    }
    blockAt[i] = uint32_t(blocks.size() - 1);
    blocks.back().end = i + 1;
    blocks.back().barrier |= steps[i].barrier;
    blocks.back().recurses |= steps[i].recurses;
  }
  for (BasicBlock &b : blocks) {
    const Step &last = steps[b.end - 1];
    b.ends = last.ends || b.end == n;
    b.onlyEnds = b.ends && !last.guarded && b.end - b.begin == 1;
    b.traps = last.traps && !last.guarded;
    b.jumps = last.branch && !last.guarded && b.end - b.begin == 1;
    bool falls = !(last.branch || last.ends) || last.guarded;
    if (last.branch)
      for (uint32_t t : last.to)
        if (std::find(b.to.begin(), b.to.end(), blockAt[t]) == b.to.end())
          b.to.push_back(blockAt[t]);
    if (falls && b.end != n &&
        std::find(b.to.begin(), b.to.end(), blockAt[b.end]) == b.to.end())
      b.to.push_back(blockAt[b.end]);
  }
}

/// A jump to where threads just end is such an end itself.
void Flow::leaveOutEnds() {
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &b : blocks)
      if (!b.onlyEnds && b.jumps &&
          std::all_of(b.to.begin(), b.to.end(),
                      [&](uint32_t t) { return blocks[t].onlyEnds; }))
        b.onlyEnds = changed = true;
  }
}

/// Where the only ends that are no guarded EXIT are traps, each path would lead
/// to these, and lanes would wait for each other where none comes that does not
/// fail.
void Flow::leaveOutTraps() {
  for (const BasicBlock &b : blocks)
    if (b.ends && !b.onlyEnds && !b.traps)
      return;
  // From where threads come to an end that is no trap.
  std::vector<bool> goesOn(blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i != blocks.size(); ++i) {
      const BasicBlock &b = blocks[i];
      bool does = (b.ends && !b.traps) ||
                  std::any_of(b.to.begin(), b.to.end(),
                              [&](uint32_t t) { return goesOn[t]; });
      if (does && !goesOn[i])
        goesOn[i] = changed = true;
    }
  }
  if (!goesOn[0])
    return;
  for (uint32_t i = 0; i != blocks.size(); ++i)
    if (!goesOn[i])
      blocks[i].onlyEnds = true;
}

/// Where lanes go that do not just end: ptxas makes a branch to `exit` a guarded
/// EXIT, and the graph has no such edge.
std::vector<uint32_t> Flow::onward(const BasicBlock &b) const {
  std::vector<uint32_t> to = b.to;
  std::erase_if(to, [&](uint32_t t) { return blocks[t].onlyEnds; });
  return to;
}

/// Cooper, Harvey and Kennedy's iteration, on the graph backwards.
void Flow::postDominators() {
  uint32_t n = uint32_t(blocks.size()), none = n + 1;
  // Reverse post-order of the reversed graph, from the end.
  std::vector<std::vector<uint32_t>> from(n + 1);
  for (uint32_t b = 0; b != n; ++b) {
    if (blocks[b].ends || onward(blocks[b]).empty())
      from[n].push_back(b);
    for (uint32_t t : onward(blocks[b]))
      from[t].push_back(b);
  }
  std::vector<uint32_t> order, number(n + 1, none);
  std::vector<std::pair<uint32_t, size_t>> stack = {{n, 0}};
  std::vector<bool> seen(n + 1);
  auto walk = [&] {
    while (!stack.empty()) {
      auto &[b, next] = stack.back();
      if (next == from[b].size()) {
        order.push_back(b);
        stack.pop_back();
        continue;
      }
      uint32_t p = from[b][next++];
      if (!seen[p]) {
        seen[p] = true;
        stack.push_back({p, 0});
      }
    }
  };
  seen[n] = true;
  walk();
  // Loops without another end than guarded exits: an iteration is taken for the
  // end.
  for (uint32_t b : preorder()) {
    if (seen[b])
      continue;
    std::vector<bool> after = reachable(b, n);
    bool leaves = false;
    for (uint32_t a = 0; a != n && !leaves; ++a)
      leaves = after[a] && !reachable(a, n)[b];
    if (leaves)
      continue;
    order.pop_back(); // the end stays last
    std::vector<uint32_t> latches;
    for (uint32_t a = 0; a != n; ++a)
      if (after[a] && std::find(blocks[a].to.begin(), blocks[a].to.end(), b) !=
                          blocks[a].to.end())
        latches.push_back(a);
    for (uint32_t latch : latches) {
      from[n].push_back(latch);
      blocks[latch].ends = true;
    }
    for (uint32_t latch : latches)
      if (!seen[latch]) {
        seen[latch] = true;
        stack.push_back({latch, 0});
        walk();
      }
    order.push_back(n);
  }
  for (uint32_t i = 0; i != order.size(); ++i)
    number[order[i]] = i; // the higher, the nearer to the end
  post.assign(n + 1, none);
  post[n] = n;
  auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b])
        a = post[a];
      while (number[b] < number[a])
        b = post[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size() - 1; i-- != 0;) {
      uint32_t b = order[i], now = none;
      auto meet = [&](uint32_t s) {
        if (s == n || post[s] != none)
          now = now == none ? s : common(now, s);
      };
      if (blocks[b].ends || onward(blocks[b]).empty())
        meet(n);
      for (uint32_t t : onward(blocks[b]))
        meet(t);
      if (now != none && post[b] != now) {
        post[b] = now;
        changed = true;
      }
    }
  }
}

/// Blocks as a walk from the start finds them, each after one before it.
std::vector<uint32_t> Flow::preorder() const {
  std::vector<uint32_t> order, stack = {0};
  std::vector<bool> seen(blocks.size());
  while (!stack.empty()) {
    uint32_t b = stack.back();
    stack.pop_back();
    if (seen[b])
      continue;
    seen[b] = true;
    order.push_back(b);
    stack.insert(stack.end(), blocks[b].to.rbegin(), blocks[b].to.rend());
  }
  return order;
}

std::vector<bool> Flow::reachable(uint32_t from, uint32_t without) {
  std::vector<bool> seen(blocks.size());
  std::vector<uint32_t> work;
  auto visit = [&](uint32_t b) {
    if (b != without && !seen[b] && !blocks[b].onlyEnds) {
      seen[b] = true;
      work.push_back(b);
    }
  };
  visit(from);
  while (!work.empty()) {
    uint32_t b = work.back();
    work.pop_back();
    for (uint32_t t : blocks[b].to)
      visit(t);
  }
  return seen;
}

/// Does every path from the start to b lead through a?
bool Flow::dominates(uint32_t a, uint32_t b) {
  if (a == 0)
    return true;
  return !reachable(0, a)[b];
}

/// The arms have only ends in common: where do lanes of several come first?
uint32_t Flow::beyondEnds(uint32_t block) {
  std::vector<uint32_t> arms = blocks[block].to;
  std::erase_if(arms, [&](uint32_t a) { return blocks[a].onlyEnds; });
  for (unsigned tries = 0; tries != 8 && arms.size() > 1; ++tries) {
    std::vector<unsigned> count(blocks.size());
    for (uint32_t arm : arms) {
      std::vector<bool> seen = reachable(arm, block);
      for (uint32_t b = 0; b != blocks.size(); ++b)
        count[b] += seen[b];
    }
    // Where paths from each arm first touch what is common.
    std::vector<uint32_t> first;
    std::vector<bool> known(blocks.size());
    for (uint32_t arm : arms) {
      std::vector<bool> seen(blocks.size());
      std::vector<uint32_t> work = {arm};
      seen[arm] = true;
      while (!work.empty()) {
        uint32_t b = work.back();
        work.pop_back();
        if (count[b] > 1) {
          if (!known[b]) {
            known[b] = true;
            first.push_back(b);
          }
          continue;
        }
        for (uint32_t t : blocks[b].to)
          if (!seen[t] && t != block && !blocks[t].onlyEnds) {
            seen[t] = true;
            work.push_back(t);
          }
      }
    }
    // Not through a loop around the branch.
    if (first.size() > 1)
      std::erase_if(first, [&](uint32_t b) { return dominates(b, block); });
    if (first.size() == 1)
      return first[0];
    if (first.empty() || first == arms)
      break;
    arms = first;
  }
  return uint32_t(blocks.size());
}

bool Flow::barrierBetween(uint32_t block, uint32_t until) {
  std::vector<bool> seen(blocks.size());
  std::vector<uint32_t> work;
  auto visit = [&](uint32_t b) {
    if (b != until && b != block && !seen[b]) {
      seen[b] = true;
      work.push_back(b);
    }
  };
  for (uint32_t t : blocks[block].to)
    visit(t);
  while (!work.empty()) {
    uint32_t b = work.back();
    work.pop_back();
    if (blocks[b].barrier)
      return true;
    for (uint32_t t : blocks[b].to)
      visit(t);
  }
  return false;
}

bool Flow::recursesBetween(uint32_t block, uint32_t until) {
  for (uint32_t t : blocks[block].to) {
    if (t == until)
      continue;
    std::vector<bool> seen = reachable(t, until);
    for (uint32_t b = 0; b != blocks.size(); ++b)
      if (seen[b] && blocks[b].recurses)
        return true;
  }
  return false;
}

uint32_t Flow::meetingOf(uint32_t block) {
  uint32_t end = uint32_t(blocks.size());
  uint32_t at = post[block];
  if (at >= end)
    at = beyondEnds(block);
  if (at >= end || barrierBetween(block, at) || recursesBetween(block, at))
    return Nowhere;
  return blocks[at].begin;
}

} // namespace

std::vector<uint32_t> findMeetings(const std::vector<Step> &steps) {
  std::vector<uint32_t> out(steps.size(), Nowhere);
  if (steps.empty())
    return out;
  Flow f(steps);
  for (uint32_t b = 0; b != f.blocks.size(); ++b) {
    uint32_t last = f.blocks[b].end - 1;
    if (steps[last].branch && f.blocks[b].to.size() > 1)
      out[last] = f.meetingOf(b);
  }
  return out;
}

} // namespace ptx
