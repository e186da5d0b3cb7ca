// Device code calls the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     XCC_HOST double progress(int step, std::span<const float> values);
//     void kernel(...) {
//       double goal = progress(i, {data, n});          // marked: a plain call
//       xcc::host_call(record, i, std::string_view(s)); // any other function
//       xcc::host_call([i] { std::cerr << i << '\n'; });
//     }
//
// The thread waits while the host runs the function, on a thread of its own,
// and has its result. How a parameter of type P travels:
//
//   a value, trivially copyable     its bytes; pointers in it as they are
//   const T &, T &&                 the object's bytes, in
//   T &                             the object's bytes, in and out
//   std::string_view, span<const T> the elements, in
//   std::span<T>                    the elements, in and out
//   const char *                    the text up to its zero, in
//   std::string, const string &     text, from whatever has data() and size()
//   any other pointer               as it is: to memory that the host and the
//                                   device both reach
//
// All of it goes in one message and comes back in one. What compiles a call:
// the device pass passes the address of a host_entry specialization for the
// function, which stands for a number; the host pass compiles that entry and
// registers it under the number.

#ifndef XCC_HOST_CALL_H
#define XCC_HOST_CALL_H

#include <xcc/abi.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

/// Marks a function that runs on the host, also when device code calls it.
/// xcc also knows it as [[xcc::host]]; other compilers ignore it.
#ifdef __clang__
#define XCC_HOST __attribute__((annotate("xcc.host")))
#define XCC_HOST_FUNCTION __attribute__((annotate("xcc.host_function")))
#else
#define XCC_HOST
#define XCC_HOST_FUNCTION
#endif

/// A host entry: in the host pass it is there although nothing names it but the
/// compiler's table.
#ifdef __XCC_DEVICE_PASS__
#define XCC_HOST_ENTRY [[clang::annotate("xcc.host_entry")]]
#else
#define XCC_HOST_ENTRY [[clang::annotate("xcc.host_entry"), gnu::used]]
#endif

#ifdef __XCC_DEVICE_PASS__
extern "C" void __xcc_host_call(std::uint64_t entry, xcc_segment *segments,
                                std::uint32_t count);
extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;
#endif

namespace xcc {
namespace detail {

/// How a parameter travels. Values lie in segment 0, the result in segment 1;
/// the others have a segment each, in their order.
enum class travel {
  value,
  in,
  in_and_out,
  text,
  view,
  string,
  pointed,
  refused
};

/// A pointer parameter of a function that the compiler sends to the host by
/// itself (-foffload-host-calls), with the bytes from there to the end of the
/// object it points into, as far as the optimiser knows.
template <class T> struct pointed {
  T *at;
  std::size_t size; ///< ~0: not known
};
template <class T> struct is_pointed : std::false_type {};
template <class T> struct is_pointed<pointed<T>> : std::true_type {};

template <class T, class = void> struct elements {
  static constexpr bool known = false;
  using type = void;
};
template <class T>
struct elements<T, std::void_t<decltype(std::declval<T &>().data()),
                               decltype(std::declval<T &>().size())>> {
  static constexpr bool known =
      std::is_pointer_v<decltype(std::declval<T &>().data())>;
  using type = std::remove_pointer_t<decltype(std::declval<T &>().data())>;
};

template <class P> constexpr travel travel_of() {
  using T = std::remove_cv_t<std::remove_reference_t<P>>;
  constexpr bool copyable = std::is_trivially_copyable_v<T>;
  if constexpr (is_pointed<T>::value) {
    return travel::pointed;
  } else if constexpr (elements<T>::known) {
    using E = typename elements<T>::type;
    if constexpr (!std::is_trivially_copyable_v<E>)
      return travel::refused;
    else if constexpr (copyable &&
                       std::is_constructible_v<T, E *, std::size_t> &&
                       (!std::is_reference_v<P> ||
                        std::is_const_v<std::remove_reference_t<P>>))
      return travel::view;
    else if constexpr (copyable) // std::array and its like
      return !std::is_reference_v<P> ? travel::value
             : std::is_const_v<std::remove_reference_t<P>> ||
                     std::is_rvalue_reference_v<P>
                 ? travel::in
                 : travel::in_and_out;
    else if constexpr (std::is_constructible_v<T, const E *, std::size_t> &&
                       (!std::is_lvalue_reference_v<P> ||
                        std::is_const_v<std::remove_reference_t<P>>))
      return travel::string;
    else
      return travel::refused;
  } else if constexpr (!copyable || std::is_member_pointer_v<T> ||
                       std::is_function_v<std::remove_pointer_t<T>>) {
    return travel::refused;
  } else if constexpr (!std::is_reference_v<P>) {
    return std::is_same_v<T, const char *> ? travel::text : travel::value;
  } else {
    return std::is_const_v<std::remove_reference_t<P>> ||
                   std::is_rvalue_reference_v<P>
               ? travel::in
               : travel::in_and_out;
  }
}

/// What a copy on the host is aligned to at most.
constexpr std::size_t most_alignment = 64;
template <class P> constexpr std::size_t alignment_of_moved() {
  using T = std::remove_reference_t<P>;
  if constexpr (std::is_void_v<T> || travel_of<P>() == travel::refused)
    return 1;
  else
    return alignof(T);
}

template <class P> constexpr bool has_segment = travel_of<P>() != travel::value;

template <class R, class... P> constexpr bool check_signature() {
  static_assert(std::is_void_v<R> || (std::is_trivially_copyable_v<R> &&
                                      !std::is_reference_v<R>),
                "the result of a host call must be void or trivially copyable");
  static_assert(
      ((travel_of<P>() != travel::refused) && ...),
      "a parameter of a host call cannot be moved to the host: it is a "
      "callback, a pointer to a member, or neither trivially copyable nor a "
      "string");
  static_assert(((alignment_of_moved<P>() <= most_alignment) && ...) &&
                    alignment_of_moved<R>() <= most_alignment,
                "a parameter or the result of a host call is aligned to more "
                "than 64 bytes");
  return true;
}

constexpr std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

constexpr std::size_t larger(std::size_t a, std::size_t b) {
  return a < b ? b : a;
}

/// Where each parameter lies: offsets in segment 0, or numbers of segments.
template <class R, class... P> struct message_layout {
  std::size_t place[sizeof...(P) + 1] = {};
  std::size_t raw[sizeof...(P) + 1] = {}; ///< of pointers as they are
  std::size_t bytes = 0;
  std::size_t alignment = 16; ///< of segment 0
  std::uint32_t segments = std::is_void_v<R> ? 1 : 2;
  constexpr message_layout() {
    [[maybe_unused]] std::size_t i = 0;
    ((is_pointed<P>::value
          ? void((bytes = aligned(bytes, alignof(void *)), raw[i] = bytes,
                  bytes += sizeof(void *), place[i++] = segments++))
      : has_segment<P>
          ? void(place[i++] = segments++)
          : void((alignment =
                      larger(alignment, alignof(std::remove_reference_t<P>)),
                  bytes = aligned(bytes, alignof(std::remove_reference_t<P>)),
                  place[i++] = bytes,
                  bytes += sizeof(std::remove_reference_t<P>)))),
     ...);
  }
};

enum : std::uint64_t { segment_in = 1, segment_out = 2, segment_null = 4 };

#ifdef __XCC_DEVICE_PASS__

inline std::size_t text_length(const char *text) {
  std::size_t n = 0;
  while (text[n])
    ++n;
  return n;
}

template <class T>
inline xcc_segment pack_pointed(char *raw, const pointed<T> &arg) {
  using E [[maybe_unused]] = std::remove_cv_t<T>;
  __builtin_memcpy(raw, &arg.at, sizeof(void *));
  std::uint64_t way =
      std::is_const_v<T> ? segment_in : segment_in | segment_out;
#ifdef __XCC_SEPARATE_MEMORY__
  std::size_t size = arg.size;
  if (arg.at && size == ~std::size_t(0)) {
    if constexpr (std::is_same_v<T, const char>)
      size = text_length(arg.at) + 1;
    else
      __xcc_trap(
          0,
          "a function of the host was given a pointer to an object whose "
          "size is not known here; call it with xcc::host_call and a "
          "std::span",
          nullptr, 0);
  }
  if (arg.at)
    return {const_cast<E *>(arg.at), size, way};
#endif
  return {nullptr, 0, way | segment_null};
}

/// Puts one argument into the message.
template <class P, class A>
inline void pack(char *values, xcc_segment *segments, std::size_t place,
                 [[maybe_unused]] std::size_t raw, A &&arg) {
  using T = std::remove_cv_t<std::remove_reference_t<P>>;
  constexpr travel how = travel_of<P>();
  if constexpr (how == travel::value) {
    const T value = static_cast<A &&>(arg);
    __builtin_memcpy(values + place, &value, sizeof value);
  } else if constexpr (how == travel::pointed) {
    segments[place] = pack_pointed(values + raw, arg);
  } else if constexpr (how == travel::text) {
    const char *text = arg;
    segments[place] = {const_cast<char *>(text),
                       text ? text_length(text) + 1 : 0,
                       text ? segment_in : segment_in | segment_null};
  } else if constexpr (how == travel::view) {
    const T &view = arg;
    using E = typename elements<T>::type;
    segments[place] = {
        const_cast<std::remove_cv_t<E> *>(view.data()), view.size() * sizeof(E),
        std::is_const_v<E> ? segment_in : segment_in | segment_out};
  } else if constexpr (how == travel::string) {
    using E = std::remove_cv_t<typename elements<T>::type>;
    using G = std::remove_cv_t<std::remove_reference_t<A>>;
    if constexpr (elements<G>::known) {
      segments[place] = {const_cast<E *>(arg.data()), arg.size() * sizeof(E),
                         segment_in};
    } else {
      const E *text = arg;
      std::size_t n = 0;
      while (text[n] != E())
        ++n;
      segments[place] = {const_cast<E *>(text), n * sizeof(E), segment_in};
    }
  } else {
    segments[place] = {
        const_cast<void *>(
            static_cast<const volatile void *>(__builtin_addressof(arg))),
        sizeof(T), how == travel::in ? segment_in : segment_in | segment_out};
  }
}

template <class R, class... P, std::size_t... I, class... A>
inline R send(std::uint64_t entry, std::index_sequence<I...>, A &&...args) {
  constexpr message_layout<R, P...> where;
  alignas(where.alignment) char values[where.bytes ? where.bytes : 1];
  xcc_segment segments[where.segments];
  segments[0] = {values, where.bytes, segment_in};
  (pack<P>(values, segments, where.place[I], where.raw[I],
           static_cast<A &&>(args)),
   ...);
  if constexpr (std::is_void_v<R>) {
    __xcc_host_call(entry, segments, where.segments);
  } else {
    alignas(R) char result[sizeof(R)];
    segments[1] = {result, sizeof(R), segment_out};
    __xcc_host_call(entry, segments, where.segments);
    return *std::launder(reinterpret_cast<R *>(result));
  }
}

/// Converts as a call would, where something must be converted.
template <class P, class A> inline decltype(auto) convert(A &&arg) {
  if constexpr (travel_of<P>() == travel::string ||
                travel_of<P>() == travel::pointed)
    return static_cast<A &&>(arg);
  else
    return static_cast<P>(static_cast<A &&>(arg));
}

template <class R, class... P, class... A>
inline R call_host(std::uint64_t entry, A &&...args) {
  if constexpr (check_signature<R, P...>())
    return send<R, P...>(entry, std::index_sequence_for<P...>{},
                         convert<P>(static_cast<A &&>(args))...);
}

#else

/// The parameter that a message holds.
template <class P>
inline decltype(auto) unpack(const xcc_segment *segments, std::size_t place,
                             [[maybe_unused]] std::size_t raw) {
  using T = std::remove_cv_t<std::remove_reference_t<P>>;
  constexpr travel how = travel_of<P>();
  if constexpr (how == travel::value) {
    return (*std::launder(
        reinterpret_cast<T *>(static_cast<char *>(segments[0].data) + place)));
  } else if constexpr (how == travel::pointed) {
    decltype(T::at) at = nullptr;
    __builtin_memcpy(&at, static_cast<char *>(segments[0].data) + raw,
                     sizeof(at));
    return segments[place].direction & segment_null
               ? at
               : static_cast<decltype(at)>(segments[place].data);
  } else if constexpr (how == travel::text) {
    return segments[place].direction & segment_null
               ? nullptr
               : static_cast<const char *>(segments[place].data);
  } else if constexpr (how == travel::view || how == travel::string) {
    using E = typename elements<T>::type;
    return T(static_cast<E *>(segments[place].data),
             segments[place].size / sizeof(E));
  } else {
    return static_cast<P>(
        *std::launder(static_cast<T *>(segments[place].data)));
  }
}

/// What a host call passes on the host itself: a string may be given by
/// anything that has data() and size(), as on a device.
template <class P, class A> inline decltype(auto) given(A &&arg) {
  if constexpr (travel_of<P>() == travel::string &&
                !std::is_convertible_v<A, P>)
    return std::remove_cv_t<std::remove_reference_t<P>>(arg.data(), arg.size());
  else
    return static_cast<A &&>(arg);
}

template <class R, class... P, class F, std::size_t... I>
inline void receive(F &&function, xcc_segment *segments,
                    std::index_sequence<I...>) {
  constexpr message_layout<R, P...> where;
  if constexpr (std::is_void_v<R>)
    function(unpack<P>(segments, where.place[I], where.raw[I])...);
  else
    ::new (segments[1].data)
        R(function(unpack<P>(segments, where.place[I], where.raw[I])...));
}

#endif

template <class F> struct function_result;
template <class R, class... P> struct function_result<R (*)(P...)> {
  using type = R;
};
template <class R, class... P> struct function_result<R (*)(P...) noexcept> {
  using type = R;
};
template <class R, class... P> struct function_result<R (*)(P..., ...)> {
  using type = R;
};
template <class R, class... P>
struct function_result<R (*)(P..., ...) noexcept> {
  using type = R;
};

template <class... T> struct types {};

/// The call operator of a function object that has one.
template <class M> struct call_operator;
#define XCC_MEMBER(qualifiers)                                                 \
  template <class C, class R, class... P>                                      \
  struct call_operator<R (C::*)(P...) qualifiers> {                            \
    using result = R;                                                          \
    using params = types<P...>;                                                \
  };
XCC_MEMBER()
XCC_MEMBER(const)
XCC_MEMBER(noexcept)
XCC_MEMBER(const noexcept)
#undef XCC_MEMBER

/// What a variadic function's argument becomes.
template <class A>
using promoted_t = std::conditional_t<
    std::is_same_v<std::decay_t<A>, float>, double,
    std::conditional_t<std::is_integral_v<std::decay_t<A>> &&
                           sizeof(std::decay_t<A>) < sizeof(int),
                       int, std::decay_t<A>>>;

} // namespace detail

/// The host's side of a call of Fn with parameters P.... The compiler makes
/// one for each function that device code calls on the host.
template <auto Fn, class... P>
XCC_HOST_ENTRY void host_entry([[maybe_unused]] xcc_segment *segments) {
#ifndef __XCC_DEVICE_PASS__
  using R = typename detail::function_result<decltype(Fn)>::type;
  if constexpr (detail::check_signature<R, P...>())
    detail::receive<R, P...>(Fn, segments, std::index_sequence_for<P...>{});
#endif
}

/// The same for a function object, whose bytes are the first parameter.
template <class F, class R, class... P>
XCC_HOST_ENTRY void host_object_entry([[maybe_unused]] xcc_segment *segments) {
#ifndef __XCC_DEVICE_PASS__
  if constexpr (detail::check_signature<R, P...>())
    detail::receive<R, F, P...>(
        [](F &object, auto &&...args) -> R {
          return object(static_cast<decltype(args)>(args)...);
        },
        segments, std::index_sequence_for<F, P...>{});
#endif
}

namespace detail {
template <class T, class = void> struct is_complete : std::false_type {};
template <class T>
struct is_complete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {};

/// How a parameter of a function travels that nobody marked: a pointer takes
/// along what it points to, if that has a type.
template <class P> struct generated {
  using type = P;
};
template <class T> struct generated<T *> {
  using type = std::conditional_t<std::is_void_v<T> || is_complete<T>::value,
                                  pointed<T>, T *>;
};
template <class P> using generated_t = typename generated<P>::type;

/// Bytes from a pointer to the end of its object; ~0 where not known.
template <class A>
[[gnu::always_inline]] inline std::size_t size_behind(const A &arg) {
  if constexpr (std::is_pointer_v<A>)
    return __builtin_dynamic_object_size(arg, 0);
  else
    return 0;
}
} // namespace detail

/// The host's side of a call that the compiler makes by itself.
template <auto Fn, class... P>
XCC_HOST_ENTRY void
generated_host_entry([[maybe_unused]] xcc_segment *segments) {
#ifndef __XCC_DEVICE_PASS__
  using R = typename detail::function_result<decltype(Fn)>::type;
  detail::receive<R, detail::generated_t<P>...>(
      Fn, segments, std::index_sequence_for<P...>{});
#endif
}

#ifdef __XCC_DEVICE_PASS__
/// What stands for a function that nothing defines for a device. Inlined into
/// its callers, where the objects that pointers point into are known.
template <auto Fn, class... P>
[[gnu::always_inline]] inline
    typename detail::function_result<decltype(Fn)>::type
    generated_host_function(P... args) {
  using R = typename detail::function_result<decltype(Fn)>::type;
  auto give = [](auto &&arg, std::size_t size) -> decltype(auto) {
    using A = std::remove_reference_t<decltype(arg)>;
    if constexpr (detail::is_pointed<detail::generated_t<A>>::value)
      return detail::generated_t<A>{arg, size};
    else
      return static_cast<A &>(arg);
  };
  return detail::call_host<R, detail::generated_t<P>...>(
      reinterpret_cast<std::uint64_t>(&generated_host_entry<Fn, P...>),
      give(args, detail::size_behind(args))...);
}

/// What a device calls instead of a function marked XCC_HOST.
template <auto Fn, class... P>
inline typename detail::function_result<decltype(Fn)>::type
host_function(P... args) {
  using R = typename detail::function_result<decltype(Fn)>::type;
  return detail::call_host<R, P...>(
      reinterpret_cast<std::uint64_t>(&host_entry<Fn, P...>),
      static_cast<P &&>(args)...);
}
#endif

namespace detail {

template <class R, class F, class... P, class... A>
inline R call_object(F &object, types<P...>, A &&...args) {
#ifdef __XCC_DEVICE_PASS__
  return call_host<R, F, P...>(
      reinterpret_cast<std::uint64_t>(&host_object_entry<F, R, P...>), object,
      static_cast<A &&>(args)...);
#else
  (void)&host_object_entry<F, R, P...>; // makes the compiler register it
  return object(static_cast<A &&>(args)...);
#endif
}

#ifdef __XCC_DEVICE_PASS__
template <class Declared, class... A> struct tail_after;
template <class... A> struct tail_after<types<>, A...> {
  using type = types<promoted_t<A>...>;
};
template <class P, class... Rest, class A, class... More>
struct tail_after<types<P, Rest...>, A, More...>
    : tail_after<types<Rest...>, More...> {};

template <class R, class... P, class... Tail, class... A>
inline R call_variadic(std::uint64_t entry, types<P...>, types<Tail...>,
                       A &&...args) {
  return call_host<R, P..., Tail...>(entry, static_cast<A &&>(args)...);
}
#endif

} // namespace detail

/// Runs a function on the host and returns what it returns. The function must
/// be known at compile time. On the host: a plain call. An exception that
/// leaves the function ends the launch.
template <class R, class... P, class... A>
inline R host_call(XCC_HOST_FUNCTION R (*function)(P...), A &&...args) {
#ifdef __XCC_DEVICE_PASS__
  return detail::call_host<R, P...>(reinterpret_cast<std::uint64_t>(function),
                                    static_cast<A &&>(args)...);
#else
  return function(detail::given<P>(static_cast<A &&>(args))...);
#endif
}
template <class R, class... P, class... A>
inline R host_call(XCC_HOST_FUNCTION R (*function)(P..., ...), A &&...args) {
#ifdef __XCC_DEVICE_PASS__
  return detail::call_variadic<R>(
      reinterpret_cast<std::uint64_t>(function), detail::types<P...>{},
      typename detail::tail_after<detail::types<P...>, A...>::type{},
      static_cast<A &&>(args)...);
#else
  return function(static_cast<A &&>(args)...);
#endif
}

/// The same for a closure or function object, which is copied to the host. It
/// has one call operator, which is no template.
template <class F, class... A,
          class = std::enable_if_t<std::is_class_v<std::decay_t<F>>>>
inline auto host_call(F &&function, A &&...args) ->
    typename detail::call_operator<
        decltype(&std::decay_t<F>::operator())>::result {
  using Object = std::decay_t<F>;
  using call = detail::call_operator<decltype(&Object::operator())>;
  static_assert(std::is_trivially_copyable_v<Object>,
                "a closure that runs on the host must be trivially copyable");
  Object object(static_cast<F &&>(function));
  return detail::call_object<typename call::result>(
      object, typename call::params{}, static_cast<A &&>(args)...);
}

} // namespace xcc

#undef XCC_HOST_ENTRY

#endif // XCC_HOST_CALL_H
