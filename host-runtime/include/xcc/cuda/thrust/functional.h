// Thrust: function objects, and expressions of placeholders
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_FUNCTIONAL_H
#define XCC_CUDA_THRUST_FUNCTIONAL_H

#include <xcc/cuda/thrust/tuple.h>

#include <functional>

namespace thrust {

// The standard's, which algorithms know.
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;

template <class Type = void> struct maximum {
  constexpr Type operator()(const Type &one, const Type &other) const {
    return one < other ? other : one;
  }
};
template <> struct maximum<void> {
  template <class One, class Other>
  constexpr auto operator()(const One &one, const Other &other) const {
    return one < other ? other : one;
  }
};
template <class Type = void> struct minimum {
  constexpr Type operator()(const Type &one, const Type &other) const {
    return other < one ? other : one;
  }
};
template <> struct minimum<void> {
  template <class One, class Other>
  constexpr auto operator()(const One &one, const Other &other) const {
    return other < one ? other : one;
  }
};
template <class Type = void> struct square {
  constexpr Type operator()(const Type &value) const { return value * value; }
};
template <> struct square<void> {
  template <class Type> constexpr auto operator()(const Type &value) const {
    return value * value;
  }
};
template <class Type = void> struct identity {
  constexpr const Type &operator()(const Type &value) const { return value; }
};
template <> struct identity<void> {
  template <class Type> constexpr Type &&operator()(Type &&value) const {
    return static_cast<Type &&>(value);
  }
};
template <class One = void, class Other = void> struct project1st {
  template <class First, class Second>
  constexpr First operator()(const First &one, const Second &) const {
    return one;
  }
};
template <class One = void, class Other = void> struct project2nd {
  template <class First, class Second>
  constexpr Second operator()(const First &, const Second &other) const {
    return other;
  }
};
/// Bases of older programs' function objects.
template <class Argument, class Result> struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result> struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};
template <class Holds> struct unary_negate {
  Holds holds;
  template <class Type> constexpr bool operator()(const Type &value) const {
    return !holds(value);
  }
};
template <class Holds> constexpr unary_negate<Holds> not1(const Holds &holds) {
  return {holds};
}
template <class Holds>
constexpr unary_negate<Holds> not_fn(const Holds &holds) {
  return {holds};
}

/// Calls a function with a tuple's elements as its arguments.
template <class Function> class zip_function {
  Function function_;
  template <class Tuple, std::size_t... Index>
  constexpr decltype(auto) call(Tuple &&of,
                                std::index_sequence<Index...>) const {
    return function_(thrust::get<Index>(of)...);
  }

public:
  constexpr zip_function(Function function) : function_(function) {}
  template <class... Type>
  constexpr decltype(auto) operator()(const tuple<Type...> &of) const {
    return call(of, std::index_sequence_for<Type...>());
  }
};
template <class Function>
constexpr zip_function<Function> make_zip_function(Function function) {
  return {function};
}

//===-- Placeholders: _1 * 2 + _2 -----------------------------------------===//

namespace detail {
template <class Evaluate> struct expression {
  Evaluate evaluate;
  template <class... Argument>
  constexpr auto operator()(const Argument &...arguments) const {
    return evaluate(tuple<const Argument &...>(arguments...));
  }
};
template <std::size_t Index> struct argument_of {
  template <class Arguments>
  constexpr auto operator()(const Arguments &given) const {
    return value_in<Index>(given);
  }
};
template <class Type> struct constant_of {
  Type value;
  template <class Arguments>
  constexpr Type operator()(const Arguments &) const {
    return value;
  }
};
template <class Type> inline constexpr bool is_expression = false;
template <class Evaluate>
inline constexpr bool is_expression<expression<Evaluate>> = true;
template <class Type> constexpr auto as_part(const Type &of) {
  if constexpr (is_expression<Type>)
    return of.evaluate;
  else
    return constant_of<Type>{of};
}
template <class Op, class One, class Other> struct binary_of {
  One one;
  Other other;
  template <class Arguments>
  constexpr auto operator()(const Arguments &given) const {
    return Op()(one(given), other(given));
  }
};
template <class Op, class One> struct unary_of {
  One one;
  template <class Arguments>
  constexpr auto operator()(const Arguments &given) const {
    return Op()(one(given));
  }
};
#define XCC_THRUST_BINARY(sign, name)                                          \
  template <class One, class Other,                                            \
            class =                                                            \
                std::enable_if_t<is_expression<One> || is_expression<Other>>>  \
  constexpr auto operator sign(const One &one, const Other &other) {           \
    using made = binary_of<std::name<>, decltype(as_part(one)),                \
                           decltype(as_part(other))>;                          \
    return expression<made>{{as_part(one), as_part(other)}};                   \
  }
XCC_THRUST_BINARY(+, plus)
XCC_THRUST_BINARY(-, minus)
XCC_THRUST_BINARY(*, multiplies)
XCC_THRUST_BINARY(/, divides)
XCC_THRUST_BINARY(%, modulus)
XCC_THRUST_BINARY(==, equal_to)
XCC_THRUST_BINARY(!=, not_equal_to)
XCC_THRUST_BINARY(<, less)
XCC_THRUST_BINARY(>, greater)
XCC_THRUST_BINARY(<=, less_equal)
XCC_THRUST_BINARY(>=, greater_equal)
XCC_THRUST_BINARY(&, bit_and)
XCC_THRUST_BINARY(|, bit_or)
XCC_THRUST_BINARY(^, bit_xor)
XCC_THRUST_BINARY(&&, logical_and)
XCC_THRUST_BINARY(||, logical_or)
#undef XCC_THRUST_BINARY
#define XCC_THRUST_UNARY(sign, name)                                           \
  template <class One>                                                         \
  constexpr auto operator sign(const expression<One> &one) {                   \
    return expression<unary_of<std::name<>, One>>{{one.evaluate}};             \
  }
XCC_THRUST_UNARY(-, negate)
XCC_THRUST_UNARY(!, logical_not)
XCC_THRUST_UNARY(~, bit_not)
#undef XCC_THRUST_UNARY
} // namespace detail

namespace placeholders {
inline constexpr detail::expression<detail::argument_of<0>> _1{};
inline constexpr detail::expression<detail::argument_of<1>> _2{};
inline constexpr detail::expression<detail::argument_of<2>> _3{};
inline constexpr detail::expression<detail::argument_of<3>> _4{};
} // namespace placeholders

} // namespace thrust

#endif // XCC_CUDA_THRUST_FUNCTIONAL_H
