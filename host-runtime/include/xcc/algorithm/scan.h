// Reductions and scans
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_SCAN_H
#define XCC_ALGORITHM_SCAN_H

#include <xcc/algorithm/run.h>

namespace xcc {
namespace detail {

/// What `op` makes of get(index) for first ... end - 1, of which there is one.
template <class Type, class Get, class Op>
inline Type reduce_here(std::size_t first, std::size_t end, const Get &get,
                        const Op &op) {
  const std::size_t part = (end - first) / 8;
  Type sum = get(first);
  std::size_t next = first + 1;
  if (part > 1) {
    // Eighths, in their order, of which none waits for another's results.
    const std::size_t second = first + part, third = second + part,
                      fourth = third + part, fifth = fourth + part,
                      sixth = fifth + part, seventh = sixth + part,
                      eighth = seventh + part;
    Type sum_b = get(second), sum_c = get(third), sum_d = get(fourth),
         sum_e = get(fifth), sum_f = get(sixth), sum_g = get(seventh),
         sum_h = get(eighth);
    for (std::size_t index = 1; index < part; ++index) {
      sum = op(sum, get(first + index));
      sum_b = op(sum_b, get(second + index));
      sum_c = op(sum_c, get(third + index));
      sum_d = op(sum_d, get(fourth + index));
      sum_e = op(sum_e, get(fifth + index));
      sum_f = op(sum_f, get(sixth + index));
      sum_g = op(sum_g, get(seventh + index));
      sum_h = op(sum_h, get(eighth + index));
    }
    sum = op(op(op(sum, sum_b), op(sum_c, sum_d)),
             op(op(sum_e, sum_f), op(sum_g, sum_h)));
    next = eighth + part;
  }
  for (; next < end; ++next)
    sum = op(sum, get(next));
  return sum;
}

/// out[number] = what `op` makes of get(index) for the indices of each piece.
template <class Type, class Get, class Op>
inline void reduce_pieces(const algorithm_run &run, std::size_t count,
                          std::size_t piece, Type *out, Get get, Op op) {
  run.each(run.pieces(count, piece), [=](std::size_t number) {
    const std::size_t first = number * piece;
    out[number] =
        reduce_here<Type>(first, end_of_piece(first, piece, count), get, op);
  });
}

/// Reads an array.
template <class Type> struct read_of {
  const Type *from;
  Type operator()(std::size_t index) const { return from[index]; }
};

/// Calls done with the address of what `op` makes of all get(i), by pieces of
/// pieces; with null if there is none.
template <class Type, class Get, class Op, class Done>
inline void reduce_to(const algorithm_run &run, std::size_t count, Get get,
                      Op op, Done done) {
  const std::size_t piece = run.piece(count);
  if (count <= 64 || count <= piece) {
    run.each(1, [=](std::size_t) {
      if (!count) {
        done(static_cast<const Type *>(nullptr));
        return;
      }
      const Type sum = reduce_here<Type>(0, count, get, op);
      done(&sum);
    });
    return;
  }
  const std::size_t pieces = run.pieces(count, piece);
  temporary<Type> sums(run, pieces);
  reduce_pieces(run, count, piece, sums.data, get, op);
  reduce_to<Type>(run, pieces, read_of<Type>{sums.data}, op, done);
}

/// Writes an array.
template <class Type> struct write_to {
  Type *to;
  void operator()(std::size_t index, const Type &, const Type &now) const {
    to[index] = now;
  }
};

/// Calls put(i, before, now) with what `op` makes of get(0) ... get(i - 1), and
/// of get(i) too. Before the first, both are get(0).
template <class Type, class Get, class Op, class Put>
inline void scan_to(const algorithm_run &run, std::size_t count, Get get, Op op,
                    Put put) {
  if (!count)
    return;
  const std::size_t piece = run.piece(count);
  const std::size_t pieces = run.pieces(count, piece);
  temporary<Type> sums(run, pieces);
  Type *const ends = sums.data;
  if (pieces > 1) {
    reduce_pieces(run, count, piece, ends, get, op);
    scan_to<Type>(run, pieces, read_of<Type>{ends}, op, write_to<Type>{ends});
  }
  run.each(pieces, [=](std::size_t number) {
    const std::size_t first = number * piece;
    const std::size_t end = end_of_piece(first, piece, count);
    Type now = get(first);
    if (number == 0) {
      put(first, now, now);
    } else {
      const Type before = ends[number - 1];
      now = op(before, now);
      put(first, before, now);
    }
    for (std::size_t index = first + 1; index < end; ++index) {
      const Type before = now;
      now = op(before, get(index));
      put(index, before, now);
    }
  });
}

/// Calls put(i, rank) for every i that holds, where rank of those before it do
/// too, and done(n) when all n of them are known. What holds is asked twice.
template <class Holds, class Put, class Done>
inline void select_to(const algorithm_run &run, std::size_t count, Holds holds,
                      Put put, Done done) {
  const std::size_t piece = run.piece(count);
  const std::size_t pieces = run.pieces(count, piece);
  const auto one = [holds](std::size_t index) {
    return std::size_t(bool(holds(index)));
  };
  const std::plus<std::size_t> add;
  temporary<std::size_t> ends(run, pieces ? pieces : 1);
  std::size_t *const end_of = ends.data;
  if (pieces) {
    reduce_pieces<std::size_t>(run, count, piece, end_of, one, add);
    scan_to<std::size_t>(run, pieces, read_of<std::size_t>{end_of}, add,
                         write_to<std::size_t>{end_of});
  }
  run.each(pieces ? pieces : 1, [=](std::size_t number) {
    if (number + 1 >= pieces)
      done(pieces ? end_of[pieces - 1] : std::size_t(0));
    if (!pieces)
      return;
    const std::size_t first = number * piece;
    const std::size_t end = end_of_piece(first, piece, count);
    std::size_t rank = number ? end_of[number - 1] : 0;
    const std::size_t last = end_of[number];
    if constexpr (Put::always) {
      // What does not hold is put too, and then overwritten by what does: no
      // branch has to guess. Behind the last that holds are another's.
      for (std::size_t index = first; index < end && rank < last; ++index) {
        put(index, rank);
        rank += bool(holds(index));
      }
    } else {
      for (std::size_t index = first; index < end && rank < last; ++index)
        if (holds(index))
          put(index, rank++);
    }
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_SCAN_H
