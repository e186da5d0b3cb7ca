// Where diverged lanes meet again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As ptxas has it: at the immediate post-dominator of the branch. A path that
// ends the thread or returns does not count, since its lanes leave the meeting
// (BREAK); one that only ends is a guarded EXIT, and no path at all. So where the
// end of the function is all that is common to the arms, they meet at the first
// block that lanes of both may come to, unless such blocks are several. A branch
// with an aligned barrier in an arm has no meeting: ptxas takes it for uniform.

#include "flow.h"

#include <algorithm>

namespace ptx {
namespace {

struct BasicBlock {
  uint32_t Begin = 0, End = 0;
  std::vector<uint32_t> To;
  bool Ends = false;     ///< a thread may end or return in its last instruction
  bool OnlyEnds = false; ///< and does nothing else
  bool Barrier = false;
};

class Flow {
public:
  explicit Flow(const std::vector<Step> &Steps) : Steps(Steps) {
    makeBlocks();
    postDominators();
  }
  uint32_t meetingOf(uint32_t Block);

  const std::vector<Step> &Steps;
  std::vector<BasicBlock> Blocks;
  std::vector<uint32_t> BlockAt; ///< of each step

private:
  void makeBlocks();
  std::vector<uint32_t> onward(const BasicBlock &B) const;
  void postDominators();
  std::vector<uint32_t> preorder() const;
  bool dominates(uint32_t A, uint32_t B);
  uint32_t beyondEnds(uint32_t Block);
  bool barrierBetween(uint32_t Block, uint32_t Until);
  std::vector<bool> reachable(uint32_t From, uint32_t Without);

  std::vector<uint32_t> Post; ///< immediate post-dominator; the end: size()
};

void Flow::makeBlocks() {
  uint32_t N = uint32_t(Steps.size());
  std::vector<bool> Leader(N + 1);
  Leader[0] = true;
  for (uint32_t I = 0; I != N; ++I)
    if (Steps[I].Branch || Steps[I].Ends) {
      Leader[I + 1] = true;
      for (uint32_t T : Steps[I].To)
        Leader[T] = true;
    }
  BlockAt.resize(N);
  for (uint32_t I = 0; I != N; ++I) {
    if (Leader[I]) {
      Blocks.emplace_back();
      Blocks.back().Begin = I;
    }
    BlockAt[I] = uint32_t(Blocks.size() - 1);
    Blocks.back().End = I + 1;
    Blocks.back().Barrier |= Steps[I].Barrier;
  }
  for (BasicBlock &B : Blocks) {
    const Step &Last = Steps[B.End - 1];
    B.Ends = Last.Ends || B.End == N;
    B.OnlyEnds = B.Ends && !Last.Guarded && B.End - B.Begin == 1;
    bool Falls = !(Last.Branch || Last.Ends) || Last.Guarded;
    if (Last.Branch)
      for (uint32_t T : Last.To)
        if (std::find(B.To.begin(), B.To.end(), BlockAt[T]) == B.To.end())
          B.To.push_back(BlockAt[T]);
    if (Falls && B.End != N &&
        std::find(B.To.begin(), B.To.end(), BlockAt[B.End]) == B.To.end())
      B.To.push_back(BlockAt[B.End]);
  }
}

/// Where lanes go that do not just end: ptxas makes a branch to `exit` a guarded
/// EXIT, and the graph has no such edge.
std::vector<uint32_t> Flow::onward(const BasicBlock &B) const {
  std::vector<uint32_t> To = B.To;
  std::erase_if(To, [&](uint32_t T) { return Blocks[T].OnlyEnds; });
  return To;
}

/// Cooper, Harvey and Kennedy's iteration, on the graph backwards.
void Flow::postDominators() {
  uint32_t N = uint32_t(Blocks.size()), None = N + 1;
  // Reverse post-order of the reversed graph, from the end.
  std::vector<std::vector<uint32_t>> From(N + 1);
  for (uint32_t B = 0; B != N; ++B) {
    if (Blocks[B].Ends || onward(Blocks[B]).empty())
      From[N].push_back(B);
    for (uint32_t T : onward(Blocks[B]))
      From[T].push_back(B);
  }
  std::vector<uint32_t> Order, Number(N + 1, None);
  std::vector<std::pair<uint32_t, size_t>> Stack = {{N, 0}};
  std::vector<bool> Seen(N + 1);
  auto Walk = [&] {
    while (!Stack.empty()) {
      auto &[B, Next] = Stack.back();
      if (Next == From[B].size()) {
        Order.push_back(B);
        Stack.pop_back();
        continue;
      }
      uint32_t P = From[B][Next++];
      if (!Seen[P]) {
        Seen[P] = true;
        Stack.push_back({P, 0});
      }
    }
  };
  Seen[N] = true;
  Walk();
  // Loops without another end than guarded exits: a turn is taken for the end.
  for (uint32_t B : preorder()) {
    if (Seen[B])
      continue;
    std::vector<bool> After = reachable(B, N);
    bool Leaves = false;
    for (uint32_t A = 0; A != N && !Leaves; ++A)
      Leaves = After[A] && !reachable(A, N)[B];
    if (Leaves)
      continue;
    Order.pop_back(); // the end stays last
    std::vector<uint32_t> Latches;
    for (uint32_t A = 0; A != N; ++A)
      if (After[A] && std::find(Blocks[A].To.begin(), Blocks[A].To.end(), B) !=
                          Blocks[A].To.end())
        Latches.push_back(A);
    for (uint32_t Latch : Latches) {
      From[N].push_back(Latch);
      Blocks[Latch].Ends = true;
    }
    for (uint32_t Latch : Latches)
      if (!Seen[Latch]) {
        Seen[Latch] = true;
        Stack.push_back({Latch, 0});
        Walk();
      }
    Order.push_back(N);
  }
  for (uint32_t I = 0; I != Order.size(); ++I)
    Number[Order[I]] = I; // the higher, the nearer to the end
  Post.assign(N + 1, None);
  Post[N] = N;
  auto Common = [&](uint32_t A, uint32_t B) {
    while (A != B) {
      while (Number[A] < Number[B])
        A = Post[A];
      while (Number[B] < Number[A])
        B = Post[B];
    }
    return A;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = Order.size() - 1; I-- != 0;) {
      uint32_t B = Order[I], New = None;
      auto Meet = [&](uint32_t S) {
        if (S == N || Post[S] != None)
          New = New == None ? S : Common(New, S);
      };
      if (Blocks[B].Ends || onward(Blocks[B]).empty())
        Meet(N);
      for (uint32_t T : onward(Blocks[B]))
        Meet(T);
      if (New != None && Post[B] != New) {
        Post[B] = New;
        Changed = true;
      }
    }
  }
}

/// Blocks as a walk from the start finds them, each after one before it.
std::vector<uint32_t> Flow::preorder() const {
  std::vector<uint32_t> Order, Stack = {0};
  std::vector<bool> Seen(Blocks.size());
  while (!Stack.empty()) {
    uint32_t B = Stack.back();
    Stack.pop_back();
    if (Seen[B])
      continue;
    Seen[B] = true;
    Order.push_back(B);
    Stack.insert(Stack.end(), Blocks[B].To.rbegin(), Blocks[B].To.rend());
  }
  return Order;
}

std::vector<bool> Flow::reachable(uint32_t From, uint32_t Without) {
  std::vector<bool> Seen(Blocks.size());
  std::vector<uint32_t> Work;
  auto Visit = [&](uint32_t B) {
    if (B != Without && !Seen[B] && !Blocks[B].OnlyEnds) {
      Seen[B] = true;
      Work.push_back(B);
    }
  };
  Visit(From);
  while (!Work.empty()) {
    uint32_t B = Work.back();
    Work.pop_back();
    for (uint32_t T : Blocks[B].To)
      Visit(T);
  }
  return Seen;
}

/// Does every way from the start to B lead through A?
bool Flow::dominates(uint32_t A, uint32_t B) {
  if (A == 0)
    return true;
  return !reachable(0, A)[B];
}

/// The arms have only ends in common: where do lanes of several come first?
uint32_t Flow::beyondEnds(uint32_t Block) {
  std::vector<uint32_t> Arms = Blocks[Block].To;
  std::erase_if(Arms, [&](uint32_t A) { return Blocks[A].OnlyEnds; });
  for (unsigned Tries = 0; Tries != 8 && Arms.size() > 1; ++Tries) {
    std::vector<unsigned> Count(Blocks.size());
    for (uint32_t Arm : Arms) {
      std::vector<bool> Seen = reachable(Arm, Block);
      for (uint32_t B = 0; B != Blocks.size(); ++B)
        Count[B] += Seen[B];
    }
    // Where ways from each arm first touch what is common.
    std::vector<uint32_t> First;
    std::vector<bool> Known(Blocks.size());
    for (uint32_t Arm : Arms) {
      std::vector<bool> Seen(Blocks.size());
      std::vector<uint32_t> Work = {Arm};
      Seen[Arm] = true;
      while (!Work.empty()) {
        uint32_t B = Work.back();
        Work.pop_back();
        if (Count[B] > 1) {
          if (!Known[B]) {
            Known[B] = true;
            First.push_back(B);
          }
          continue;
        }
        for (uint32_t T : Blocks[B].To)
          if (!Seen[T] && T != Block && !Blocks[T].OnlyEnds) {
            Seen[T] = true;
            Work.push_back(T);
          }
      }
    }
    // Not by way of a loop around the branch.
    if (First.size() > 1)
      std::erase_if(First, [&](uint32_t B) { return dominates(B, Block); });
    if (First.size() == 1)
      return First[0];
    if (First.empty() || First == Arms)
      break;
    Arms = First;
  }
  return uint32_t(Blocks.size());
}

bool Flow::barrierBetween(uint32_t Block, uint32_t Until) {
  std::vector<bool> Seen(Blocks.size());
  std::vector<uint32_t> Work;
  auto Visit = [&](uint32_t B) {
    if (B != Until && B != Block && !Seen[B]) {
      Seen[B] = true;
      Work.push_back(B);
    }
  };
  for (uint32_t T : Blocks[Block].To)
    Visit(T);
  while (!Work.empty()) {
    uint32_t B = Work.back();
    Work.pop_back();
    if (Blocks[B].Barrier)
      return true;
    for (uint32_t T : Blocks[B].To)
      Visit(T);
  }
  return false;
}

uint32_t Flow::meetingOf(uint32_t Block) {
  uint32_t End = uint32_t(Blocks.size());
  uint32_t At = Post[Block];
  if (At >= End)
    At = beyondEnds(Block);
  if (At >= End || barrierBetween(Block, At))
    return Nowhere;
  return Blocks[At].Begin;
}

} // namespace

std::vector<uint32_t> findMeetings(const std::vector<Step> &Steps) {
  std::vector<uint32_t> Out(Steps.size(), Nowhere);
  if (Steps.empty())
    return Out;
  Flow F(Steps);
  for (uint32_t B = 0; B != F.Blocks.size(); ++B) {
    uint32_t Last = F.Blocks[B].End - 1;
    if (Steps[Last].Branch && F.Blocks[B].To.size() > 1)
      Out[Last] = F.meetingOf(B);
  }
  return Out;
}

} // namespace ptx
