// The work of a stream
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stream.h"
#include "test/mock/lateness.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace mock {

//===----------------------------------------------------------------------===//
// One stream
//===----------------------------------------------------------------------===//

void Line::add(Engine::Work w, Engine::Order how) {
  std::lock_guard lock(mutex);
  waiting.push_back({std::move(w), how});
  ++added;
  if (!begun) {
    begun = true;
    std::thread([this] { run(); }).detach(); // lives as long as the process
  }
}

uint64_t Line::submitted() {
  std::lock_guard lock(mutex);
  return added;
}

bool Line::wantLocked(uint64_t count) {
  count = std::min(count, added);
  if (count <= wanted)
    return false;
  wanted = count;
  looks = 0;
  changed.notify_all();
  return true;
}

bool Line::want(uint64_t count) {
  std::lock_guard lock(mutex);
  return wantLocked(count);
}

void Line::goAfter(Line &other, uint64_t count) {
  std::lock_guard lock(mutex);
  earlier.push_back({&other, count});
}

void Line::finish() {
  std::unique_lock lock(mutex);
  const uint64_t until = added;
  wantLocked(until);
  changed.wait(lock, [&] { return done >= until; });
}

bool Line::idle() {
  std::lock_guard lock(mutex);
  if (done == added)
    return true;
  askedLocked();
  return false;
}

void Line::asked() {
  std::lock_guard lock(mutex);
  askedLocked();
}

void Line::askedLocked() {
  if (++looks < 2)
    return;
  looks = 0;
  wantLocked(added);
}

bool Line::isWaiting() {
  std::lock_guard lock(mutex);
  return wanted < added;
}

bool Line::tick() {
  std::lock_guard lock(mutex);
  wantLocked(atTick);
  atTick = added;
  return wanted < added;
}

void Line::run() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return taken < wanted; });
    waitForOthers(lock);
    doNext(lock);
  }
}

void Line::waitForOthers(std::unique_lock<std::mutex> &lock) {
  constexpr std::chrono::milliseconds patience(20);
  std::vector<Earlier> first;
  first.swap(earlier);
  lock.unlock();
  for (const Earlier &e : first) {
    std::unique_lock theirs(e.line->mutex);
    e.line->changed.wait_for(theirs, patience,
                             [&] { return e.line->done >= e.count; });
  }
  lock.lock();
}

void Line::doNext(std::unique_lock<std::mutex> &lock) {
  auto [work, how] = std::move(waiting.front());
  waiting.pop_front();
  ++taken;
  // Who sees the point reached must see the stream idle.
  done += how == Engine::Point;
  lock.unlock();
  bool dead;
  {
    std::lock_guard known(state().mutex);
    dead = state().fault != Success;
  }
  if (how != Engine::Usual || !dead)
    if (Result r = work()) {
      std::lock_guard known(state().mutex);
      if (!state().fault)
        state().fault = r;
    }
  work = nullptr;
  lock.lock();
  done += how != Engine::Point;
  changed.notify_all();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Line &Lines::of(Stream s) {
  std::lock_guard lock(mutex);
  Line *&l = lines[s];
  if (!l)
    l = new Line;
  return *l;
}

std::vector<Line *> Lines::all() {
  std::lock_guard lock(mutex);
  std::vector<Line *> out;
  for (auto &[s, l] : lines)
    out.push_back(l);
  return out;
}

/// By the seed, other streams that have work begin as well, and some of them
/// have to be done with it first.
void Lines::want(Line &l, uint64_t count) {
  if (workBegins() == Begins::Seeded)
    for (Line *other : all())
      if (other != &l && other->isWaiting() && throwDice(2)) {
        const uint64_t all = other->submitted();
        if (throwDice(2))
          l.goAfter(*other, all);
        other->want(all);
      }
  l.want(count);
}

void Lines::want(Stream s, uint64_t count) { want(of(s), count); }

void Lines::add(Stream s, Engine::Work w, Engine::Order how) {
  Line &l = of(s);
  l.add(std::move(w), how);
  const Begins when = workBegins();
  if (when == Begins::AtOnce || (when == Begins::Seeded && throwDice(4) == 0))
    l.want(l.submitted());
  else
    watchPending([] { return allLines().tick(); });
}

void Lines::finish(Stream s) {
  Line &l = of(s);
  want(l, l.submitted());
  l.finish();
}

void Lines::finishAll() {
  const std::vector<Line *> each = all();
  for (Line *l : each)
    want(*l, l->submitted());
  for (Line *l : each)
    l->finish();
}

bool Lines::tick() {
  bool left = false;
  for (Line *l : all())
    left |= l->tick();
  return left;
}

Lines &allLines() {
  static Lines &all = *new Lines; // streams run until the process ends
  return all;
}

} // namespace mock
