// libcu++'s pipelines: copies in stages
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
//     auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
//     pipe.producer_acquire();
//     cuda::memcpy_async(block, tile[stage], data, bytes, pipe);
//     pipe.producer_commit();
//     pipe.consumer_wait();                 // the oldest stage is there
//     use(tile[stage]);
//     pipe.consumer_release();              // it may be written again
//
// A copy is done when memcpy_async returns. So a thread's own pipeline waits for
// nothing, and one of a block is two barriers: all threads have copied before
// any uses a stage, and have used it before any writes it again. Threads of
// such a pipeline are producers and consumers at once.

#ifndef XCC_CUDA_PIPELINE_H
#define XCC_CUDA_PIPELINE_H

#include <xcc/cuda/cooperative_groups.h>
#include <xcc/cuda/standard.h>

#include <cstddef>
#include <cstdint>

namespace cuda {

/// What threads of a block share of a pipeline: nothing here.
template <thread_scope Scope, ::std::uint8_t Stages>
class pipeline_shared_state {};

enum class pipeline_role { producer, consumer };

template <thread_scope Scope> class pipeline {
  static_assert(Scope == thread_scope_thread || Scope == thread_scope_block,
                "a pipeline belongs to one thread or to one block");
  [[clang::convergent]] static void sync() {
    if constexpr (Scope == thread_scope_block)
      xcc::sync_block();
  }

public:
  void producer_acquire() {}
  void producer_commit() {}
  [[clang::convergent]] void consumer_wait() { sync(); }
  template <class Time>
  [[clang::convergent]] bool consumer_wait_for(const Time &) {
    sync();
    return true;
  }
  [[clang::convergent]] void consumer_release() { sync(); }
  bool quit() { return true; }
};

inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <thread_scope Scope, ::std::uint8_t Stages>
inline pipeline<Scope> make_pipeline(const cooperative_groups::thread_block &,
                                     pipeline_shared_state<Scope, Stages> *) {
  return {};
}
/// Of threads that only produce and others that only consume there is none.
template <thread_scope Scope, ::std::uint8_t Stages, class Role>
pipeline<Scope> make_pipeline(const cooperative_groups::thread_block &,
                              pipeline_shared_state<Scope, Stages> *,
                              Role) = delete;

/// Waits for all stages but the \p Latest.
template <::std::uint8_t Latest>
inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {}

} // namespace cuda

#endif // XCC_CUDA_PIPELINE_H
