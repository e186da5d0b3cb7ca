// Waits for other threads, on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block share a thread of the machine, so a blocking wait would
// block the very thread that is waited for. In the waits of the C and C++
// libraries (std::atomic::wait, std::barrier, std::latch, semaphores, condition
// variables, std::this_thread) each iteration therefore lets other threads run.
// A kernel that calls one runs its threads as fibers. A mutex alone needs no
// fibers: without them a thread ends before the next begins, and has unlocked
// its mutexes.

#include "xcc/abi.h"

#include <stdarg.h>
#include <stddef.h>

namespace {
constexpr int Interrupted = 4, Again = 11, Busy = 16, TimedOut = 110;
constexpr long SysFutex = 202, SysSchedYield = 24, SysClockNanosleep = 230,
               SysClockGettime = 228;
constexpr int Realtime = 0, Monotonic = 1;
constexpr long Second = 1'000'000'000;

struct Time {
  long seconds, nanoseconds;
};
} // namespace

extern "C" {
void __xcc_yield(uint32_t tries) noexcept; // the kernel then needs fibers
void __xcc_poll(uint32_t tries) noexcept;  // works with and without fibers
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
int *__errno_location() noexcept;
int pthread_mutex_trylock(void *mutex) noexcept;
int pthread_mutex_unlock(void *mutex) noexcept;
int pthread_rwlock_tryrdlock(void *lock) noexcept;
int pthread_rwlock_trywrlock(void *lock) noexcept;
int pthread_cond_signal(void *condition) noexcept;
int pthread_cond_broadcast(void *condition) noexcept;
int sem_trywait(void *semaphore) noexcept;
int mtx_unlock(void *mutex) noexcept;
int mtx_trylock(void *mutex) noexcept;
}

namespace {
/// Makes a system call. Returns its result, or -errno.
long enter(long number, long a = 0, long b = 0, long c = 0, long d = 0,
           long e = 0, long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

long number(const void *address) { return reinterpret_cast<long>(address); }

void moved() { __xcc_poll(uint32_t(XCC_CPU_YIELD_MOVED)); }

bool isPast(int clock, const Time *time) {
  Time now{};
  if (enter(SysClockGettime, clock, number(&now)) != 0)
    return true;
  return now.seconds > time->seconds ||
         (now.seconds == time->seconds && now.nanoseconds >= time->nanoseconds);
}

/// Locks an object as soon as the other thread unlocks it. \p time may be null:
/// no limit.
int take(int (*attempt)(void *) noexcept, void *object, int clock,
         const Time *time) {
  for (uint32_t tries = 0;; ++tries) {
    int result = attempt(object);
    if (result != Busy)
      return result;
    if (time && isPast(clock, time))
      return TimedOut;
    __xcc_poll(tries);
  }
}

int waitOn(void *mutex, int clock, const Time *time) {
  if (int bad = pthread_mutex_unlock(mutex))
    return bad;
  __xcc_yield(1);
  take(pthread_mutex_trylock, mutex, 0, nullptr);
  return time && isPast(clock, time) ? TimedOut : 0;
}

/// Waits until the word changes, or for some tries: the caller may wait for
/// something else, which host threads write.
long waitForWord(const uint32_t *word, uint32_t value, int clock,
                 const Time *until) {
  for (uint32_t tries = 1; tries != 8; ++tries) {
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) {
      moved();
      return tries == 1 ? -Again : 0;
    }
    if (until && isPast(clock, until))
      return -TimedOut;
    __xcc_yield(tries);
  }
  return 0;
}

long waitForWord(const uint32_t *word, long operation, uint32_t value,
                 const Time *time) {
  constexpr long wait = 0, realtimeClock = 256;
  int clock = (operation & realtimeClock) ? Realtime : Monotonic;
  Time until{};
  if (time && (operation & 127) == wait) { // the time is a duration
    clock = Monotonic;
    enter(SysClockGettime, clock, number(&until));
    until.seconds += time->seconds;
    until.nanoseconds += time->nanoseconds;
    if (until.nanoseconds >= Second) {
      until.nanoseconds -= Second;
      ++until.seconds;
    }
    time = &until;
  }
  return waitForWord(word, value, clock, time);
}

int sleepFor(int clock, int flags, const Time *time, Time *left) {
  long result =
      enter(SysClockNanosleep, clock, flags, number(time), number(left));
  __xcc_yield(uint32_t(XCC_CPU_YIELD_ANY));
  return int(-result);
}

int failed(int error) {
  if (!error)
    return 0;
  *__errno_location() = error;
  return -1;
}
} // namespace

extern "C" {
int sched_yield() noexcept {
  __xcc_yield(uint32_t(XCC_CPU_YIELD_ANY));
  return 0;
}
void thrd_yield() noexcept { __xcc_yield(uint32_t(XCC_CPU_YIELD_ANY)); }

/// <bits/atomic_wait.h> calls this.
long syscall(long number, ...) noexcept {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long &each : a)
    each = va_arg(list, long);
  va_end(list);
  long result;
  const long operation = number == SysFutex ? a[1] & 127 : -1;
  if (operation == 0 || operation == 9) {
    result = waitForWord(reinterpret_cast<const uint32_t *>(a[0]), a[1],
                         uint32_t(a[2]), reinterpret_cast<const Time *>(a[3]));
  } else {
    if (number == SysFutex)
      moved();
    else if (number == SysSchedYield)
      __xcc_yield(uint32_t(XCC_CPU_YIELD_ANY));
    result = enter(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  if (result >= 0 || result < -4095)
    return result;
  *__errno_location() = int(-result);
  return -1;
}

int clock_nanosleep(int clock, int flags, const Time *time, Time *left) {
  return sleepFor(clock, flags, time, left);
}
int nanosleep(const Time *time, Time *left) {
  return failed(sleepFor(Realtime, 0, time, left));
}
int usleep(unsigned microseconds) {
  Time time{microseconds / 1'000'000, microseconds % 1'000'000 * 1000L};
  return failed(sleepFor(Realtime, 0, &time, nullptr));
}
unsigned sleep(unsigned seconds) {
  Time time{long(seconds), 0}, left{};
  return sleepFor(Realtime, 0, &time, &left) ? unsigned(left.seconds) : 0;
}
int thrd_sleep(const Time *time, Time *left) {
  int result = sleepFor(Realtime, 0, time, left);
  return result == Interrupted ? -1 : result ? -2 : 0;
}

int pthread_mutex_lock(void *mutex) noexcept {
  return take(pthread_mutex_trylock, mutex, 0, nullptr);
}
int pthread_mutex_timedlock(void *mutex, const Time *time) noexcept {
  return take(pthread_mutex_trylock, mutex, Realtime, time);
}
int pthread_mutex_clocklock(void *mutex, int clock, const Time *time) noexcept {
  return take(pthread_mutex_trylock, mutex, clock, time);
}
int pthread_rwlock_rdlock(void *lock) noexcept {
  return take(pthread_rwlock_tryrdlock, lock, 0, nullptr);
}
int pthread_rwlock_timedrdlock(void *lock, const Time *time) noexcept {
  return take(pthread_rwlock_tryrdlock, lock, Realtime, time);
}
int pthread_rwlock_clockrdlock(void *lock, int clock,
                               const Time *time) noexcept {
  return take(pthread_rwlock_tryrdlock, lock, clock, time);
}
int pthread_rwlock_wrlock(void *lock) noexcept {
  return take(pthread_rwlock_trywrlock, lock, 0, nullptr);
}
int pthread_rwlock_timedwrlock(void *lock, const Time *time) noexcept {
  return take(pthread_rwlock_trywrlock, lock, Realtime, time);
}
int pthread_rwlock_clockwrlock(void *lock, int clock,
                               const Time *time) noexcept {
  return take(pthread_rwlock_trywrlock, lock, clock, time);
}

// A condition may be woken spuriously, and here every iteration is.
int pthread_cond_wait(void *, void *mutex) noexcept {
  return waitOn(mutex, 0, nullptr);
}
int pthread_cond_timedwait(void *, void *mutex, const Time *time) noexcept {
  return waitOn(mutex, Realtime, time);
}
int pthread_cond_clockwait(void *, void *mutex, int clock,
                           const Time *time) noexcept {
  return waitOn(mutex, clock, time);
}
int cnd_wait(void *, void *mutex) noexcept {
  return waitOn(mutex, 0, nullptr) ? 2 : 0;
}
int cnd_timedwait(void *, void *mutex, const Time *time) noexcept {
  int result = waitOn(mutex, Realtime, time);
  return result == TimedOut ? 4 : result ? 2 : 0;
}
int mtx_lock(void *mutex) noexcept { return pthread_mutex_lock(mutex) ? 2 : 0; }
int mtx_timedlock(void *mutex, const Time *time) noexcept {
  int result = pthread_mutex_timedlock(mutex, time);
  return result == TimedOut ? 4 : result ? 2 : 0;
}

int sem_clockwait(void *semaphore, int clock, const Time *time) {
  for (uint32_t tries = 0;; ++tries) {
    if (sem_trywait(semaphore) == 0)
      return 0;
    if (*__errno_location() != Again)
      return -1;
    if (time && isPast(clock, time))
      return failed(TimedOut);
    __xcc_yield(tries);
  }
}
int sem_timedwait(void *semaphore, const Time *time) {
  return sem_clockwait(semaphore, Realtime, time);
}
int sem_wait(void *semaphore) {
  return sem_clockwait(semaphore, Realtime, nullptr);
}

int pthread_barrier_wait(void *) noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT,
             "pthread_barrier_wait was called, which cannot synchronise "
             "threads of a block; use std::barrier or xcc::sync_block()",
             nullptr, 0);
}
}

// The functions of std::condition_variable, which are in libstdc++'s library.
// The object begins with the C library's condition; std::unique_lock begins
// with the address of its mutex.
void waitForCondition(void *condition, void **lock) noexcept
    __asm__("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void waitForCondition(void *, void **lock) noexcept {
  waitOn(*lock, 0, nullptr);
}
void notifyOne(void *condition) noexcept
    __asm__("_ZNSt18condition_variable10notify_oneEv");
void notifyOne(void *condition) noexcept {
  moved();
  pthread_cond_signal(condition);
}
void notifyAll(void *condition) noexcept
    __asm__("_ZNSt18condition_variable10notify_allEv");
void notifyAll(void *condition) noexcept {
  moved();
  pthread_cond_broadcast(condition);
}

// The waits of std::future.
bool waitForFuture(void *, uint32_t *word, uint32_t value, bool limited,
                   long seconds, long nanoseconds) noexcept
    __asm__("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6"
            "chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEE"
            "E");
bool waitForFuture(void *, uint32_t *word, uint32_t value, bool limited,
                   long seconds, long nanoseconds) noexcept {
  Time time{seconds, nanoseconds};
  return waitForWord(word, value, Realtime, limited ? &time : nullptr) !=
         -TimedOut;
}
bool waitForFutureSteady(void *, uint32_t *word, uint32_t value, bool limited,
                         long seconds, long nanoseconds) noexcept
    __asm__("_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPj"
            "jbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000"
            "000EEEE");
bool waitForFutureSteady(void *, uint32_t *word, uint32_t value, bool limited,
                         long seconds, long nanoseconds) noexcept {
  Time time{seconds, nanoseconds};
  return waitForWord(word, value, Monotonic, limited ? &time : nullptr) !=
         -TimedOut;
}
