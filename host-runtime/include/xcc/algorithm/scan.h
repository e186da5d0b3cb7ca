// Reductions and scans
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_SCAN_H
#define XCC_ALGORITHM_SCAN_H

#include <xcc/algorithm/select_tiles.h>

namespace xcc {
namespace detail {

/// What `op` makes of get(index) for first ... end - 1, of which there is one.
template <class Type, class Get, class Op>
inline Type reduce_here(std::size_t first, std::size_t end, const Get &get,
                        const Op &op) {
  Type sum = get(first);
  if constexpr ((commutes<Op, Type> && std::is_integral_v<Type>) ||
                (sizeof(Type) > 32)) {
    // Any order will do, and the compiler knows which is best; or there are not
    // registers for eight.
    for (std::size_t index = first + 1; index < end; ++index)
      sum = op(sum, get(index));
    return sum;
  }
  const std::size_t part = (end - first) / 8;
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

/// What a piece's elements come to, in the thread that has it on the CPU device,
/// and in the first of the block that has it on a GPU, which true is for.
template <class Type, class Get, class Op>
inline std::pair<Type, bool> reduce_piece(const division &parts,
                                          std::size_t number, const Get &get,
                                          const Op &op) {
  if constexpr (on_gpu && has_tiles<Type>)
    return {reduce_block<Type>(parts.first(number), parts.end(number), get, op),
            __xcc_thread_idx_x() == 0};
  else
    return {reduce_here<Type>(parts.first(number), parts.end(number), get, op),
            true};
}
/// How elements are divided for that.
template <class Type>
inline division pieces_of(const algorithm_run &run, std::size_t count) {
  if constexpr (has_tiles<Type>)
    if (!run.host)
      return run.by_block(count, tile_size<Type>);
  return run.by_thread(count);
}
template <class Type, class Body>
inline void each_piece(const algorithm_run &run, std::size_t pieces,
                       const Body &body) {
  if constexpr (has_tiles<Type>)
    run.each_block(pieces, body);
  else
    run.each(pieces, body);
}

/// Reads an array.
template <class Type> struct read_of {
  const Type *from;
  Type operator()(std::size_t index) const { return from[index]; }
};

/// sums[p] is what `op` makes of the elements of piece p. Each type of a get()
/// is a kernel, and takes time to compile.
template <class Type, class Get, class Op>
inline void reduce_pieces(const algorithm_run &run, const division &parts,
                          Get get, Op op, Type *sums) {
  each_piece<Type>(run, parts.pieces, [=](std::size_t number) {
    const std::pair<Type, bool> sum =
        reduce_piece<Type>(parts, number, get, op);
    if (sum.second)
      sums[number] = sum.first;
  });
}

/// Calls done with the address of what `op` makes of all get(i), as one piece;
/// with null if there is none.
template <class Type, class Get, class Op, class Done>
inline void reduce_few(const algorithm_run &run, std::size_t count, Get get,
                       Op op, Done done) {
  each_piece<Type>(run, 1, [=](std::size_t) {
    if (!count) {
      if (!on_gpu || __xcc_thread_idx_x() == 0)
        done(static_cast<const Type *>(nullptr));
      return;
    }
    const std::pair<Type, bool> sum =
        reduce_piece<Type>(division(count, count), 0, get, op);
    if (sum.second)
      done(__builtin_addressof(sum.first));
  });
}
/// The same of the sums of pieces. One block has those of all blocks.
template <class Type, class Op, class Done>
void reduce_sums(const algorithm_run &run, std::size_t count, const Type *sums,
                 Op op, Done done);
/// The same, by pieces.
template <class Type, class Get, class Op, class Done>
inline void reduce_to(const algorithm_run &run, std::size_t count, Get get,
                      Op op, Done done) {
  const division parts = pieces_of<Type>(run, count);
  if (parts.pieces <= 1 || count <= 64)
    return reduce_few<Type>(run, count, get, op, done);
  temporary<Type> sums(run, parts.pieces);
  reduce_pieces<Type>(run, parts, get, op, sums.data);
  reduce_sums<Type>(run, parts.pieces, sums.data, op, done);
}
template <class Type, class Op, class Done>
inline void reduce_sums(const algorithm_run &run, std::size_t count,
                        const Type *sums, Op op, Done done) {
  const read_of<Type> get{sums};
  if constexpr (has_tiles<Type>)
    reduce_few<Type>(run, count, get, op, done);
  else
    reduce_to<Type>(run, count, get, op, done);
}

/// Writes an array.
template <class Type> struct write_to {
  Type *to;
  void operator()(std::size_t index, const Type &, const Type &now) const {
    to[index] = now;
  }
};

/// Scans a part of the elements in one thread.
template <class Type, class Get, class Op, class Put>
inline void scan_here(std::size_t first, std::size_t end, bool has_carry,
                      const Type &carry, const Get &get, const Op &op,
                      const Put &put) {
  Type now = get(first);
  if (has_carry) {
    now = op(carry, now);
    put(first, carry, now);
  } else {
    put(first, now, now);
  }
  for (std::size_t index = first + 1; index < end; ++index) {
    const Type before = now;
    now = op(before, get(index));
    put(index, before, now);
  }
}
/// Four neighbouring parts of one length at a time, of which none waits for
/// another's results. Before part p comes ends[p - 1], before the first `carry`.
template <class Type, class Get, class Op, class Put>
inline void scan_four(std::size_t first, std::size_t part, bool has_carry,
                      const Type &carry, const Type *ends, const Get &get,
                      const Op &op, const Put &put) {
  const std::size_t second = first + part, third = second + part,
                    fourth = third + part;
  Type now_a = get(first), now_b = op(ends[0], get(second)),
       now_c = op(ends[1], get(third)), now_d = op(ends[2], get(fourth));
  if (has_carry) {
    now_a = op(carry, now_a);
    put(first, carry, now_a);
  } else {
    put(first, now_a, now_a);
  }
  put(second, ends[0], now_b);
  put(third, ends[1], now_c);
  put(fourth, ends[2], now_d);
  for (std::size_t index = 1; index < part; ++index) {
    const Type old_a = now_a, old_b = now_b, old_c = now_c, old_d = now_d;
    now_a = op(old_a, get(first + index));
    now_b = op(old_b, get(second + index));
    now_c = op(old_c, get(third + index));
    now_d = op(old_d, get(fourth + index));
    put(first + index, old_a, now_a);
    put(second + index, old_b, now_b);
    put(third + index, old_c, now_c);
    put(fourth + index, old_d, now_d);
  }
}

/// Scans a piece. Before it comes what `ends` has for the piece before, which on
/// the CPU device has four parts.
template <class Type, class Get, class Op, class Put, class Start>
inline void scan_piece(const division &parts, const division &summed,
                       std::size_t number, const Type *ends, const Get &get,
                       const Op &op, const Put &put, const Start &start) {
  const std::size_t first = parts.first(number), end = parts.end(number);
  constexpr bool starts = !std::is_same_v<Start, no_start>;
  const bool has_carry = starts || number != 0;
  const Type carry = [&]() -> Type {
    if (number)
      return ends[number * (on_gpu ? 1 : 4) - 1];
    if constexpr (starts)
      return start.value;
    else
      return get(first);
  }();
  if constexpr (on_gpu && has_tiles<Type>)
    scan_block<Type>(first, end, has_carry, carry, get, op, put);
  else if (!on_gpu && parts.pieces > 1 && end - first == parts.piece)
    scan_four<Type>(first, summed.piece, has_carry, carry, ends + number * 4,
                    get, op, put);
  else
    scan_here<Type>(first, end, has_carry, carry, get, op, put);
}

/// Calls put(i, before, now) with what `op` makes of the start and get(0) ...
/// get(i - 1), and of get(i) too. Where nothing comes before, both are get(0).
/// Unless OnGPUs, it is for the CPU device, and no GPU has code for it.
template <class Type, bool OnGPUs = true, class Get, class Op, class Put,
          class Start = no_start>
inline void scan_to(const algorithm_run &run, std::size_t count, Get get, Op op,
                    Put put, Start start = {}) {
  if (!count)
    return;
  if constexpr (has_tiles<Type> && OnGPUs)
    if (!run.host && count > tile_size<Type>)
      return scan_once<Type>(run, count, get, op, put, start);
  // On the CPU device, a thread has four parts at a time.
  const bool fours = run.host;
  const division parts =
      fours ? run.by_thread(count, 4) : pieces_of<Type>(run, count);
  const division summed(count, fours ? parts.piece / 4 : parts.piece);
  temporary<Type> sums(run, summed.pieces);
  Type *const ends = sums.data;
  if (parts.pieces > 1) {
    each_piece<Type>(run, parts.pieces, [=](std::size_t number) {
      captured(parts, summed, ends, get, op);
      if constexpr (on_gpu && (has_tiles<Type> || !OnGPUs)) {
        // One tile is one piece.
      } else if constexpr (on_gpu) {
        ends[number] = reduce_piece<Type>(parts, number, get, op).first;
      } else {
        for (std::size_t part = number * 4;
             part < number * 4 + 4 && part < summed.pieces; ++part)
          ends[part] = reduce_piece<Type>(summed, part, get, op).first;
      }
    });
    scan_to<Type, OnGPUs && !has_tiles<Type>>(run, summed.pieces,
                                              read_of<Type>{ends}, op,
                                              write_to<Type>{ends}, start);
  }
  each_piece<Type>(run, parts.pieces, [=](std::size_t number) {
    captured(parts, summed, ends, get, op, put, start);
    if constexpr (OnGPUs || !on_gpu)
      scan_piece<Type>(parts, summed, number, ends, get, op, put, start);
  });
}

/// 1 for an index that holds.
template <class Holds> struct one_if {
  Holds holds;
  std::size_t operator()(std::size_t index) const {
    return std::size_t(bool(holds(index)));
  }
};
/// counts[p] is how many hold in piece p on the CPU device, which has few pieces:
/// each adds the numbers before its own. On a GPU it is how many hold up to the end
/// of piece p, of pieces_of<std::size_t>. For OnGPUs see scan_to.
template <bool OnGPUs, class Holds>
inline void count_pieces(const algorithm_run &run, const division &parts,
                         const Holds &holds, std::size_t *counts) {
  const std::plus<std::size_t> add;
  const one_if<Holds> get{holds};
  each_piece<std::size_t>(run, parts.pieces, [=](std::size_t number) {
    captured(parts, get, add, counts);
    if constexpr (OnGPUs || !on_gpu) {
      const std::pair<std::size_t, bool> sum =
          reduce_piece<std::size_t>(parts, number, get, add);
      if (sum.second)
        counts[number] = sum.first;
    }
  });
  if constexpr (OnGPUs)
    if (!run.host)
      scan_to<std::size_t>(run, parts.pieces, read_of<std::size_t>{counts}, add,
                           write_to<std::size_t>{counts});
}
/// How many hold in the pieces from one on to another.
inline std::size_t sum_of(const std::size_t *counts, std::size_t from,
                          std::size_t to) {
  std::size_t sum = 0;
  for (; from != to; ++from)
    sum += counts[from];
  return sum;
}
/// Elements that are put without a look at where the next piece's begin.
inline constexpr std::size_t AtOnce = 8;
/// A piece of that.
template <class Holds, class Put, class Done>
inline void put_piece(const division &parts, std::size_t number,
                      const Holds &holds, const Put &put,
                      const std::size_t *counts, const Done &done) {
  std::size_t rank = sum_of(counts, 0, number);
  const std::size_t end = parts.end(number), last = rank + counts[number];
  if (number + 1 == parts.pieces)
    done(last);
  std::size_t index = parts.first(number);
  if constexpr (Put::always) {
    // What does not hold is put too, and then overwritten by what does: no
    // branch has to guess. After the last that holds are another's.
    for (; end - index >= AtOnce && last - rank >= AtOnce; index += AtOnce)
      for (std::size_t next = 0; next != AtOnce; ++next) {
        put(index + next, rank);
        rank += bool(holds(index + next));
      }
  }
  for (; index < end && rank < last; ++index)
    if (holds(index))
      put(index, rank++);
}
/// A piece, with other(i, rank, n) for the others, of which so many come before i,
/// where n elements hold.
template <class Holds, class Put, class Other, class Done>
inline void divide_piece(const division &parts, std::size_t number,
                         const Holds &holds, const Put &put, const Other &other,
                         const std::size_t *counts, const Done &done) {
  std::size_t index = parts.first(number), end = parts.end(number);
  std::size_t rank = sum_of(counts, 0, number);
  const std::size_t last = rank + counts[number], other_last = end - last;
  const std::size_t all = last + sum_of(counts, number + 1, parts.pieces);
  if (number == 0)
    done(all);
  if constexpr (Put::always && Other::always)
    for (; last - rank >= AtOnce && other_last - (index - rank) >= AtOnce;
         index += AtOnce)
      for (std::size_t at = index; at != index + AtOnce; ++at) {
        put(at, rank);
        other(at, at - rank, all);
        rank += bool(holds(at));
      }
  for (; index < end; ++index)
    if (holds(index))
      put(index, rank++);
    else
      other(index, index - rank, all);
}
/// The same in a block of a GPU.
template <class Holds, class Put, class Other>
inline void put_tiles(const division &parts, std::size_t number,
                      const Holds &holds, const Put &put, const Other &other,
                      const std::size_t *ends) {
  scan_block<std::size_t>(
      parts.first(number), parts.end(number), true,
      number ? ends[number - 1] : 0, one_if<Holds>{holds},
      std::plus<std::size_t>(),
      [&](std::size_t index, std::size_t rank, std::size_t now) {
        if (now != rank)
          put(index, rank);
        else
          other(index, index - rank);
      });
}
/// Calls put(i, rank) for every i that holds, and done(n) if there is an i. For
/// OnGPUs see scan_to.
template <bool OnGPUs, class Holds, class Put, class Done>
inline void put_pieces(const algorithm_run &run, const division &parts,
                       const Holds &holds, const Put &put,
                       const std::size_t *counts, const Done &done) {
  each_piece<std::size_t>(run, parts.pieces, [=](std::size_t number) {
    captured(parts, holds, put, counts, done);
    if constexpr (!on_gpu) {
      put_piece(parts, number, holds, put, counts, done);
    } else if constexpr (OnGPUs) {
      put_tiles(
          parts, number, holds, put, [](std::size_t, std::size_t) {}, counts);
      if (number + 1 == parts.pieces && __xcc_thread_idx_x() == 0)
        done(counts[number]);
    }
  });
}
/// The same, with other(i, rank, n) for the others.
template <bool OnGPUs, class Holds, class Put, class Other, class Done>
inline void divide_pieces(const algorithm_run &run, const division &parts,
                          const Holds &holds, const Put &put,
                          const Other &other, const std::size_t *counts,
                          const Done &done) {
  each_piece<std::size_t>(run, parts.pieces, [=](std::size_t number) {
    captured(parts, holds, put, other, counts, done);
    if constexpr (!on_gpu) {
      divide_piece(parts, number, holds, put, other, counts, done);
    } else if constexpr (OnGPUs) {
      const std::size_t all = counts[parts.pieces - 1];
      put_tiles(
          parts, number, holds, put,
          [&](std::size_t index, std::size_t rank) { other(index, rank, all); },
          counts);
      if (number == 0 && __xcc_thread_idx_x() == 0)
        done(all);
    }
  });
}

/// Calls put(i, rank) for every i below `count` that holds, where rank of those
/// before it do too, and done(n) when all n of them are known. What holds is asked
/// once on a GPU, and twice on the CPU device.
template <class Holds, class Put, class Done>
inline void select_indices(const algorithm_run &run, std::size_t count,
                           Holds holds, Put put, Done done) {
  if (!count) {
    run.each(1, [=](std::size_t) { done(0); });
    return;
  }
  if (!run.host) {
    scan_once<std::size_t>(
        run, count, one_if<Holds>{holds}, std::plus<std::size_t>(),
        [=](std::size_t index, std::size_t rank, std::size_t now) {
          if (now != rank)
            put(index, rank);
          if (index == count - 1)
            done(now);
        },
        start_with<std::size_t>{0});
    return;
  }
  const division parts = run.by_thread(count);
  temporary<std::size_t> counts(run, parts.pieces);
  count_pieces<false>(run, parts, holds, counts.data);
  put_pieces<false>(run, parts, holds, put, counts.data, done);
}

/// Copies, in order, what holds of the elements from[0] ... from[count - 1] to put,
/// and calls done(n) when all n of them are known. What holds is asked once on a
/// GPU, and twice on the CPU device.
template <class Type, class Put, class Holds, class Done>
inline void select_to(const algorithm_run &run, std::size_t count,
                      const Put &put, Holds holds, Done done) {
  if (!count) {
    run.each(1, [=](std::size_t) { done(0); });
    return;
  }
  if (!run.host)
    return select_once<Type>(
        run, count, read_of<Type>{put.from},
        [holds](std::size_t, const Type &element) {
          return bool(holds(element));
        },
        [to = put.to](std::size_t, std::size_t rank, const Type &element) {
          to[rank] = element;
        },
        leave_out(), done);
  const auto chosen = [holds, from = put.from](std::size_t index) {
    return bool(holds(from[index]));
  };
  const division parts = run.by_thread(count);
  temporary<std::size_t> counts(run, parts.pieces);
  count_pieces<false>(run, parts, chosen, counts.data);
  put_pieces<false>(run, parts, chosen, put, counts.data, done);
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_SCAN_H
