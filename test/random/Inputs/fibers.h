// Blocks whose threads are fibers of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference for random kernels: what docs/language-warps.md says of blocks and
// warps, in the simplest way. A thread runs until it ends or waits. When all of
// a block have stopped, the lanes of a warp that wait at its first operation go
// on together; when none does, the block's barrier is complete.
//
// "First" is by position: the calls and loops around an operation with their
// turns, and its line. A thread's position only grows, so no lane can come to
// the smallest one later. Lanes with equal positions came by the same calls, in
// the same turns.

#include <array>
#include <cxxabi.h>
#include <memory>
#include <ucontext.h>

#ifndef WARP
#define WARP 32
#endif

/// The lanes that are together in one operation, and what each brought.
struct Group {
  std::uint64_t lanes = 0;
  std::array<std::array<char, 64>, 64> values;
};

struct Fiber {
  enum State { ready, at_barrier, at_operation, ended };
  ucontext_t context;
  std::vector<char> stack;
  State state;
  std::vector<unsigned> position;
  std::array<char, 64> value;
  std::shared_ptr<Group> group;
};
inline std::vector<Fiber> fibers;
inline unsigned current_thread, current_block;
inline ucontext_t scheduler;
inline void (*start)(void *);
inline void *start_argument;
alignas(64) inline char dynamic_bytes[65536];

#define SHARED(T, N, NAME) static T NAME[N]
#define DYNAMIC(T, NAME) T *const NAME = reinterpret_cast<T *>(dynamic_bytes)
inline unsigned thread_of_block() { return current_thread; }
inline unsigned block_of_grid() { return current_block; }
inline unsigned lane_of_warp() { return current_thread % WARP; }
inline unsigned lanes_of_warp() { return WARP; }

/// A thread's exceptions: abi::__cxa_get_globals() gives those of all fibers.
struct Exceptions {
  void *caught = nullptr;
  unsigned uncaught = 0;
};

inline void wait(Fiber::State state) {
  Fiber &f = fibers[current_thread];
  f.state = state;
  auto &exceptions = reinterpret_cast<Exceptions &>(*abi::__cxa_get_globals());
  const Exceptions own = exceptions;
  exceptions = {};
  swapcontext(&f.context, &scheduler);
  exceptions = own;
}
inline void meet() { wait(Fiber::at_barrier); }

/// A loop or a call around what follows, as part of the position.
struct Scope {
  explicit Scope(unsigned line) {
    std::vector<unsigned> &p = fibers[current_thread].position;
    p.push_back(line);
    p.push_back(0);
  }
  ~Scope() {
    std::vector<unsigned> &p = fibers[current_thread].position;
    p.resize(p.size() - 2);
  }
  void turn() { ++fibers[current_thread].position.back(); }
};

template <class T> std::shared_ptr<Group> together(unsigned line, const T &v) {
  static_assert(sizeof(T) <= 64);
  Fiber &f = fibers[current_thread];
  std::memcpy(f.value.data(), &v, sizeof(T));
  f.position.push_back(line);
  wait(Fiber::at_operation);
  f.position.pop_back();
  return std::move(f.group);
}
inline std::uint64_t warp_ballot(unsigned line, bool p) {
  const auto group = together(line, p);
  std::uint64_t bits = 0;
  for (unsigned l = 0; l != WARP; ++l)
    if (group->lanes >> l & 1 && group->values[l][0])
      bits |= std::uint64_t(1) << l;
  return bits;
}
template <class T> T warp_shuffle(unsigned line, T v, unsigned lane) {
  const auto group = together(line, v);
  if (lane < WARP && group->lanes >> lane & 1)
    std::memcpy(&v, group->values[lane].data(), sizeof(T));
  return v;
}
inline unsigned lane_or_own(unsigned lane) {
  return lane < WARP ? lane : lane_of_warp();
}

#define LOOP if (Scope scope{__LINE__}; true)
#define TURN scope.turn();
#define CALL if (Scope scope{__LINE__}; true)
// The condition comes behind the body of the turn before.
#define AGAIN(OPERATION) LATER_##OPERATION
#define LATER_BALLOT(P) warp_ballot(1000000 + __LINE__, P)
#define LATER_ANY(P) (warp_ballot(1000000 + __LINE__, P) != 0)
#define LATER_ALL(P) (warp_ballot(1000000 + __LINE__, !(P)) == 0)
#define BALLOT(P) warp_ballot(__LINE__, P)
#define ANY(P) (warp_ballot(__LINE__, P) != 0)
#define ALL(P) (warp_ballot(__LINE__, !(P)) == 0)
#define SHUFFLE(V, LANE) warp_shuffle(__LINE__, V, LANE)
#define SHUFFLE_UP(V, BY)                                                      \
  warp_shuffle(__LINE__, V, lane_or_own(lane_of_warp() - (BY)))
#define SHUFFLE_DOWN(V, BY)                                                    \
  warp_shuffle(__LINE__, V, lane_or_own(lane_of_warp() + (BY)))
#define SHUFFLE_XOR(V, BY)                                                     \
  warp_shuffle(__LINE__, V, lane_or_own(lane_of_warp() ^ (BY)))
#define SYNC_WARP() (void)together(__LINE__, 0)

inline void run_fiber() {
  start(start_argument);
  fibers[current_thread].state = Fiber::ended;
}

/// Lets the lanes at each warp's first operation go on; false if none waits.
inline bool finish_operations() {
  bool any = false;
  for (unsigned warp = 0; warp < fibers.size(); warp += WARP) {
    const unsigned end = std::min<unsigned>(warp + WARP, fibers.size());
    const std::vector<unsigned> *first = nullptr;
    for (unsigned t = warp; t != end; ++t)
      if (fibers[t].state == Fiber::at_operation &&
          (!first || fibers[t].position < *first))
        first = &fibers[t].position;
    if (!first)
      continue;
    any = true;
    const auto group = std::make_shared<Group>();
    for (unsigned t = warp; t != end; ++t)
      if (Fiber &f = fibers[t];
          f.state == Fiber::at_operation && f.position == *first) {
        group->lanes |= std::uint64_t(1) << (t - warp);
        group->values[t - warp] = f.value;
        f.group = group;
      }
    for (unsigned t = warp; t != end; ++t)
      if (fibers[t].group == group)
        fibers[t].state = Fiber::ready;
  }
  return any;
}

inline bool finish_barrier() {
  bool any = false;
  for (Fiber &f : fibers)
    if (f.state == Fiber::at_barrier) {
      f.state = Fiber::ready;
      any = true;
    }
  return any;
}

template <class F> void run_threads(Shape shape, F body) {
  start = [](void *f) { (*static_cast<F *>(f))(); };
  start_argument = &body;
  fibers.resize(shape.x * shape.y * shape.z);
  const unsigned blocks = shape.blocks * shape.blocks_y * shape.blocks_z;
  for (current_block = 0; current_block != blocks; ++current_block) {
    for (Fiber &f : fibers) {
      f.stack.resize(1 << 17);
      f.state = Fiber::ready;
      f.position.clear();
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack.data();
      f.context.uc_stack.ss_size = f.stack.size();
      f.context.uc_link = &scheduler;
      makecontext(&f.context, run_fiber, 0);
    }
    do
      for (current_thread = 0; current_thread != fibers.size();
           ++current_thread)
        if (Fiber &f = fibers[current_thread]; f.state == Fiber::ready)
          swapcontext(&scheduler, &f.context);
    while (finish_operations() || finish_barrier());
  }
}

#define LAUNCH(SHAPE, KERNEL, ...)                                             \
  run_threads(SHAPE, [&] { KERNEL(__VA_ARGS__); })
#define PARALLEL_FOR(N, BODY)                                                  \
  for (std::size_t index = 0; index != (N); ++index)                           \
  BODY(index)

template <class T> struct Memory {
  std::vector<T> host;
  explicit Memory(std::size_t n) : host(n) {}
  T *data() { return host.data(); }
  void send() {}
  void fetch() {}
};
