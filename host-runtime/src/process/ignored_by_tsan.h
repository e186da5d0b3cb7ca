// Hiding the runtime's accesses from ThreadSanitizer
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a program under ThreadSanitizer the runtime may not be instrumented. Then
// ThreadSanitizer does not see the atomics and static variables that order the
// runtime's threads, but it sees their memory accesses through libraries. These
// would look like races.

#ifndef XCC_SRC_PROCESS_IGNORED_BY_TSAN_H
#define XCC_SRC_PROCESS_IGNORED_BY_TSAN_H

#if defined(__SANITIZE_THREAD__)
#define XCC_RT_SEEN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define XCC_RT_SEEN 1
#endif
#endif

extern "C" {
// Other names, because the library's own are in another style.
[[gnu::weak]] void ignoreReads(const char *file,
                               int line) asm("AnnotateIgnoreReadsBegin");
[[gnu::weak]] void checkReads(const char *file,
                              int line) asm("AnnotateIgnoreReadsEnd");
[[gnu::weak]] void ignoreWrites(const char *file,
                                int line) asm("AnnotateIgnoreWritesBegin");
[[gnu::weak]] void checkWrites(const char *file,
                               int line) asm("AnnotateIgnoreWritesEnd");
}

namespace xcc::rt {

#ifdef XCC_RT_SEEN
inline bool ignoresAccesses() { return false; }
#else
/// Is this an uninstrumented runtime in a program with ThreadSanitizer?
inline bool ignoresAccesses() { return ignoreReads != nullptr; }
#endif

/// While it lives, ThreadSanitizer ignores the calling thread's accesses. Does
/// nothing in an instrumented runtime, and without ThreadSanitizer.
class IgnoredByTsan {
public:
  IgnoredByTsan() {
    if (ignoresAccesses()) [[unlikely]]
      begin();
  }
  ~IgnoredByTsan() {
    if (ignoresAccesses()) [[unlikely]]
      end();
  }
  IgnoredByTsan(const IgnoredByTsan &) = delete;
  /// The same for most of a thread's life.
  static void beginThread() {
    if (ignoresAccesses())
      begin();
  }
  static void endThread() {
    if (ignoresAccesses())
      end();
  }

private:
  friend class SeenByTsan;
  static void begin() {
    ++depth;
    ignoreReads(nullptr, 0);
    ignoreWrites(nullptr, 0);
  }
  static void end() {
    --depth;
    checkWrites(nullptr, 0);
    checkReads(nullptr, 0);
  }
  static inline thread_local unsigned depth = 0;
};

/// Inside an Unseen: lets ThreadSanitizer see accesses again, so that memory
/// for the program counts as new.
class SeenByTsan {
public:
  SeenByTsan() : depth(ignoresAccesses() ? IgnoredByTsan::depth : 0) {
    for (unsigned i = 0; i != depth; ++i)
      IgnoredByTsan::end();
  }
  ~SeenByTsan() {
    for (unsigned i = 0; i != depth; ++i)
      IgnoredByTsan::begin();
  }
  SeenByTsan(const SeenByTsan &) = delete;

private:
  const unsigned depth;
};

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_IGNORED_BY_TSAN_H
