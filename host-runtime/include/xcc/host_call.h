// Device code calls the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     XCC_HOST double progress(int step, std::span<const float> values);
//     void kernel(int i, const float *data, std::size_t n) {
//       double goal = progress(i, {data, n});          // marked: a plain call
//       xcc::host_call(record, i, std::string_view(s)); // any other function
//       xcc::host_call([i] { std::cerr << i << '\n'; });
//     }
//
// The thread waits while the host runs the function, on a thread of its own,
// and has its result. How a parameter of type Param travels:
//
//   a value, trivially copyable     its bytes; pointers in it as they are
//   const Type &, Type &&                 the object's bytes, in
//   Type &                             the object's bytes, in and out
//   std::string_view, span<const Type> the elements, in
//   std::span<Type>                    the elements, in and out
//   const char *                    the text up to its zero, in
//   std::string, const string &     text, from whatever has data() and size()
//   any other pointer               as it is: to memory that the host and the
//                                   device both reach
//
// A call is one message to the host and one message back. To compile a call, the
// device pass passes the address of a host_entry specialization for the function,
// which stands for a number. The host pass compiles that entry and registers it
// under the number. Errors: an exception that leaves the function ends the launch
// with an error. Threads: any thread of a kernel may call; calls run at the same
// time, on threads of the runtime.

#ifndef XCC_HOST_CALL_H
#define XCC_HOST_CALL_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

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
template <class Type> struct pointed {
  Type *at;
  std::size_t size; ///< ~0: not known
};
template <class Type> struct is_pointed : std::false_type {};
template <class Type> struct is_pointed<pointed<Type>> : std::true_type {};

template <class Type, class = void> struct elements {
  static constexpr bool known = false;
  using type = void;
};
template <class Type>
struct elements<Type, std::void_t<decltype(std::declval<Type &>().data()),
                                  decltype(std::declval<Type &>().size())>> {
  static constexpr bool known =
      std::is_pointer_v<decltype(std::declval<Type &>().data())>;
  using type = std::remove_pointer_t<decltype(std::declval<Type &>().data())>;
};

template <class Param> constexpr travel travel_of() {
  using Type = std::remove_cv_t<std::remove_reference_t<Param>>;
  constexpr bool copyable = std::is_trivially_copyable_v<Type>;
  if constexpr (is_pointed<Type>::value) {
    return travel::pointed;
  } else if constexpr (elements<Type>::known) {
    using Element = typename elements<Type>::type;
    if constexpr (!std::is_trivially_copyable_v<Element>)
      return travel::refused;
    else if constexpr (copyable &&
                       std::is_constructible_v<Type, Element *, std::size_t> &&
                       (!std::is_reference_v<Param> ||
                        std::is_const_v<std::remove_reference_t<Param>>))
      return travel::view;
    else if constexpr (copyable) // std::array and its like
      return !std::is_reference_v<Param> ? travel::value
             : std::is_const_v<std::remove_reference_t<Param>> ||
                     std::is_rvalue_reference_v<Param>
                 ? travel::in
                 : travel::in_and_out;
    else if constexpr (std::is_constructible_v<Type, const Element *,
                                               std::size_t> &&
                       (!std::is_lvalue_reference_v<Param> ||
                        std::is_const_v<std::remove_reference_t<Param>>))
      return travel::string;
    else
      return travel::refused;
  } else if constexpr (!copyable || std::is_member_pointer_v<Type> ||
                       std::is_function_v<std::remove_pointer_t<Type>>) {
    return travel::refused;
  } else if constexpr (!std::is_reference_v<Param>) {
    return std::is_same_v<Type, const char *> ? travel::text : travel::value;
  } else {
    return std::is_const_v<std::remove_reference_t<Param>> ||
                   std::is_rvalue_reference_v<Param>
               ? travel::in
               : travel::in_and_out;
  }
}

/// What a copy on the host is aligned to at most.
constexpr std::size_t most_alignment = 64;
template <class Param> constexpr std::size_t alignment_of_moved() {
  using Type = std::remove_reference_t<Param>;
  if constexpr (std::is_void_v<Type> || travel_of<Param>() == travel::refused)
    return 1;
  else
    return alignof(Type);
}

template <class Param>
constexpr bool has_segment = travel_of<Param>() != travel::value;

template <class Result, class... Param> constexpr bool check_signature() {
  static_assert(std::is_void_v<Result> ||
                    (std::is_trivially_copyable_v<Result> &&
                     !std::is_reference_v<Result>),
                "the result of a host call must be void or trivially copyable");
  static_assert(
      ((travel_of<Param>() != travel::refused) && ...),
      "a parameter of a host call cannot be moved to the host: it is a "
      "callback, a pointer to a member, or neither trivially copyable nor a "
      "string");
  static_assert(((alignment_of_moved<Param>() <= most_alignment) && ...) &&
                    alignment_of_moved<Result>() <= most_alignment,
                "a parameter or the result of a host call is aligned to more "
                "than 64 bytes");
  return true;
}

constexpr std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

constexpr std::size_t larger(std::size_t one, std::size_t other) {
  return one < other ? other : one;
}

/// Where each parameter lies: offsets in segment 0, or numbers of segments.
template <class Result, class... Param> struct message_layout {
  std::size_t place[sizeof...(Param) + 1] = {};
  std::size_t raw[sizeof...(Param) + 1] = {}; ///< of pointers as they are
  std::size_t bytes = 0;
  std::size_t alignment = 16; ///< of segment 0
  std::uint32_t segments = std::is_void_v<Result> ? 1 : 2;
  constexpr message_layout() {
    [[maybe_unused]] std::size_t slot = 0;
    ((is_pointed<Param>::value
          ? void((bytes = aligned(bytes, alignof(void *)), raw[slot] = bytes,
                  bytes += sizeof(void *), place[slot++] = segments++))
      : has_segment<Param>
          ? void(place[slot++] = segments++)
          : void((
                alignment =
                    larger(alignment, alignof(std::remove_reference_t<Param>)),
                bytes = aligned(bytes, alignof(std::remove_reference_t<Param>)),
                place[slot++] = bytes,
                bytes += sizeof(std::remove_reference_t<Param>)))),
     ...);
  }
};

enum : std::uint64_t { segment_in = 1, segment_out = 2, segment_null = 4 };

#ifdef __XCC_DEVICE_PASS__

inline std::size_t text_length(const char *text) {
  std::size_t length = 0;
  while (text[length])
    ++length;
  return length;
}

template <class Type>
inline xcc_segment pack_pointed(char *raw, const pointed<Type> &arg) {
  using Element [[maybe_unused]] = std::remove_cv_t<Type>;
  __builtin_memcpy(raw, &arg.at, sizeof(void *));
  std::uint64_t direction =
      std::is_const_v<Type> ? segment_in : segment_in | segment_out;
#ifdef __XCC_SEPARATE_MEMORY__
  std::size_t size = arg.size;
  if (arg.at && size == ~std::size_t(0)) {
    if constexpr (std::is_same_v<Type, const char>)
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
    return {const_cast<Element *>(arg.at), size, direction};
#endif
  return {nullptr, 0, direction | segment_null};
}

/// Puts one argument into the message.
template <class Param, class Arg>
inline void pack(char *values, xcc_segment *segments, std::size_t place,
                 [[maybe_unused]] std::size_t raw, Arg &&arg) {
  using Type = std::remove_cv_t<std::remove_reference_t<Param>>;
  constexpr travel how = travel_of<Param>();
  if constexpr (how == travel::value) {
    const Type value = static_cast<Arg &&>(arg);
    __builtin_memcpy(values + place, &value, sizeof value);
  } else if constexpr (how == travel::pointed) {
    segments[place] = pack_pointed(values + raw, arg);
  } else if constexpr (how == travel::text) {
    const char *text = arg;
    segments[place] = {const_cast<char *>(text),
                       text ? text_length(text) + 1 : 0,
                       text ? segment_in : segment_in | segment_null};
  } else if constexpr (how == travel::view) {
    const Type &view = arg;
    using Element = typename elements<Type>::type;
    segments[place] = {const_cast<std::remove_cv_t<Element> *>(view.data()),
                       view.size() * sizeof(Element),
                       std::is_const_v<Element> ? segment_in
                                                : segment_in | segment_out};
  } else if constexpr (how == travel::string) {
    using Element = std::remove_cv_t<typename elements<Type>::type>;
    using Given = std::remove_cv_t<std::remove_reference_t<Arg>>;
    if constexpr (elements<Given>::known) {
      segments[place] = {const_cast<Element *>(arg.data()),
                         arg.size() * sizeof(Element), segment_in};
    } else {
      const Element *text = arg;
      std::size_t length = 0;
      while (text[length] != Element())
        ++length;
      segments[place] = {const_cast<Element *>(text), length * sizeof(Element),
                         segment_in};
    }
  } else {
    segments[place] = {
        const_cast<void *>(
            static_cast<const volatile void *>(__builtin_addressof(arg))),
        sizeof(Type),
        how == travel::in ? segment_in : segment_in | segment_out};
  }
}

template <class Result, class... Param, std::size_t... Index, class... Arg>
inline Result send(std::uint64_t entry, std::index_sequence<Index...>,
                   Arg &&...args) {
  constexpr message_layout<Result, Param...> where;
  alignas(where.alignment) char values[where.bytes ? where.bytes : 1];
  xcc_segment segments[where.segments];
  segments[0] = {values, where.bytes, segment_in};
  (pack<Param>(values, segments, where.place[Index], where.raw[Index],
               static_cast<Arg &&>(args)),
   ...);
  if constexpr (std::is_void_v<Result>) {
    __xcc_host_call(entry, segments, where.segments);
  } else {
    alignas(Result) char result[sizeof(Result)];
    segments[1] = {result, sizeof(Result), segment_out};
    __xcc_host_call(entry, segments, where.segments);
    return *std::launder(reinterpret_cast<Result *>(result));
  }
}

/// Converts as a call would, where something must be converted.
template <class Param, class Arg> inline decltype(auto) convert(Arg &&arg) {
  if constexpr (travel_of<Param>() == travel::string ||
                travel_of<Param>() == travel::pointed)
    return static_cast<Arg &&>(arg);
  else
    return static_cast<Param>(static_cast<Arg &&>(arg));
}

template <class Result, class... Param, class... Arg>
inline Result call_host(std::uint64_t entry, Arg &&...args) {
  if constexpr (check_signature<Result, Param...>())
    return send<Result, Param...>(entry, std::index_sequence_for<Param...>{},
                                  convert<Param>(static_cast<Arg &&>(args))...);
}

#else

/// The parameter that a message holds.
template <class Param>
inline decltype(auto) unpack(const xcc_segment *segments, std::size_t place,
                             [[maybe_unused]] std::size_t raw) {
  using Type = std::remove_cv_t<std::remove_reference_t<Param>>;
  constexpr travel how = travel_of<Param>();
  if constexpr (how == travel::value) {
    return (*std::launder(reinterpret_cast<Type *>(
        static_cast<char *>(segments[0].data) + place)));
  } else if constexpr (how == travel::pointed) {
    decltype(Type::at) at = nullptr;
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
    using Element = typename elements<Type>::type;
    return Type(static_cast<Element *>(segments[place].data),
                segments[place].size / sizeof(Element));
  } else {
    return static_cast<Param>(
        *std::launder(static_cast<Type *>(segments[place].data)));
  }
}

/// What a host call passes on the host itself: a string may be given by
/// anything that has data() and size(), as on a device.
template <class Param, class Arg> inline decltype(auto) given(Arg &&arg) {
  if constexpr (travel_of<Param>() == travel::string &&
                !std::is_convertible_v<Arg, Param>)
    return std::remove_cv_t<std::remove_reference_t<Param>>(arg.data(),
                                                            arg.size());
  else
    return static_cast<Arg &&>(arg);
}

template <class Result, class... Param, class Callee, std::size_t... Index>
inline void receive(Callee &&function, xcc_segment *segments,
                    std::index_sequence<Index...>) {
  constexpr message_layout<Result, Param...> where;
  if constexpr (std::is_void_v<Result>)
    function(unpack<Param>(segments, where.place[Index], where.raw[Index])...);
  else
    ::new (segments[1].data) Result(function(
        unpack<Param>(segments, where.place[Index], where.raw[Index])...));
}

#endif

template <class Callee> struct function_result;
template <class Result, class... Param>
struct function_result<Result (*)(Param...)> {
  using type = Result;
};
template <class Result, class... Param>
struct function_result<Result (*)(Param...) noexcept> {
  using type = Result;
};
template <class Result, class... Param>
struct function_result<Result (*)(Param..., ...)> {
  using type = Result;
};
template <class Result, class... Param>
struct function_result<Result (*)(Param..., ...) noexcept> {
  using type = Result;
};

template <class... Type> struct types {};

/// The call operator of a function object that has one.
template <class Member> struct call_operator;
#define XCC_MEMBER(qualifiers)                                                 \
  template <class Class, class Result, class... Param>                         \
  struct call_operator<Result (Class::*)(Param...) qualifiers> {               \
    using result = Result;                                                     \
    using params = types<Param...>;                                            \
  };
XCC_MEMBER()
XCC_MEMBER(const)
XCC_MEMBER(noexcept)
XCC_MEMBER(const noexcept)
#undef XCC_MEMBER

/// What a variadic function's argument becomes.
template <class Arg>
using promoted_t = std::conditional_t<
    std::is_same_v<std::decay_t<Arg>, float>, double,
    std::conditional_t<std::is_integral_v<std::decay_t<Arg>> &&
                           sizeof(std::decay_t<Arg>) < sizeof(int),
                       int, std::decay_t<Arg>>>;

} // namespace detail

/// The host's side of a call of Fn with parameters Param.... The compiler makes
/// one for each function that device code calls on the host. \p segments are the
/// message, which stays the runtime's.
template <auto Fn, class... Param>
XCC_HOST_ENTRY void host_entry([[maybe_unused]] xcc_segment *segments) {
#ifndef __XCC_DEVICE_PASS__
  using Result = typename detail::function_result<decltype(Fn)>::type;
  if constexpr (detail::check_signature<Result, Param...>())
    detail::receive<Result, Param...>(Fn, segments,
                                      std::index_sequence_for<Param...>{});
#endif
}

/// The same for a function object, whose bytes are the first parameter in \p
/// segments.
template <class Callee, class Result, class... Param>
XCC_HOST_ENTRY void host_object_entry([[maybe_unused]] xcc_segment *segments) {
#ifndef __XCC_DEVICE_PASS__
  if constexpr (detail::check_signature<Result, Param...>())
    detail::receive<Result, Callee, Param...>(
        [](Callee &object, auto &&...args) -> Result {
          return object(static_cast<decltype(args)>(args)...);
        },
        segments, std::index_sequence_for<Callee, Param...>{});
#endif
}

namespace detail {
template <class Type, class = void> struct is_complete : std::false_type {};
template <class Type>
struct is_complete<Type, std::void_t<decltype(sizeof(Type))>> : std::true_type {
};

/// How a parameter of a function travels that nobody marked: a pointer takes
/// along what it points to, if that has a type.
template <class Param> struct generated {
  using type = Param;
};
template <class Type> struct generated<Type *> {
  using type =
      std::conditional_t<std::is_void_v<Type> || is_complete<Type>::value,
                         pointed<Type>, Type *>;
};
template <class Param> using generated_t = typename generated<Param>::type;

/// Bytes from a pointer to the end of its object; ~0 where not known.
template <class Arg>
[[gnu::always_inline]] inline std::size_t size_behind(const Arg &arg) {
  if constexpr (std::is_pointer_v<Arg>)
    return __builtin_dynamic_object_size(arg, 0);
  else
    return 0;
}
} // namespace detail

/// The host's side of a call that the compiler makes by itself, with its message
/// in \p segments.
template <auto Fn, class... Param>
XCC_HOST_ENTRY void
generated_host_entry([[maybe_unused]] xcc_segment *segments) {
#ifndef __XCC_DEVICE_PASS__
  using Result = typename detail::function_result<decltype(Fn)>::type;
  detail::receive<Result, detail::generated_t<Param>...>(
      Fn, segments, std::index_sequence_for<Param...>{});
#endif
}

#ifdef __XCC_DEVICE_PASS__
/// What stands for a function that nothing defines for a device. Inlined into
/// its callers, where the objects that pointers point into are known.
template <auto Fn, class... Param>
[[gnu::always_inline]] inline
    typename detail::function_result<decltype(Fn)>::type
    generated_host_function(Param... args) {
  using Result = typename detail::function_result<decltype(Fn)>::type;
  auto give = [](auto &&arg, std::size_t size) -> decltype(auto) {
    using Arg = std::remove_reference_t<decltype(arg)>;
    if constexpr (detail::is_pointed<detail::generated_t<Arg>>::value)
      return detail::generated_t<Arg>{arg, size};
    else
      return static_cast<Arg &>(arg);
  };
  return detail::call_host<Result, detail::generated_t<Param>...>(
      reinterpret_cast<std::uint64_t>(&generated_host_entry<Fn, Param...>),
      give(args, detail::size_behind(args))...);
}

/// What a device calls instead of a function marked XCC_HOST.
template <auto Fn, class... Param>
inline typename detail::function_result<decltype(Fn)>::type
host_function(Param... args) {
  using Result = typename detail::function_result<decltype(Fn)>::type;
  return detail::call_host<Result, Param...>(
      reinterpret_cast<std::uint64_t>(&host_entry<Fn, Param...>),
      static_cast<Param &&>(args)...);
}
#endif

namespace detail {

template <class Result, class Callee, class... Param, class... Arg>
inline Result call_object(Callee &object, types<Param...>, Arg &&...args) {
#ifdef __XCC_DEVICE_PASS__
  return call_host<Result, Callee, Param...>(
      reinterpret_cast<std::uint64_t>(
          &host_object_entry<Callee, Result, Param...>),
      object, static_cast<Arg &&>(args)...);
#else
  (void)&host_object_entry<Callee, Result,
                           Param...>; // makes the compiler register it
  return object(static_cast<Arg &&>(args)...);
#endif
}

#ifdef __XCC_DEVICE_PASS__
template <class Declared, class... Arg> struct tail_after;
template <class... Arg> struct tail_after<types<>, Arg...> {
  using type = types<promoted_t<Arg>...>;
};
template <class Param, class... Rest, class Arg, class... More>
struct tail_after<types<Param, Rest...>, Arg, More...>
    : tail_after<types<Rest...>, More...> {};

template <class Result, class... Param, class... Tail, class... Arg>
inline Result call_variadic(std::uint64_t entry, types<Param...>,
                            types<Tail...>, Arg &&...args) {
  return call_host<Result, Param..., Tail...>(entry,
                                              static_cast<Arg &&>(args)...);
}
#endif

} // namespace detail

/// Runs a function on the host and returns its result. The function must be known
/// at compile time. On the host this is a plain call. An exception that leaves
/// the function ends the launch.
///     bool known = xcc::host_call(record, i, std::string_view(s));
template <class Result, class... Param, class... Arg>
inline Result host_call(XCC_HOST_FUNCTION Result (*function)(Param...),
                        Arg &&...args) {
#ifdef __XCC_DEVICE_PASS__
  return detail::call_host<Result, Param...>(
      reinterpret_cast<std::uint64_t>(function), static_cast<Arg &&>(args)...);
#else
  return function(detail::given<Param>(static_cast<Arg &&>(args))...);
#endif
}
template <class Result, class... Param, class... Arg>
inline Result host_call(XCC_HOST_FUNCTION Result (*function)(Param..., ...),
                        Arg &&...args) {
#ifdef __XCC_DEVICE_PASS__
  return detail::call_variadic<Result>(
      reinterpret_cast<std::uint64_t>(function), detail::types<Param...>{},
      typename detail::tail_after<detail::types<Param...>, Arg...>::type{},
      static_cast<Arg &&>(args)...);
#else
  return function(static_cast<Arg &&>(args)...);
#endif
}

/// Runs a closure or function object on the host, to which it is copied. It has
/// one call operator, which is not a template.
template <class Callee, class... Arg,
          class = std::enable_if_t<std::is_class_v<std::decay_t<Callee>>>>
inline auto host_call(Callee &&function, Arg &&...args) ->
    typename detail::call_operator<
        decltype(&std::decay_t<Callee>::operator())>::result {
  using Object = std::decay_t<Callee>;
  using call = detail::call_operator<decltype(&Object::operator())>;
  static_assert(std::is_trivially_copyable_v<Object>,
                "a closure that runs on the host must be trivially copyable");
  Object object(static_cast<Callee &&>(function));
  return detail::call_object<typename call::result>(
      object, typename call::params{}, static_cast<Arg &&>(args)...);
}

} // namespace xcc

#undef XCC_HOST_ENTRY

#endif // XCC_HOST_CALL_H
