// Random scripts over scopes, streams and devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mapping.py writes classes, and a main() that runs scripts over objects of
// them. Each object has a copy that only the host knows. What a kernel does to
// an object, the same function does to the copy on the host; whenever the host
// may look at an object, the two have to be the same.

#ifndef XCC_TEST_RANDOM_MAPPED_OBJECTS_H
#define XCC_TEST_RANDOM_MAPPED_OBJECTS_H

#include <xcc/xcc.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

using Numbers = std::vector<unsigned>;
constexpr std::size_t Threads = 48; ///< no object has more elements in a row

/// Refers to elements of another object.
struct View {
  unsigned *first;
  std::size_t count;
};

/// Plain pointers to a constant of the program.
struct Text {
  const char *first, *at;
};

//===----------------------------------------------------------------------===//
// What is done to an object of any type: element i is thread i's
//===----------------------------------------------------------------------===//

inline unsigned mix(unsigned x, unsigned i, unsigned c) {
  return x * 3 + c + i;
}

inline void touch(unsigned &x, std::size_t i, unsigned c) {
  if (i == 0)
    x = mix(x, 1, c);
}
inline void touch(Numbers &x, std::size_t i, unsigned c) {
  if (i < x.size())
    x[i] = mix(x[i], unsigned(i), c);
}
inline void touch(View &x, std::size_t i, unsigned c) {
  if (i < x.count)
    x.first[i] = mix(x.first[i], unsigned(i), c);
}
inline void touch(Text &x, std::size_t i, unsigned c) {
  if (i == 0 && x.at)
    x.at = *x.at ? x.at + 1 : x.first + c % 2;
}
inline void touch(std::string &x, std::size_t i, unsigned c) {
  if (i < x.size())
    x[i] = char('a' + mix(unsigned(x[i]), unsigned(i), c) % 26);
}
inline void touch(std::array<unsigned, 4> &x, std::size_t i, unsigned c) {
  if (i < x.size())
    x[i] = mix(x[i], unsigned(i), c);
}
template <class T> void touch(std::vector<T> &x, std::size_t i, unsigned c);
template <class T> void touch(std::optional<T> &x, std::size_t i, unsigned c) {
  if (x)
    touch(*x, i, c);
}
template <class T>
void touch(std::unique_ptr<T> &x, std::size_t i, unsigned c) {
  if (x)
    touch(*x, i, c);
}
inline void touch(std::variant<unsigned, Numbers> &x, std::size_t i,
                  unsigned c) {
  if (auto *number = std::get_if<unsigned>(&x))
    touch(*number, i, c);
  else
    touch(*std::get_if<Numbers>(&x), i, c);
}
template <class T> void touch(std::vector<T> &x, std::size_t i, unsigned c) {
  for (T &each : x)
    touch(each, i, ++c);
}

template <class T> bool same(const T &a, const T &b) { return a == b; }
inline bool same(const View &a, const View &b) { return a.count == b.count; }
inline bool same(const Text &a, const Text &b) {
  return a.first == b.first && a.at == b.at;
}
template <class T>
bool same(const std::unique_ptr<T> &a, const std::unique_ptr<T> &b) {
  return a ? b && same(*a, *b) : !b;
}
template <class T>
bool same(const std::optional<T> &a, const std::optional<T> &b) {
  return a ? b && same(*a, *b) : !b;
}
template <class T> bool same(const std::vector<T> &a, const std::vector<T> &b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i != a.size(); ++i)
    if (!same(a[i], b[i]))
      return false;
  return true;
}

using Random = std::mt19937;
inline unsigned below(Random &r, unsigned n) { return unsigned(r() % n); }

inline void build(unsigned &x, Random &r) { x = below(r, 1000); }
inline void build(Numbers &x, Random &r) {
  x.resize(below(r, 8) ? 1 + below(r, 40) : 0);
  for (unsigned &each : x)
    each = below(r, 1000);
}
inline void build(Text &x, Random &r) {
  static const char *const words[] = {"one", "seventeen", "a longer text",
                                      nullptr};
  x.first = x.at = words[below(r, 4)];
}
inline void build(std::string &x, Random &r) {
  x.resize(1 + below(r, 40));
  for (char &each : x)
    each = char('a' + below(r, 26));
}
inline void build(std::array<unsigned, 4> &x, Random &r) {
  for (unsigned &each : x)
    each = below(r, 1000);
}
template <class T> void build(std::vector<T> &x, Random &r) {
  x.resize(1 + below(r, 3));
  for (T &each : x)
    build(each, r);
}
template <class T> void build(std::optional<T> &x, Random &r) {
  if (below(r, 3))
    build(x.emplace(), r);
}
template <class T> void build(std::unique_ptr<T> &x, Random &r) {
  if (below(r, 3)) {
    x = std::make_unique<T>();
    build(*x, r);
  }
}
inline void build(std::variant<unsigned, Numbers> &x, Random &r) {
  if (below(r, 2))
    build(x.emplace<Numbers>(), r);
  else
    build(x.emplace<unsigned>(), r);
}

/// Takes a while, so that who does not wait is wrong.
inline unsigned slowly(unsigned c) {
  unsigned x = c;
  for (unsigned i = 0; i != 400; ++i)
    x = x * 1664525u + 1013904223u;
  return x;
}

//===----------------------------------------------------------------------===//
// Parts of objects, whatever their types
//===----------------------------------------------------------------------===//

using Scope = std::unique_ptr<xcc::map>;

struct Ops {
  void (*launch)(void *, xcc::stream &, unsigned form, unsigned c);
  void (*read)(void *, Numbers &out, xcc::stream &, unsigned c);
  void (*onHost)(void *, unsigned c);
  void (*readOnHost)(void *, Numbers &out, unsigned c);
  bool (*same)(const void *, const void *);
  Scope (*hold)(void *);
  void (*toHost)(xcc::map &, void *);
  void (*toDevice)(xcc::map &, void *);
};

template <class T>
void copyOut(const T &x, std::size_t i, unsigned c, Numbers &out) {
  // A copy of numbers alone would do; objects are read as they are.
  if constexpr (std::is_same_v<T, Numbers>)
    out[i] = i < x.size() ? x[i] + c : c;
  else if constexpr (std::is_same_v<T, std::string>)
    out[i] = i < x.size() ? unsigned(x[i]) + c : c;
  else
    out[i] = c + unsigned(i);
}

template <class T> struct OpsOf {
  static T &at(void *x) { return *static_cast<T *>(x); }
  static void launch(void *of, xcc::stream &s, unsigned form, unsigned c) {
    T &x = at(of);
    if (form == 0)
      xcc::parallel_for(s, Threads, [&x, c](std::size_t i) { touch(x, i, c); });
    else
      xcc::parallel_for(s, Threads,
                        [&x, c](std::size_t i) { touch(x, i, slowly(c)); });
  }
  static void read(void *of, Numbers &out, xcc::stream &s, unsigned c) {
    const T &x = at(of);
    xcc::parallel_for(s, Threads,
                      [&x, &out, c](std::size_t i) { copyOut(x, i, c, out); });
  }
  static void onHost(void *of, unsigned c) {
    for (std::size_t i = 0; i != Threads; ++i)
      touch(at(of), i, c);
  }
  static void readOnHost(void *of, Numbers &out, unsigned c) {
    for (std::size_t i = 0; i != Threads; ++i)
      copyOut(at(of), i, c, out);
  }
  static bool isSame(const void *a, const void *b) {
    return same(*static_cast<const T *>(a), *static_cast<const T *>(b));
  }
  static Scope hold(void *x) { return std::make_unique<xcc::map>(at(x)); }
  static void toHost(xcc::map &scope, void *x) { scope.to_host(at(x)); }
  static void toDevice(xcc::map &scope, void *x) { scope.to_device(at(x)); }
  static constexpr Ops ops{launch, read, onHost, readOnHost,
                           isSame, hold, toHost, toDevice};
};

struct Part {
  std::string name;
  void *real, *copy;
  const Ops *ops;
  std::size_t index, end; ///< it, and what is in it, in the list of parts
  Numbers *numbers, *numbersCopy;       ///< null if it is something else
  std::size_t target = ~std::size_t(0); ///< of a View
};

/// A scope over several members: what mapping.py writes for a class.
struct Several {
  std::size_t object; ///< the part
  std::vector<std::size_t> members;
  Scope (*hold)(void *);
};

struct Parts : std::vector<Part> {
  std::size_t find(const std::string &name) const {
    for (const Part &p : *this)
      if (p.name == name)
        return p.index;
    std::abort();
  }
  Several several(const std::string &object,
                  const std::vector<std::string> &members,
                  Scope (*hold)(void *)) const {
    Several s{find(object), {}, hold};
    for (const std::string &m : members)
      s.members.push_back(find(m));
    return s;
  }
  template <class T> std::size_t open(T &real, T &copy, std::string name) {
    Part p{std::move(name), &real,   &copy,          &OpsOf<T>::ops, size(), 0,
           nullptr,         nullptr, ~std::size_t(0)};
    if constexpr (std::is_same_v<T, Numbers>)
      p.numbers = &real, p.numbersCopy = &copy;
    push_back(std::move(p));
    return size() - 1;
  }
  void finish(std::size_t part) { (*this)[part].end = size(); }
};

template <class T>
void list(Parts &parts, T &real, T &copy, const std::string &name) {
  parts.finish(parts.open(real, copy, name));
}
template <class T>
void list(Parts &parts, std::vector<T> &real, std::vector<T> &copy,
          const std::string &name);
inline void list(Parts &parts, Numbers &real, Numbers &copy,
                 const std::string &name) {
  parts.finish(parts.open(real, copy, name));
}
/// Of what holds one object, or none.
template <class Holder>
void listHolder(Parts &parts, Holder &real, Holder &copy,
                const std::string &name) {
  std::size_t own = parts.open(real, copy, name);
  if (real)
    list(parts, *real, *copy, "*" + name);
  parts.finish(own);
}
template <class T>
void list(Parts &parts, std::optional<T> &real, std::optional<T> &copy,
          const std::string &name) {
  listHolder(parts, real, copy, name);
}
template <class T>
void list(Parts &parts, std::unique_ptr<T> &real, std::unique_ptr<T> &copy,
          const std::string &name) {
  listHolder(parts, real, copy, name);
}
template <class T>
void list(Parts &parts, std::vector<T> &real, std::vector<T> &copy,
          const std::string &name) {
  std::size_t own = parts.open(real, copy, name);
  for (std::size_t i = 0; i != real.size(); ++i)
    list(parts, real[i], copy[i], name + "[" + std::to_string(i) + "]");
  parts.finish(own);
}

/// Views of containers among the parts, while \p run is called.
template <class F> void addViews(Parts &parts, unsigned seed, F &&run) {
  Random r(seed + 1);
  View views[2]{}, copies[2]{};
  const std::size_t before = parts.size();
  for (int k = 0; k != 2; ++k) {
    std::size_t of = below(r, unsigned(before));
    if (!parts[of].numbers)
      continue;
    views[k] = {parts[of].numbers->data(), parts[of].numbers->size()};
    copies[k] = {parts[of].numbersCopy->data(), parts[of].numbersCopy->size()};
    list(parts, views[k], copies[k], "view of " + parts[of].name);
    parts.back().target = of;
  }
  run();
}

/// Adds: two objects in one kernel, or one under two names.
inline void add(Numbers &to, const Numbers &from, xcc::stream &s) {
  xcc::parallel_for(s, Threads, [&to, &from](std::size_t i) {
    if (i < to.size() && i < from.size())
      to[i] += from[i] + 1;
  });
}
inline void addOnHost(Numbers &to, const Numbers &from) {
  for (std::size_t i = 0; i < to.size() && i < from.size(); ++i)
    to[i] += from[i] + 1;
}
/// Writes all without reading. The host may not look at the container itself
/// while a kernel may change it.
inline void overwrite(Numbers &to, std::size_t size, xcc::stream &s,
                      unsigned c) {
  xcc::parallel_for(s, size,
                    [&to, c](std::size_t i) { to[i] = unsigned(i) * 7 + c; });
}
inline void overwriteOnHost(Numbers &to, unsigned c) {
  for (std::size_t i = 0; i != to.size(); ++i)
    to[i] = unsigned(i) * 7 + c;
}
/// Through a plain pointer.
inline void point(Numbers &to, xcc::stream &s, unsigned c) {
  unsigned *first = to.data();
  std::size_t count = to.size();
  xcc::parallel_for(s, Threads, [=](std::size_t i) {
    if (i < count)
      first[i] = mix(first[i], unsigned(i), c);
  });
}
/// Both halves as elements.
inline void half(Numbers &to, std::size_t size, xcc::stream &s, unsigned c,
                 bool second) {
  std::size_t from = second ? size / 2 : 0, end = second ? size : size / 2;
  xcc::parallel_for(s, Threads, [&to, c, from, end](std::size_t i) {
    if (i >= from && i < end)
      to[i] = mix(to[i], unsigned(i), c);
  });
}
inline void halfOnHost(Numbers &to, unsigned c, bool second) {
  std::size_t from = second ? to.size() / 2 : 0,
              end = second ? to.size() : to.size() / 2;
  for (std::size_t i = from; i != end; ++i)
    to[i] = mix(to[i], unsigned(i), c);
}
/// Kernels change addresses.
inline void exchange(Numbers &a, Numbers &b, xcc::stream &s) {
  xcc::parallel_for(s, 1, [&a, &b](std::size_t) { std::swap(a, b); });
}
inline void viewed(View &v, Numbers &of, xcc::stream &s, unsigned c) {
  xcc::parallel_for(s, Threads, [&v, &of, c](std::size_t i) {
    touch(v, i, c);
    if (i < of.size())
      of[i] += 1;
  });
}

//===----------------------------------------------------------------------===//
// Scripts
//===----------------------------------------------------------------------===//

struct OpenScope {
  Scope scope;
  int device;
  std::vector<std::size_t> parts;
  /// Of which a view is held: its elements alone are.
  std::size_t viewed = ~std::size_t(0);
};

class Script {
public:
  Script(unsigned seed, Parts &parts, std::vector<Several> &several, bool trace)
      : random(seed * 7919 + 17), seed(seed), parts(parts), several(several),
        trace(trace), devices(countDevices()), out(Threads, 0),
        outCopy(Threads, 0) {
    for (int d = 0; d != devices; ++d) {
      xcc::device::get(d).set_current();
      // Devices that share the host's memory know of no objects, and order
      // nothing.
      for (int s = 0; s != (isSeparate() ? 3 : 1); ++s)
        streams[d].push_back(std::make_unique<xcc::stream>());
    }
    features = random();
    if (below(random, 3) == 0)
      devices = 1;
    current = 0;
    xcc::device::get(0).set_current();
  }

  /// False when something is not right; `why` says what.
  bool run(unsigned steps) {
    try {
      for (unsigned i = 0; i != steps && why.empty(); ++i)
        step(i);
      while (!scopes.empty() && why.empty())
        endScope(below(random, unsigned(scopes.size())));
      synchronize();
      look("in the end");
    } catch (const xcc::error &e) {
      if (why.empty())
        why = std::string("threw: ") + e.what();
    }
    // The objects go: nothing may come back to them.
    while (!scopes.empty())
      scopes.pop_back();
    try {
      synchronize();
    } catch (const xcc::error &e) {
      if (why.empty())
        why = std::string("threw in the end: ") + e.what();
    }
    return why.empty();
  }
  std::string why;
  unsigned refused = 0, launches = 0;

private:
  void say(const char *what, const std::string &on = "") {
    if (trace)
      std::fprintf(stderr, "%u: device %d: %s %s\n", seed, current, what,
                   on.c_str());
  }
  bool within(std::size_t part, std::size_t of) const {
    return part >= of && part < parts[of].end;
  }
  bool meet(std::size_t a, std::size_t b) const {
    return within(a, b) || within(b, a);
  }
  /// Does a scope on that device (-1: any) hold all of a part?
  OpenScope *covering(std::size_t part, int device) {
    for (OpenScope &s : scopes)
      for (std::size_t held : s.parts)
        if ((device < 0 || s.device == device) && within(part, held))
          return &s;
    return nullptr;
  }
  bool isHeldInPart(std::size_t part, int device = -1) const {
    for (const OpenScope &s : scopes) {
      if (device >= 0 && s.device != device)
        continue;
      for (std::size_t held : s.parts)
        if (meet(part, held))
          return true;
      if (s.viewed != ~std::size_t(0) && meet(part, s.viewed))
        return true;
    }
    return false;
  }
  /// Is every scope that holds some of one over all of both?
  bool heldAlike(std::size_t a, std::size_t b) const {
    for (const OpenScope &s : scopes) {
      bool both = false, any = false;
      for (std::size_t held : s.parts) {
        any |= meet(a, held) || meet(b, held);
        both |= within(a, held) && within(b, held);
      }
      if (any && !both)
        return false;
    }
    return true;
  }
  std::size_t anyPart() { return below(random, unsigned(parts.size())); }
  /// ~0: there is none.
  std::size_t anyNumbers() {
    for (int i = 0; i != 20; ++i)
      if (std::size_t p = anyPart(); parts[p].numbers)
        return p;
    return ~std::size_t(0);
  }
  /// Those in front that have memory of their own.
  static int countDevices() {
    int n = 0;
    for (; n < std::min(xcc::device::count(), 2); ++n) {
      xcc::device::get(n).set_current();
      if (!isSeparate())
        break;
    }
    return std::max(n, 1);
  }
  static bool isSeparate() {
    const char *mode = std::getenv("XCC_CPU_SEPARATE");
    return std::strcmp(xcc::device::current().kind(), "host") != 0 ||
           (mode && *mode != '0');
  }
  xcc::stream &anyStream() {
    auto &all = streams[std::size_t(current)];
    return *all[below(random, 3) % all.size()];
  }
  void synchronize() {
    for (int d = 0; d != int(streams.size()); ++d)
      if (!streams[d].empty())
        xcc::device::get(d).synchronize();
  }
  void check(std::size_t part, const char *when) {
    const Part &p = parts[part];
    bool right = p.ops->same(p.real, p.copy);
    if (p.target != ~std::size_t(0))
      right =
          static_cast<View *>(p.real)->first == parts[p.target].numbers->data();
    if (why.empty() && !right)
      why = parts[part].name + " is wrong " + when;
  }
  /// At all that no scope holds, when nothing is in flight.
  void look(const char *when) {
    // Members before what they are members of: messages name the smallest.
    for (std::size_t p = parts.size(); p--;)
      if (!isHeldInPart(p))
        check(p, when);
    if (why.empty() && out != outCopy)
      why = std::string("what was read is wrong ") + when;
  }
  /// Of an object of which scopes hold a part alone, a launch is refused.
  template <class F> bool attempt(std::size_t part, F &&f) {
    try {
      f();
      ++launches;
      return true;
    } catch (const xcc::error &e) {
      bool partly = isHeldInPart(part, current) && !covering(part, current);
      if (partly && std::strstr(e.what(), "of which only a part is mapped")) {
        ++refused;
        say("  refused");
        return false;
      }
      throw;
    }
  }

  void endScope(std::size_t n) {
    OpenScope s = std::move(scopes[n]);
    scopes.erase(scopes.begin() + long(n));
    say("end of scope", parts[s.parts[0]].name);
    if (below(random, 2))
      xcc::device::get(s.device).synchronize();
    s.scope->end();
  }

  void step(unsigned number) {
    if (devices > 1 && below(random, 3) == 0) {
      current = int(below(random, unsigned(devices)));
      xcc::device::get(current).set_current();
    }
    const unsigned c = number * 13 + 1;
    switch (below(random, 16)) {
    case 0:
    case 1:
      return beginScope();
    case 2:
      if (!scopes.empty())
        endScope(below(random, unsigned(scopes.size())));
      return;
    case 3:
      if (!scopes.empty()) // moved about
        std::swap(scopes.front(), scopes.back());
      return;
    case 4:
      synchronize();
      say("synchronize");
      return look("after synchronize");
    case 5:
    case 6:
      return changeOnHost(c);
    case 7:
      return fetch();
    default:
      return launch(c);
    }
  }

  void beginScope() {
    if (scopes.size() > 4)
      return;
    std::vector<std::size_t> held;
    Scope made;
    std::size_t part = anyPart();
    std::size_t viewed = ~std::size_t(0);
    if (!several.empty() && below(random, 2)) {
      Several &s = several[below(random, unsigned(several.size()))];
      for (std::size_t m : s.members)
        held.push_back(m);
      part = s.object;
      say("scope of several of", parts[part].name);
      // Some of them may be held in part.
      bool partly = false;
      for (std::size_t m : held)
        partly |= isHeldInPart(m, current) && !covering(m, current);
      try {
        made = s.hold(parts[part].real);
      } catch (const xcc::error &e) {
        if (!partly || !std::strstr(e.what(), "only a part is mapped"))
          throw;
        ++refused;
        return;
      }
    } else {
      if (parts[part].target != ~std::size_t(0) &&
          !covering(parts[part].target, current))
        return;
      held.push_back(part);
      viewed = parts[part].target;
      say("scope", parts[part].name);
      if (!attempt(part,
                   [&] { made = parts[part].ops->hold(parts[part].real); }))
        return;
    }
    scopes.push_back({std::move(made), current, std::move(held), viewed});
  }

  /// Of a scope, a part comes to the host.
  void fetch() {
    std::size_t part = anyPart();
    if (parts[part].target != ~std::size_t(0))
      return;
    if (OpenScope *s = covering(part, current)) {
      say("to_host", parts[part].name);
      parts[part].ops->toHost(*s->scope, parts[part].real);
      check(part, "after to_host");
    }
  }

  void changeOnHost(unsigned c) {
    std::size_t part = anyPart();
    Part &p = parts[part];
    if (p.target != ~std::size_t(0))
      return;
    if (!isHeldInPart(part)) {
      synchronize();
      say("host writes", p.name);
      p.ops->onHost(p.real, c);
      p.ops->onHost(p.copy, c);
      if (p.numbers && below(random, 2) && !isViewed(part)) {
        std::size_t size = below(random, 40) + 1;
        p.numbers->resize(size, c);
        p.numbersCopy->resize(size, c);
      }
      return;
    }
    OpenScope *s = covering(part, current);
    if (!s)
      return;
    synchronize();
    say("to_host, to_device", p.name);
    p.ops->toHost(*s->scope, p.real);
    check(part, "after to_host");
    p.ops->onHost(p.real, c);
    p.ops->onHost(p.copy, c);
    p.ops->toDevice(*s->scope, p.real);
  }

  bool isViewed(std::size_t part) const {
    for (const Part &p : parts)
      if (p.target == part)
        return true;
    return false;
  }

  void launch(unsigned c) {
    xcc::stream &s = anyStream();
    std::size_t part = anyPart();
    Part &p = parts[part];
    if (p.target != ~std::size_t(0)) {
      Part &of = parts[p.target];
      say("launch of a view", p.name);
      if (attempt(p.target, [&] {
            viewed(*static_cast<View *>(p.real), *of.numbers, s, c);
          }))
        for (std::size_t i = 0; i != Threads; ++i) {
          touch(*static_cast<View *>(p.copy), i, c);
          if (i < of.numbersCopy->size())
            (*of.numbersCopy)[i] += 1;
        }
      return;
    }
    unsigned kind = below(random, 10);
    std::size_t other = anyNumbers();
    if (p.numbers && kind > 3)
      return launchNumbers(part, other, kind, s, c);
    if (kind == 0) {
      say("launch that reads", p.name);
      if (attempt(part, [&] { p.ops->read(p.real, out, s, c); }))
        p.ops->readOnHost(p.copy, outCopy, c);
      return;
    }
    unsigned form = below(random, 3) == 0;
    say(form ? "slow launch" : "launch", p.name);
    if (attempt(part, [&] { p.ops->launch(p.real, s, form, c); }))
      p.ops->onHost(p.copy, form ? slowly(c) : c);
  }

  void launchNumbers(std::size_t part, std::size_t other, unsigned kind,
                     xcc::stream &s, unsigned c) {
    Part &p = parts[part];
    switch (kind) {
    case 4:
    case 5:
      if (other == ~std::size_t(0))
        return;
      say("adds to", p.name + " from " + parts[other].name);
      if (attempt(part, [&] { add(*p.numbers, *parts[other].numbers, s); }))
        addOnHost(*p.numbersCopy, *parts[other].numbersCopy);
      return;
    case 6:
      say("overwrites", p.name);
      if (attempt(part,
                  [&] { overwrite(*p.numbers, p.numbersCopy->size(), s, c); }))
        overwriteOnHost(*p.numbersCopy, c);
      return;
    case 7:
      if (!covering(part, current) || p.numbersCopy->empty() || features & 1)
        return;
      say("through a pointer", p.name);
      if (attempt(part, [&] { point(*p.numbers, s, c); }))
        p.ops->onHost(p.copy, c);
      return;
    case 8: {
      bool second = below(random, 2);
      say("half of", p.name);
      if (attempt(part, [&] {
            half(*p.numbers, p.numbersCopy->size(), s, c, second);
          }))
        halfOnHost(*p.numbersCopy, c, second);
      return;
    }
    default:
      // The host's containers are exchanged when they are back, so that views
      // of them would be of the other's elements.
      if (other == ~std::size_t(0) || other == part || isViewed(part) ||
          isViewed(other) || !(features & 1))
        return;
      // What one scope holds does not become what another holds, or none.
      if ((isHeldInPart(part) || isHeldInPart(other)) &&
          !heldAlike(part, other))
        return;
      say("exchanges", p.name + " and " + parts[other].name);
      if (attempt(part,
                  [&] { exchange(*p.numbers, *parts[other].numbers, s); }))
        std::swap(*p.numbersCopy, *parts[other].numbersCopy);
    }
  }

  Random random;
  unsigned seed;
  Parts &parts;
  std::vector<Several> &several;
  bool trace;
  int devices, current = 0;
  std::array<std::vector<std::unique_ptr<xcc::stream>>, 2> streams;
  std::vector<OpenScope> scopes;
  unsigned features;
  Numbers out, outCopy; ///< what kernels read
};

/// usage: PROGRAM FIRST LAST [STEPS] [trace]
template <class Make> int runScripts(int count, char **words, Make &&make) {
  unsigned first = count > 1 ? unsigned(std::atoi(words[1])) : 0,
           last = count > 2 ? unsigned(std::atoi(words[2])) : first,
           steps = count > 3 ? unsigned(std::atoi(words[3])) : 40;
  bool trace = count > 4;
  unsigned wrong = 0, refused = 0, launches = 0;
  for (unsigned seed = first; seed <= last; ++seed)
    make(seed, [&](Parts &parts, std::vector<Several> &several) {
      Script script(seed, parts, several, trace);
      if (!script.run(steps)) {
        ++wrong;
        std::printf("DIFFERS seed %u: %s\n", seed, script.why.c_str());
      }
      refused += script.refused;
      launches += script.launches;
    });
  std::printf("%u scripts, %u launches, %u refused, %u differ\n",
              last - first + 1, launches, refused, wrong);
  return wrong != 0;
}

#endif // XCC_TEST_RANDOM_MAPPED_OBJECTS_H
