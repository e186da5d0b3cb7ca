// Threads of a block that touch the same shared memory unordered
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each byte remembers who wrote it last and who read it last. Two accesses of
// different threads, one of them a write, are a race unless the block met at a
// barrier between them, or the threads' warp at one of its own (a "turn").
// Only what happened in this run is seen, and of several readers two.

#ifndef XCC_TEST_SIMULATOR_RACES_H
#define XCC_TEST_SIMULATOR_RACES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

class Races {
public:
  enum Kind { Read, Write, Atomic, AtomicRead };
  struct Access {
    uint32_t Thread = 0, Warp = 0;
    uint32_t Turn = 0;           ///< of the warp
    const void *Place = nullptr; ///< the instruction
  };
  struct Race {
    Access Other;
    Kind OtherKind;
  };

  /// From now on for that many bytes, which nobody has touched.
  void start(size_t Size) {
    Bytes.assign(Size, {});
    Epoch = 1;
  }
  bool on() const { return !Bytes.empty(); }
  /// Orders all that was before all that comes.
  void barrier() { ++Epoch; }

  /// An access; true, and \p Out, when it races with an earlier one. Atomic
  /// operations race with what is none.
  bool touch(uint64_t At, unsigned Size, Kind How, const Access &By,
             Race &Out) {
    bool Found = false;
    for (uint64_t N = At; N != At + Size && N < Bytes.size(); ++N) {
      Byte &B = Bytes[N];
      auto Against = [&](const Mark &M, Kind Its) {
        if (Found || M.Epoch != Epoch || M.By.Thread == By.Thread ||
            (M.By.Warp == By.Warp && M.By.Turn < By.Turn))
          return;
        Found = true;
        Out = {M.By, Its};
      };
      Against(B.Written, Write);
      if (How == AtomicRead)
        continue;
      if (How != Atomic)
        Against(B.Changed, Atomic);
      if (How != Read) {
        Against(B.ReadFirst, Read);
        Against(B.ReadLast, Read);
      }
      Mark New{By, Epoch};
      if (How == Write)
        B.Written = New;
      else if (How == Atomic)
        B.Changed = New;
      else {
        if (B.ReadFirst.Epoch != Epoch)
          B.ReadFirst = New;
        B.ReadLast = New;
      }
    }
    return Found;
  }

private:
  struct Mark {
    Access By;
    uint32_t Epoch = 0;
  };
  struct Byte {
    Mark Written, Changed, ReadFirst, ReadLast;
  };
  std::vector<Byte> Bytes;
  uint32_t Epoch = 1;
};

/// "has written" and the like.
inline const char *done(Races::Kind K) {
  return K == Races::Write  ? "has written"
         : K == Races::Read ? "has read"
                            : "has changed by an atomic operation";
}
inline const char *does(Races::Kind K) {
  return K == Races::Write    ? "writes"
         : K == Races::Atomic ? "changes by an atomic operation"
                              : "reads";
}

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_RACES_H
