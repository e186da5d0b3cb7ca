// Thrust: iterators that count, transform, zip and permute
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// raw(iterator) is what a kernel gets: the same with plain addresses in the place
// of device_ptr, whose elements are references.

#ifndef XCC_CUDA_THRUST_ITERATORS_H
#define XCC_CUDA_THRUST_ITERATORS_H

#include <xcc/cuda/thrust/functional.h>
#include <xcc/cuda/thrust/memory.h>

#include <iterator>

namespace thrust {

using std::iterator_traits;
template <class Iterator> using iterator_value = std::iterator_traits<Iterator>;
template <class Iterator>
using iterator_value_t = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator>
using iterator_reference_t = typename std::iterator_traits<Iterator>::reference;
template <class Iterator>
using iterator_difference_t =
    typename std::iterator_traits<Iterator>::difference_type;

namespace detail {
/// Random access, from at(n), move(n) and distance_from(other) of Self.
template <class Self, class Value, class Reference> class random_access {
public:
  using value_type = Value;
  using reference = Reference;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  constexpr Reference operator*() const { return self().at(0); }
  constexpr Reference operator[](difference_type by) const {
    return self().at(by);
  }
  constexpr Self &operator+=(difference_type by) {
    Self &own = static_cast<Self &>(*this);
    own.move(by);
    return own;
  }
  constexpr Self &operator-=(difference_type by) { return *this += -by; }
  constexpr Self &operator++() { return *this += 1; }
  constexpr Self &operator--() { return *this += -1; }
  constexpr Self operator++(int) {
    const Self before = self();
    *this += 1;
    return before;
  }
  constexpr Self operator--(int) {
    const Self before = self();
    *this += -1;
    return before;
  }
  friend constexpr Self operator+(Self from, difference_type by) {
    return from += by;
  }
  friend constexpr Self operator+(difference_type by, Self from) {
    return from += by;
  }
  friend constexpr Self operator-(Self from, difference_type by) {
    return from += -by;
  }
  friend constexpr difference_type operator-(const Self &one,
                                             const Self &other) {
    return one.distance_from(other);
  }
#define XCC_THRUST_COMPARE(sign)                                               \
  friend constexpr bool operator sign(const Self &one, const Self &other) {    \
    return one.distance_from(other) sign 0;                                    \
  }
  XCC_THRUST_COMPARE(==)
  XCC_THRUST_COMPARE(!=)
  XCC_THRUST_COMPARE(<)
  XCC_THRUST_COMPARE(>)
  XCC_THRUST_COMPARE(<=)
  XCC_THRUST_COMPARE(>=)
#undef XCC_THRUST_COMPARE

private:
  constexpr const Self &self() const {
    return static_cast<const Self &>(*this);
  }
};
} // namespace detail

/// value, value + 1, value + 2 and so on.
template <class Type, class = void, class = void, class = void>
class counting_iterator
    : public detail::random_access<counting_iterator<Type>, Type, Type> {
public:
  constexpr counting_iterator() = default;
  constexpr explicit counting_iterator(Type first) : first_(first) {}
  constexpr Type at(std::ptrdiff_t by) const {
    return static_cast<Type>(first_ + static_cast<Type>(by));
  }
  constexpr void move(std::ptrdiff_t by) { first_ = at(by); }
  constexpr std::ptrdiff_t distance_from(const counting_iterator &from) const {
    return static_cast<std::ptrdiff_t>(first_) -
           static_cast<std::ptrdiff_t>(from.first_);
  }
  constexpr Type base() const { return first_; }

private:
  Type first_{};
};
template <class Type>
constexpr counting_iterator<Type> make_counting_iterator(Type first) {
  return counting_iterator<Type>(first);
}

/// The same value everywhere.
template <class Type, class = void, class = void>
class constant_iterator
    : public detail::random_access<constant_iterator<Type>, Type, Type> {
public:
  constexpr constant_iterator() = default;
  constexpr explicit constant_iterator(const Type &value,
                                       std::ptrdiff_t place = 0)
      : value_(value), place_(place) {}
  constexpr Type at(std::ptrdiff_t) const { return value_; }
  constexpr void move(std::ptrdiff_t by) { place_ += by; }
  constexpr std::ptrdiff_t distance_from(const constant_iterator &from) const {
    return place_ - from.place_;
  }

private:
  Type value_{};
  std::ptrdiff_t place_ = 0;
};
template <class Type>
constexpr constant_iterator<Type>
make_constant_iterator(Type value, std::ptrdiff_t at = 0) {
  return constant_iterator<Type>(value, at);
}

/// Takes everything and keeps nothing.
class discard_iterator
    : public detail::random_access<discard_iterator, int, discard_iterator> {
public:
  constexpr explicit discard_iterator(std::ptrdiff_t place = 0)
      : place_(place) {}
  constexpr discard_iterator at(std::ptrdiff_t by) const {
    return discard_iterator(place_ + by);
  }
  constexpr void move(std::ptrdiff_t by) { place_ += by; }
  constexpr std::ptrdiff_t distance_from(const discard_iterator &from) const {
    return place_ - from.place_;
  }
  template <class Type, class = std::enable_if_t<!std::is_same_v<
                            detail::bare<Type>, discard_iterator>>>
  constexpr const discard_iterator &operator=(const Type &) const {
    return *this;
  }

private:
  std::ptrdiff_t place_;
};
inline discard_iterator make_discard_iterator(std::ptrdiff_t at = 0) {
  return discard_iterator(at);
}

namespace detail {
template <class Function, class Iterator>
using changed_by = bare<decltype(std::declval<Function &>()(
    std::declval<iterator_value_t<Iterator>>()))>;
}
/// function(element) of another iterator's elements.
template <class Function, class Iterator,
          class Result = detail::changed_by<Function, Iterator>, class = void>
class transform_iterator : public detail::random_access<
                               transform_iterator<Function, Iterator, Result>,
                               detail::bare<Result>, detail::bare<Result>> {
public:
  constexpr transform_iterator() = default;
  constexpr transform_iterator(Iterator base, Function function = Function())
      : base_(base), function_(function) {}
  constexpr detail::bare<Result> at(std::ptrdiff_t by) const {
    Function function = function_; // its call operator need not be const
    return function(base_[by]);
  }
  constexpr void move(std::ptrdiff_t by) { base_ += by; }
  constexpr std::ptrdiff_t distance_from(const transform_iterator &from) const {
    return base_ - from.base_;
  }
  constexpr Iterator base() const { return base_; }
  constexpr const Function &functor() const { return function_; }

private:
  Iterator base_{};
  Function function_{};
};
template <class Function, class Iterator>
constexpr transform_iterator<Function, Iterator>
make_transform_iterator(Iterator base, Function function) {
  return {base, function};
}

namespace detail {
/// What function(element) is assigned to.
template <class Function, class Iterator> struct changed_place {
  Iterator to;
  Function function;
  template <class Type>
  const changed_place &operator=(const Type &value) const {
    *to = function(value);
    return *this;
  }
};
} // namespace detail
/// Writes function(value) through another iterator.
template <class Function, class Iterator>
class transform_output_iterator
    : public detail::random_access<
          transform_output_iterator<Function, Iterator>,
          iterator_value_t<Iterator>,
          detail::changed_place<Function, Iterator>> {
public:
  constexpr transform_output_iterator(Iterator base, Function function)
      : base_(base), function_(function) {}
  constexpr detail::changed_place<Function, Iterator>
  at(std::ptrdiff_t by) const {
    return {base_ + by, function_};
  }
  constexpr void move(std::ptrdiff_t by) { base_ += by; }
  constexpr std::ptrdiff_t
  distance_from(const transform_output_iterator &from) const {
    return base_ - from.base_;
  }
  constexpr Iterator base() const { return base_; }
  constexpr const Function &functor() const { return function_; }

private:
  Iterator base_;
  Function function_;
};
template <class Function, class Iterator>
constexpr transform_output_iterator<Function, Iterator>
make_transform_output_iterator(Iterator base, Function function) {
  return {base, function};
}

/// elements[indices[n]].
template <class Elements, class Indices>
class permutation_iterator
    : public detail::random_access<permutation_iterator<Elements, Indices>,
                                   iterator_value_t<Elements>,
                                   iterator_reference_t<Elements>> {
public:
  constexpr permutation_iterator() = default;
  constexpr permutation_iterator(Elements elements, Indices indices)
      : elements_(elements), indices_(indices) {}
  constexpr iterator_reference_t<Elements> at(std::ptrdiff_t by) const {
    return elements_[static_cast<std::ptrdiff_t>(
        iterator_value_t<Indices>(indices_[by]))];
  }
  constexpr void move(std::ptrdiff_t by) { indices_ += by; }
  constexpr std::ptrdiff_t
  distance_from(const permutation_iterator &from) const {
    return indices_ - from.indices_;
  }
  constexpr Elements elements() const { return elements_; }
  constexpr Indices base() const { return indices_; }

private:
  Elements elements_{};
  Indices indices_{};
};
template <class Elements, class Indices>
constexpr permutation_iterator<Elements, Indices>
make_permutation_iterator(Elements elements, Indices indices) {
  return {elements, indices};
}

/// A tuple of elements of several ranges.
template <class Iterators> class zip_iterator;
template <class... Iterator>
class zip_iterator<tuple<Iterator...>>
    : public detail::random_access<zip_iterator<tuple<Iterator...>>,
                                   tuple<iterator_value_t<Iterator>...>,
                                   tuple<iterator_reference_t<Iterator>...>> {
  using all = std::index_sequence_for<Iterator...>;
  template <std::size_t... Index>
  constexpr tuple<iterator_reference_t<Iterator>...>
  at(std::ptrdiff_t by, std::index_sequence<Index...>) const {
    return {detail::value_in<Index>(base_)[by]...};
  }
  template <std::size_t... Index>
  constexpr void move(std::ptrdiff_t by, std::index_sequence<Index...>) {
    ((detail::value_in<Index>(base_) += by), ...);
  }

public:
  constexpr zip_iterator() = default;
  constexpr zip_iterator(const tuple<Iterator...> &base) : base_(base) {}
  constexpr zip_iterator(Iterator... each) : base_(each...) {}
  template <class... Other>
  constexpr zip_iterator(const zip_iterator<tuple<Other...>> &from)
      : base_(from.get_iterator_tuple()) {}
  constexpr auto at(std::ptrdiff_t by) const { return at(by, all()); }
  constexpr void move(std::ptrdiff_t by) { move(by, all()); }
  constexpr std::ptrdiff_t distance_from(const zip_iterator &from) const {
    return detail::value_in<0>(base_) - detail::value_in<0>(from.base_);
  }
  constexpr const tuple<Iterator...> &get_iterator_tuple() const {
    return base_;
  }

private:
  tuple<Iterator...> base_;
};
template <class... Iterator>
constexpr zip_iterator<tuple<Iterator...>>
make_zip_iterator(const tuple<Iterator...> &base) {
  return {base};
}
template <class... Iterator,
          class = std::enable_if_t<!(detail::is_tuple<Iterator> || ...)>>
constexpr zip_iterator<tuple<Iterator...>> make_zip_iterator(Iterator... each) {
  return {make_tuple(each...)};
}

/// From the last element to the first. The standard's has a copy of its own, and
/// so cannot go to a device.
template <class Iterator>
class reverse_iterator
    : public detail::random_access<reverse_iterator<Iterator>,
                                   iterator_value_t<Iterator>,
                                   iterator_reference_t<Iterator>> {
public:
  constexpr reverse_iterator() = default;
  constexpr explicit reverse_iterator(Iterator base) : base_(base) {}
  template <class Other>
  constexpr reverse_iterator(const reverse_iterator<Other> &from)
      : base_(from.base()) {}
  constexpr iterator_reference_t<Iterator> at(std::ptrdiff_t by) const {
    return base_[-1 - by];
  }
  constexpr void move(std::ptrdiff_t by) { base_ -= by; }
  constexpr std::ptrdiff_t distance_from(const reverse_iterator &from) const {
    return from.base_ - base_;
  }
  constexpr Iterator base() const { return base_; }

private:
  Iterator base_{};
};
template <class Iterator>
constexpr reverse_iterator<Iterator> make_reverse_iterator(Iterator base) {
  return reverse_iterator<Iterator>(base);
}

template <class Iterator> constexpr auto distance(Iterator from, Iterator to) {
  return std::distance(from, to);
}
template <class Iterator, class Distance>
constexpr void advance(Iterator &what, Distance by) {
  what += by;
}
template <class Iterator>
constexpr Iterator next(Iterator from, std::ptrdiff_t by = 1) {
  return from + by;
}
template <class Iterator>
constexpr Iterator prev(Iterator from, std::ptrdiff_t by = 1) {
  return from - by;
}

namespace detail {
//===-- Where an iterator's elements are ----------------------------------===//

enum class memory { any, host, device };

template <class Type, class = void> inline constexpr bool is_iterator = false;
template <class Type>
inline constexpr bool is_iterator<
    Type, std::void_t<typename std::iterator_traits<Type>::iterator_category>> =
    true;

constexpr memory both(memory one, memory other) {
  return one == memory::any ? other : (other == memory::device ? other : one);
}
template <class Type>
inline constexpr memory memory_of =
    is_iterator<Type> ? memory::host : memory::any;
template <class Type>
inline constexpr memory memory_of<device_ptr<Type>> = memory::device;
template <class Type>
inline constexpr memory memory_of<counting_iterator<Type>> = memory::any;
template <class Type>
inline constexpr memory memory_of<constant_iterator<Type>> = memory::any;
template <> inline constexpr memory memory_of<discard_iterator> = memory::any;
template <class Function, class Iterator, class Result>
inline constexpr memory
    memory_of<transform_iterator<Function, Iterator, Result>> =
        memory_of<Iterator>;
template <class Function, class Iterator>
inline constexpr memory
    memory_of<transform_output_iterator<Function, Iterator>> =
        memory_of<Iterator>;
template <class Elements, class Indices>
inline constexpr memory memory_of<permutation_iterator<Elements, Indices>> =
    both(memory_of<Elements>, memory_of<Indices>);
template <class Iterator>
inline constexpr memory memory_of<reverse_iterator<Iterator>> =
    memory_of<Iterator>;
template <class... Iterator> constexpr memory memory_of_all() {
  memory all = memory::any;
  ((all = both(all, memory_of<Iterator>)), ...);
  return all;
}
template <class... Iterator>
inline constexpr memory memory_of<zip_iterator<tuple<Iterator...>>> =
    memory_of_all<Iterator...>();

//===-- What a kernel gets ------------------------------------------------===//

template <class Type> constexpr Type raw(const Type &of) { return of; }
template <class Type> constexpr Type *raw(const device_ptr<Type> &of) {
  return of.get();
}
template <class Iterator>
constexpr auto raw(const reverse_iterator<Iterator> &of);
template <class Function, class Iterator, class Result>
constexpr auto raw(const transform_iterator<Function, Iterator, Result> &of);
template <class Function, class Iterator>
constexpr auto raw(const transform_output_iterator<Function, Iterator> &of);
template <class Elements, class Indices>
constexpr auto raw(const permutation_iterator<Elements, Indices> &of);
template <class... Iterator>
constexpr auto raw(const zip_iterator<tuple<Iterator...>> &of);

template <class Iterator>
constexpr auto raw(const reverse_iterator<Iterator> &of) {
  return make_reverse_iterator(raw(of.base()));
}
template <class Function, class Iterator, class Result>
constexpr auto raw(const transform_iterator<Function, Iterator, Result> &of) {
  const auto base = raw(of.base());
  return transform_iterator<Function, bare<decltype(base)>, Result>(
      base, of.functor());
}
template <class Function, class Iterator>
constexpr auto raw(const transform_output_iterator<Function, Iterator> &of) {
  const auto base = raw(of.base());
  return transform_output_iterator<Function, bare<decltype(base)>>(
      base, of.functor());
}
template <class Elements, class Indices>
constexpr auto raw(const permutation_iterator<Elements, Indices> &of) {
  return make_permutation_iterator(raw(of.elements()), raw(of.base()));
}
template <class... Iterator, std::size_t... Index>
constexpr auto raw_all(const tuple<Iterator...> &of,
                       std::index_sequence<Index...>) {
  return make_zip_iterator(make_tuple(raw(value_in<Index>(of))...));
}
template <class... Iterator>
constexpr auto raw(const zip_iterator<tuple<Iterator...>> &of) {
  return raw_all(of.get_iterator_tuple(),
                 std::index_sequence_for<Iterator...>());
}
template <class Iterator>
using raw_of = bare<decltype(raw(std::declval<const Iterator &>()))>;
} // namespace detail

} // namespace thrust

#endif // XCC_CUDA_THRUST_ITERATORS_H
