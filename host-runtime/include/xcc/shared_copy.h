// Copies to block-shared memory that go on while the kernel does
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     static xcc::block_shared<float[2][256]> part;
//     auto begin = [&](unsigned n) {             // the n-th part of the data
//       xcc::copy_to_shared_async(&part[n % 2][t], data + n * 256 + t);
//       xcc::commit_shared_copies();
//     };
//     begin(0);
//     for (unsigned n = 0; n + 1 < parts; ++n) {
//       begin(n + 1);
//       xcc::wait_shared_copies<1>();            // all but the latest are there
//       xcc::sync_block();                       // for all threads
//       use(part[n % 2]);
//       xcc::sync_block();                       // before it is written again
//     }
//
// NVIDIA GPUs since sm_80 copy without registers, while the thread continues
// (cp.async of the PTX ISA, 9.7.9.25.3). Everywhere else a copy is complete when
// the call returns; a program that waits for it behaves the same. Errors and
// threads: as in <xcc/device.h>.

#ifndef XCC_SHARED_COPY_H
#define XCC_SHARED_COPY_H

#include <xcc/device.h>

#include <cstddef>
#include <type_traits>

#ifdef __XCC_SHARED_COPIES__
extern "C" {
void __xcc_copy_shared_16(void *to, const void *from) noexcept;
void __xcc_copy_shared_8(void *to, const void *from) noexcept;
void __xcc_copy_shared_4(void *to, const void *from) noexcept;
void __xcc_commit_shared_copies() noexcept;
void __xcc_wait_shared_copies(unsigned pending) noexcept;
}
#endif

namespace xcc {

/// Begins to copy \p count objects from \p from in device memory to \p to in
/// block-shared memory, byte by byte. Only the calling thread copies. Until it
/// has waited for the copy (wait_shared_copies), the contents of \p to are
/// unspecified, and \p from must not change. Other threads of the block see the
/// objects after a barrier that follows the wait.
///
///     xcc::copy_to_shared_async(&tile[t], data + i);
///
/// The hardware copies 16, 8 or 4 bytes at a time, as the type's size and
/// alignment allow, so that `struct alignas(16) float4` is best; other types are
/// copied at once.
template <class Type>
inline void copy_to_shared_async(Type *to, const Type *from,
                                 std::size_t count = 1) noexcept {
  static_assert(std::is_trivially_copyable_v<Type>,
                "what is copied to block-shared memory is copied byte by byte");
#ifdef __XCC_SHARED_COPIES__
  constexpr std::size_t unit = alignof(Type) >= 16 && sizeof(Type) % 16 == 0
                                   ? 16
                               : alignof(Type) >= 8 ? 8
                               : alignof(Type) >= 4 ? 4
                                                    : 0;
  if constexpr (unit != 0) {
    auto *target = reinterpret_cast<char *>(to);
    auto *source = reinterpret_cast<const char *>(from);
    for (std::size_t at = 0; at != count * sizeof(Type); at += unit) {
      if constexpr (unit == 16)
        __xcc_copy_shared_16(target + at, source + at);
      else if constexpr (unit == 8)
        __xcc_copy_shared_8(target + at, source + at);
      else
        __xcc_copy_shared_4(target + at, source + at);
    }
    return;
  }
#endif
  for (std::size_t at = 0; at != count; ++at)
    to[at] = from[at];
}

/// Makes a group of the copies that the thread has begun since the last one.
///
///     xcc::commit_shared_copies();
inline void commit_shared_copies() noexcept {
#ifdef __XCC_SHARED_COPIES__
  __xcc_commit_shared_copies();
#endif
}

/// Waits until all but the \p Latest groups that the thread committed last have
/// arrived; if that is 0, until all of its copies have, committed or not.
///
///     xcc::wait_shared_copies();
template <unsigned Latest = 0> inline void wait_shared_copies() noexcept {
  static_assert(Latest < 8,
                "at most seven of the latest groups may be pending");
#ifdef __XCC_SHARED_COPIES__
  __xcc_wait_shared_copies(Latest);
#endif
}

} // namespace xcc

#endif // XCC_SHARED_COPY_H
