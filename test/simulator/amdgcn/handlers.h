// One operation for all lanes of a wave
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector instruction is written as a function of one lane's values, whose
// types say how operands are read:
//
//     vector<[](float A, float B) { return arith(A + B); }>()
//
// The function runs over all lanes (so that the compiler vectorises it; what
// inactive lanes compute is dropped). Of each there are two handlers: for what
// any modifiers say, and for instructions without (plain.h).

#ifndef XCC_TEST_SIMULATOR_AMDGCN_HANDLERS_H
#define XCC_TEST_SIMULATOR_AMDGCN_HANDLERS_H

#include "lanes.h"
#include "plain.h"

namespace amdgcn {

template <auto F, class R, class... A, size_t... N>
void apply(Wave &w, const Instruction &i, std::index_sequence<N...>) {
  alignas(64) R out[64];
  FloatMode mode(w,
                 (std::is_same_v<A, float> || ...) || std::is_same_v<R, float>);
  [&]<class... B>(B &&...own) {
    auto sources = std::make_tuple(source<A>(w, i, N + 1, own.lane)...);
    for (uint64_t m = w.exec(); m; m &= m - 1) {
      unsigned l = unsigned(__builtin_ctzll(m));
      out[l] = F(std::get<N>(sources)[l]...);
    }
  }([] {
    struct Buffer {
      alignas(64) A lane[64];
    };
    return Buffer();
  }()...);
  result(w, i, 0, out);
}

template <auto F, bool Slow> struct VectorOf {
  using S = Signature<decltype(F)>;
  static void run(Wave &w, const Instruction &i) {
    [&]<size_t... N>(std::index_sequence<N...> sequence) {
      apply<F, typename S::Result, typename S::template Argument<N>...>(
          w, i, sequence);
    }(std::make_index_sequence<S::Count>());
  }
  /// Null where the function is too dear to run for inactive lanes.
  static constexpr Handler plain() {
    if constexpr (Slow)
      return nullptr;
    else
      return []<size_t... N>(std::index_sequence<N...>) {
        return Plain<F, run, typename S::Result,
                     typename S::template Argument<N>...>::template run<N +
                                                                        1 ...>;
      }(std::make_index_sequence<S::Count>());
  }
  static constexpr Semantics semantics(uint32_t modifiers) {
    Semantics out{run, {}, modifiers, 1, plain()};
    out.types[0] = typeOf<typename S::Result>();
    [&]<size_t... N>(std::index_sequence<N...>) {
      ((out.types[N + 1] = typeOf<typename S::template Argument<N>>()), ...);
      if constexpr ((IsFloat<typename S::template Argument<N>> || ...) ||
                    IsFloat<typename S::Result>)
        out.modifiers |= ModClamp | ModOmod;
      if constexpr (((sizeof(typename S::template Argument<N>) == 2) || ...) ||
                    sizeof(typename S::Result) == 2)
        out.modifiers |= ModOpSel;
    }(std::make_index_sequence<S::Count>());
    return out;
  }
};

/// "v_op dst, src0, src1, ...".
template <auto F> Semantics vector(uint32_t more = 0) {
  return VectorOf<F, false>::semantics(ModDpp | ModSdwa | more);
}
/// The same, for functions that are too dear to run for inactive lanes.
template <auto F> Semantics vectorSlow(uint32_t more = 0) {
  return VectorOf<F, true>::semantics(ModDpp | ModSdwa | more);
}

/// "v_op dst, src0, src1", where the destination is a source too.
template <class T, auto F> Semantics accumulate() {
  static constexpr Handler general = [](Wave &w, const Instruction &i) {
    alignas(64) T a[64], b[64], c[64], out[64];
    FloatMode mode(w, std::is_same_v<T, float>);
    const T *x = source(w, i, 1, a), *y = source(w, i, 2, b);
    // The addend has no modifiers, and is not permuted.
    const T *z = source(w, i, i.op[0], false, c);
    for (unsigned l = 0; l != w.lanes; ++l)
      out[l] = F(x[l], y[l], z[l]);
    result(w, i, 0, out);
  };
  return {general,
          {typeOf<T>(), typeOf<T>(), typeOf<T>()},
          ModDpp | ModClamp | ModOmod | ModSdwa | ModOpSel,
          1,
          sizeof(T) == 2
              ? nullptr
              : Plain<F, general, T, T, T, T>::template run<1, 2, 0>};
}

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_HANDLERS_H
