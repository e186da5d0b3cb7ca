// Measuring when a stream's work ran
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "times.h"

namespace xcc::rt::cuda {

/// Check pending measurements each time so many have accumulated, for programs
/// that never wait.
static constexpr size_t LookEvery = 256;

/// Returns an unused event, or null if the driver makes none.
EventHandle Times::take() {
  if (!unused.empty()) {
    EventHandle e = unused.back();
    unused.pop_back();
    return e;
  }
  EventHandle e = nullptr;
  return theDriver.EventCreate(&e, EventDefault) == Success ? e : nullptr;
}

EventHandle Times::first(profile::Work *w, Stream work) {
  if (!w)
    return nullptr;
  profile::began(w);
  std::lock_guard lock(mutex);
  // Wait for the first point, to learn its time on the host's clock. The stream
  // seldom has other work then.
  if (w->track && !base && (base = take()) &&
      theDriver.EventRecord(base, work) == Success &&
      theDriver.EventSynchronize(base) == Success)
    baseTime = trace::now();
  EventHandle e = take();
  if (e && theDriver.EventRecord(e, work) == Success)
    return e;
  if (e)
    unused.push_back(e);
  return nullptr;
}

void Times::last(profile::Work *w, EventHandle begin, Stream work,
                 bool enqueued) {
  if (!w)
    return;
  std::lock_guard lock(mutex);
  EventHandle end = begin && enqueued ? take() : nullptr;
  if (end && theDriver.EventRecord(end, work) == Success) {
    pending.push_back({w, begin, end});
    if (pending.size() % LookEvery == 0)
      while (reportFirst())
        ;
    return;
  }
  for (EventHandle e : {begin, end})
    if (e)
      unused.push_back(e);
  if (enqueued)
    profile::ended(w, 0, 0);
  else
    profile::cancel(w);
}

/// The driver returns milliseconds as a float, which is imprecise for points
/// far apart. So the base moves forward.
uint64_t Times::timeOf(EventHandle e) {
  float milliseconds = 0;
  if (!baseTime ||
      theDriver.EventElapsedTime(&milliseconds, base, e) != Success)
    return 0;
  return baseTime + uint64_t(double(milliseconds) * 1e6);
}

/// Makes the event the base if it is far enough from the old one.
void Times::rebase(EventHandle e, uint64_t time) {
  constexpr uint64_t far = 2'000'000'000;
  if (time < baseTime + far) {
    unused.push_back(e);
    return;
  }
  unused.push_back(base);
  base = e;
  baseTime = time;
}

/// Reports the first pending measurement. Returns false if none is pending, or
/// the first still runs.
bool Times::reportFirst() {
  if (pending.empty())
    return false;
  Pending p = pending.front();
  Result r = theDriver.EventQuery(p.end);
  if (r == NotReady)
    return false;
  pending.pop_front();
  float milliseconds = 0;
  if (r == Success)
    r = theDriver.EventElapsedTime(&milliseconds, p.begin, p.end);
  if (r != Success) {
    profile::ended(p.work, 0, 0);
    return true;
  }
  // A profile alone needs only the difference, so the start may be unknown.
  uint64_t begin = timeOf(p.begin);
  uint64_t time = uint64_t(double(milliseconds) * 1e6 + 0.5);
  uint64_t from = begin ? begin : p.work->begin;
  profile::ended(p.work, from, from + time);
  rebase(p.begin, begin);
  unused.push_back(p.end);
  return true;
}

void Times::collect() {
  std::lock_guard lock(mutex);
  while (reportFirst())
    ;
}

void Times::abandon() {
  std::lock_guard lock(mutex);
  for (const Pending &p : pending)
    profile::ended(p.work, 0, 0);
  pending.clear();
}

} // namespace xcc::rt::cuda
