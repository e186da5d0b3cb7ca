// Parallel algorithms on a device: copies with a change, and moves in a range
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_STDPAR_COPIES_H
#define XCC_STDPAR_COPIES_H

#include <xcc/stdpar/loops.h>

#include <memory>
#include <new>

namespace xcc {
namespace stdpar {

/// body(cursor(out), i) for each index. Returns the end of the output.
template <class... Function, class It, class Out, class Body>
std::optional<Out> copied(const char *name, It first, std::size_t n, Out out,
                          const Body &body) {
  if (!each<Function...>(
          name, n, [body, to = cursor(out)](std::size_t i) { body(to, i); },
          range(first, n), range(out, n)))
    return {};
  return advanced(out, n);
}

struct move {
  template <class It, class Out, class = when<can_read<It>, can_write<Out>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Out out) const {
    return copied(name, first, length(first, last), out,
                  [at = cursor(first)](const auto &to, std::size_t i) {
                    to[i] = std::move(at[i]);
                  });
  }
};
struct reverse_copy {
  template <class It, class Out, class = when<can_read<It>, can_write<Out>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Out out) const {
    const std::size_t n = length(first, last);
    return copied(name, first, n, out,
                  [at = cursor(first), n](const auto &to, std::size_t i) {
                    to[i] = at[n - 1 - i];
                  });
  }
};
/// Copies a number of elements from one place on to another place on.
template <class From, class To>
void copy_part(const detail::algorithm_run &run, std::size_t count,
               std::size_t begin, std::size_t to_begin, From from, To to) {
  if (count)
    parallel_for(run.how, count,
                 [=](std::size_t i) { to[to_begin + i] = from[begin + i]; });
}
struct rotate_copy {
  template <class It, class Out, class = when<can_read<It>, can_write<Out>>>
  std::optional<Out> operator()(const char *name, It first, It middle, It last,
                                Out out) const {
    const std::size_t n = length(first, last), front = length(first, middle);
    if (!attempt(
            name, n,
            [&](const detail::algorithm_run &run) {
              // Two loops without a condition.
              copy_part(run, n - front, front, 0, cursor(first), cursor(out));
              copy_part(run, front, 0, n - front, cursor(first), cursor(out));
            },
            range(first, n), range(out, n)))
      return {};
    return advanced(out, n);
  }
};
struct replace_copy_if {
  template <class It, class Out, class Holds, class Type,
            class = when<can_read<It>, can_write<Out>, can_call<Holds>,
                         can_pass<Type>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Holds holds, const Type &value) const {
    return copied<Holds>(name, first, length(first, last), out,
                         [at = cursor(first), holds = make_callee(holds),
                          value](const auto &to, std::size_t i) {
                           if (holds(at[i]))
                             to[i] = value;
                           else
                             to[i] = at[i];
                         });
  }
};
struct replace_copy {
  template <class It, class Out, class Type,
            class = when<can_read<It>, can_write<Out>, can_pass<Type>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                const Type &old, const Type &value) const {
    return replace_copy_if()(name, first, last, out, equals<Type>{old}, value);
  }
};

/// Each thread has a copy of the generator. One that can be called only if it can
/// change is called by the host, in sequence.
struct generate {
  template <class It, class Make,
            class = when<can_write<It>, can_call<Make>,
                         std::is_invocable_v<const Make &>>>
  bool operator()(const char *name, It first, It last, Make make) const {
    const std::size_t n = length(first, last);
    return each<Make>(
        name, n,
        [at = cursor(first), make = make_callee(make)](std::size_t i) {
          at[i] = make();
        },
        range(first, n));
  }
};
struct generate_n {
  template <class It, class Size, class Make,
            class = when<can_write<It>, can_call<Make>,
                         std::is_invocable_v<const Make &>>>
  std::optional<It> operator()(const char *name, It first, Size size,
                               Make make) const {
    const It last = advanced(first, length_of(size));
    if (!generate()(name, first, last, make))
      return {};
    return last;
  }
};

/// Whether two ranges that are known share elements.
template <class One, class Other>
bool overlap(const stretch<One> &one, const stretch<Other> &other) {
  const auto *const first = reinterpret_cast<const volatile char *>(one.first);
  const auto *const second =
      reinterpret_cast<const volatile char *>(other.first);
  return one.count && other.count &&
         std::less<>()(first, second + other.count * sizeof(Other)) &&
         std::less<>()(second, first + one.count * sizeof(One));
}
/// Two deques have no block in common, and neither has an address of it.
template <class One, class Other>
bool overlap(const block_stretch<One> &one, const block_stretch<Other> &other) {
  const auto last = [](const auto &range) {
    const auto &at = range.first;
    const std::size_t end = at.before + range.count - 1;
    return std::pair<const void *, std::size_t>(at.blocks + end / at.size,
                                                end % at.size);
  };
  const auto first = [](const auto &range) {
    return std::pair<const void *, std::size_t>(range.first.blocks,
                                                range.first.before);
  };
  return one.count && other.count && first(one) <= last(other) &&
         first(other) <= last(one);
}
template <class One, class Other> bool overlap(const One &, const Other &) {
  return false;
}
/// In place it runs on the host: the standard allows that without a policy only,
/// but host forms accept it.
struct adjacent_difference {
  template <class It, class Out, class Op = std::minus<>,
            class = when<can_read<It>, can_write<Out>, can_call<Op>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Op op = Op()) const {
    const std::size_t n = length(first, last);
    if (overlap(range(first, n), range(out, n))) {
      log(name, "the host", "its output overlaps its input");
      return {};
    }
    if (!attempt<Op>(
            name, n,
            [&](const detail::algorithm_run &run) {
              // The first apart: a loop without a condition.
              if (n > 1)
                parallel_for(run.how, n - 1,
                             [at = cursor(first), to = cursor(out),
                              op = make_callee(op)](std::size_t i) {
                               to[i + 1] = op(at[i + 1], at[i]);
                             });
              copy_part(run, 1, 0, 0, cursor(first), cursor(out));
            },
            range(first, n), range(out, n)))
      return {};
    return advanced(out, n);
  }
};

//===----------------------------------------------------------------------===//
// Memory without objects
//===----------------------------------------------------------------------===//

/// Objects that can be made in a kernel, and that own nothing.
template <class It, bool = can_write<It>>
inline constexpr bool can_make = false;
template <class It>
inline constexpr bool can_make<It, true> =
    std::is_trivially_copyable_v<value_t<It>>;

template <class Type, class... Arg>
constexpr void make_at(Type &place, Arg &&...arg) {
  ::new (static_cast<void *>(std::addressof(place)))
      Type(static_cast<Arg &&>(arg)...);
}

struct uninitialized_copy {
  template <class It, class Out, class = when<can_read<It>, can_make<Out>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Out out) const {
    return copied(name, first, length(first, last), out,
                  [at = cursor(first)](const auto &to, std::size_t i) {
                    make_at(to[i], at[i]);
                  });
  }
};
struct uninitialized_copy_n {
  template <class It, class Size, class Out,
            class = when<can_read<It>, can_make<Out>>>
  std::optional<Out> operator()(const char *name, It first, Size size,
                                Out out) const {
    return uninitialized_copy()(name, first, advanced(first, length_of(size)),
                                out);
  }
};
struct uninitialized_move {
  template <class It, class Out, class = when<can_read<It>, can_make<Out>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Out out) const {
    return copied(name, first, length(first, last), out,
                  [at = cursor(first)](const auto &to, std::size_t i) {
                    make_at(to[i], std::move(at[i]));
                  });
  }
};
struct uninitialized_move_n {
  template <class It, class Size, class Out,
            class = when<can_read<It>, can_make<Out>>>
  std::optional<std::pair<It, Out>> operator()(const char *name, It first,
                                               Size size, Out out) const {
    const It last = advanced(first, length_of(size));
    const auto end = uninitialized_move()(name, first, last, out);
    if (!end)
      return {};
    return std::pair<It, Out>(last, *end);
  }
};
struct uninitialized_fill {
  template <class It, class Type, class = when<can_make<It>, can_pass<Type>>>
  bool operator()(const char *name, It first, It last,
                  const Type &value) const {
    const std::size_t n = length(first, last);
    return each(
        name, n,
        [at = cursor(first), value](std::size_t i) { make_at(at[i], value); },
        range(first, n));
  }
};
struct uninitialized_fill_n {
  template <class It, class Size, class Type,
            class = when<can_make<It>, can_pass<Type>>>
  std::optional<It> operator()(const char *name, It first, Size size,
                               const Type &value) const {
    const It last = advanced(first, length_of(size));
    if (!uninitialized_fill()(name, first, last, value))
      return {};
    return last;
  }
};
struct uninitialized_value_construct {
  template <class It, class = when<can_make<It>>>
  bool operator()(const char *name, It first, It last) const {
    const std::size_t n = length(first, last);
    return each(
        name, n, [at = cursor(first)](std::size_t i) { make_at(at[i]); },
        range(first, n));
  }
};
struct uninitialized_value_construct_n {
  template <class It, class Size, class = when<can_make<It>>>
  std::optional<It> operator()(const char *name, It first, Size size) const {
    const It last = advanced(first, length_of(size));
    if (!uninitialized_value_construct()(name, first, last))
      return {};
    return last;
  }
};

//===----------------------------------------------------------------------===//
// Moves in a range
//===----------------------------------------------------------------------===//

/// Moves count elements of n from one index on to another index on. They are
/// read in a circle, and go through temporary memory.
template <class It>
bool moved_within(const char *name, It first, std::size_t n, std::size_t count,
                  std::size_t from, std::size_t to) {
  return attempt(
      name, n,
      [&](const detail::algorithm_run &run) {
        detail::temporary<value_t<It>> copy(run, count);
        const std::size_t behind = n - from < count ? n - from : count;
        copy_part(run, behind, from, 0, cursor(first), copy.data);
        copy_part(run, count - behind, 0, behind, cursor(first), copy.data);
        copy_part(run, count, 0, to, copy.data, cursor(first));
        run.finish();
      },
      range(first, n));
}

/// The smaller part goes through temporary memory. The larger one moves by the
/// length of that, in pieces that each fill the gap before them.
struct rotate {
  template <class It, class = when<can_move_bytes<It>>>
  std::optional<It> operator()(const char *name, It first, It middle,
                               It last) const {
    const std::size_t n = length(first, last), front = length(first, middle);
    const std::size_t back = n - front, gap = front < back ? front : back;
    if (!gap)
      return {};
    if (n / gap > MostPieces) {
      if (!moved_within(name, first, n, n, front, 0))
        return {};
      return advanced(first, back);
    }
    if (!attempt(
            name, n,
            [&](const detail::algorithm_run &run) {
              const auto at = cursor(first);
              detail::temporary<value_t<It>> kept(run, gap);
              const bool left = gap == front;
              copy_part(run, gap, left ? 0 : front, 0, at, kept.data);
              for (std::size_t moved = 0; moved != n - gap;) {
                const std::size_t rest = n - gap - moved,
                                  piece = rest < gap ? rest : gap;
                const std::size_t to = left ? moved : n - moved - piece;
                copy_part(run, piece, left ? to + gap : to - gap, to, at, at);
                moved += piece;
              }
              copy_part(run, gap, 0, left ? n - gap : 0, kept.data, at);
              run.finish();
            },
            range(first, n)))
      return {};
    return advanced(first, back);
  }

private:
  /// Each is a launch.
  static constexpr std::size_t MostPieces = 8;
};
/// Without elements to move, the host's form does nothing.
struct shift_left {
  template <class It, class Size, class = when<can_move_bytes<It>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Size by) const {
    const std::size_t n = length(first, last), gap = length_of(by);
    if (!gap || gap >= n || !moved_within(name, first, n, n - gap, gap, 0))
      return {};
    return advanced(first, n - gap);
  }
};
struct shift_right {
  template <class It, class Size, class = when<can_move_bytes<It>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Size by) const {
    const std::size_t n = length(first, last), gap = length_of(by);
    if (!gap || gap >= n || !moved_within(name, first, n, n - gap, 0, gap))
      return {};
    return advanced(first, gap);
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_COPIES_H
