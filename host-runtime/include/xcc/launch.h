// From a call of launch to packed arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernel_info_for and launch. What the compiler does here:
//
//  * A parameter marked XCC_KERNEL takes a function's name. At each call the
//    compiler knows which function it is. It instantiates function_kernel for it
//    and passes that entry instead of the function.
//  * function_kernel and object_kernel specializations are the entry points.
//    The device pass emits their bodies; in the host pass the address of a
//    specialization becomes the address of its kernel descriptor.
//  * Arguments are checked as in a call of the kernel at that place.
//
// A kernel's arguments are in its kernarg segment like the members of a
// structure: in order, each with its own alignment. References are addresses.
// The host constructs them there as a call constructs its parameters. Their
// bytes are copied to the device. Each thread copies its parameters from there,
// and destroys its copies. The compiler rejects types whose bytes are
// meaningless on another device. Errors and threads: as in <xcc/host.h>.
//
// Parameters. kernarg, in device code: the arguments of the launch, where the
// device has them.

#ifndef XCC_LAUNCH_H
#define XCC_LAUNCH_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/abi.h>
#include <xcc/device.h>
#include <xcc/host.h>
#include <xcc/runtime.h>
#include <xcc/scope.h>
#include <xcc/transfer.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

/// Marks a function parameter of function-pointer type that takes a kernel's
/// name. Write it in your own functions that forward to xcc::launch.
#define XCC_KERNEL [[clang::annotate("xcc.kernel")]]

/// Exports a definition to device code of other translation units. The compiler
/// checks it here, not when a kernel uses it. Write it where a library's export
/// macro is written: before or in declarations of functions and variables, and
/// in those of classes and namespaces, for all of their members (`class
/// XCC_EXPORT parser`, `namespace XCC_EXPORT detail {`). Compilers other than
/// xcc ignore it.
///     XCC_EXPORT float scale(float x) { return 2 * x; }
#ifdef __clang__
#define XCC_EXPORT __attribute__((annotate("xcc.export")))
#else
#define XCC_EXPORT
#endif

/// Promises that a kernel is launched with at most so many threads in a block.
/// A second number asks for that many blocks on a compute unit at once. The
/// back end derives the number of registers of a thread from both. Write it
/// before a function or after a lambda's parameters. xcc also accepts
/// [[xcc::launch_bounds(256, 2)]]. Other compilers ignore the macro.
///     XCC_LAUNCH_BOUNDS(256, 2) void saxpy(int n, float a, const float *x);
#ifdef __clang__
#define XCC_LAUNCH_BOUNDS(...)                                                 \
  __attribute__((annotate("xcc.launch_bounds", __VA_ARGS__)))
#else
#define XCC_LAUNCH_BOUNDS(...)
#endif

/// Marks a value that is the same in most launches: a parameter of a kernel, or
/// a data member of a function object or of a structure that a kernel takes. If
/// code can be generated at run time (docs/jit.md), each value gets code in
/// which it is a constant, as with xcc::constant. xcc also accepts
/// [[xcc::specialize]]. Other compilers ignore the macro.
///     void blur(XCC_SPECIALIZE int radius, const float *in, float *out);
#ifdef __clang__
#define XCC_SPECIALIZE __attribute__((annotate("xcc.specialize")))
#else
#define XCC_SPECIALIZE
#endif

namespace xcc {

/// A kernel's descriptor: see xcc/abi.h for the fields.
using kernel_info = xcc_kernel_info;

/// The descriptor that kernel_info_for returns. Its param_count is a constant
/// expression, because the kernel's type determines it. Otherwise it is a
/// kernel_info, and `&` gives a pointer to kernel_info.
template <std::uint32_t Params> struct kernel_info_of : kernel_info {
  static constexpr std::uint32_t param_count = Params;

  friend constexpr const kernel_info *operator&(const kernel_info_of &info) {
    return __builtin_addressof(static_cast<const kernel_info &>(info));
  }
};

/// How to launch: the number of blocks, threads in each block, bytes of dynamic
/// shared memory, and the stream (none: the current device's default stream).
/// Do not set the other fields: the compiler fills in the source location.
///     xcc::launch({{blocks}, {256}, 1024, s}, kernel, n, x.data());
struct launch_config {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  stream_ref on = nullptr;
  const char *file = __builtin_FILE();
  unsigned line = __builtin_LINE();
  /// What all launches with this value have in common: xcc::constant's.
  std::uint32_t constants = 0;
  std::uint32_t flags = 0; ///< xcc_launch_flags, which calls set
};

/// The result of xcc::constant: an argument whose value the generated code may
/// assume. It can be a member of a closure too: [degree = xcc::constant(n)].
template <class Type> struct constant_value {
  XCC_SPECIALIZE Type value;
  constexpr operator Type() const noexcept { return value; }
};

/// Passes an argument as a constant: code is generated for the kernel in which
/// the argument has this value. It is a number or an enumerator, and so is the
/// parameter. Use it for values that few launches differ in, because the first
/// launch with each value waits for the code (docs/jit.md). If no code can be
/// generated, the argument is passed as usual.
///     xcc::launch({{blocks}, {256}}, polynomial, xcc::constant(degree), x);
template <class Type>
constexpr constant_value<Type> constant(Type value) noexcept {
  static_assert(std::is_arithmetic_v<Type> || std::is_enum_v<Type>,
                "xcc::constant takes a number, an enumerator or a "
                "launch_config");
  return {value};
}
/// Makes the numbers of blocks and threads of a launch constants in the same
/// way.
///     xcc::launch(xcc::constant({{blocks}, {16, 16}}), tiles, x, y);
constexpr launch_config constant(launch_config config) noexcept {
  config.constants = XCC_CONSTANT_BLOCK | XCC_CONSTANT_GRID;
  return config;
}

/// Makes all blocks of a launch run at the same time, so that they can wait for
/// each other (xcc::sync_grid). The launch throws xcc::error if there are more
/// blocks than max_cooperative_blocks returns.
///     xcc::launch(xcc::cooperative({{blocks}, {256}}), steps, a, b);
constexpr launch_config cooperative(launch_config config) noexcept {
  config.flags |= XCC_LAUNCH_COOPERATIVE;
  return config;
}
/// Returns how many blocks the current device runs at the same time, for blocks
/// of \p block threads with \p shared_bytes bytes of dynamic shared memory each.
///     const auto &info = xcc::kernel_info_for(steps);
///     unsigned blocks = xcc::max_cooperative_blocks(info, {256});
inline unsigned max_cooperative_blocks(const kernel_info &kernel, dim3 block,
                                       std::size_t shared_bytes = 0) {
  const std::uint32_t size[3] = {block.x, block.y, block.z};
  std::uint32_t blocks = 0;
  detail::check(
      xcc_kernel_cooperative_blocks(&kernel, size, shared_bytes, &blocks));
  return blocks;
}

namespace detail {

template <class... Type> struct type_list {};

/// How a parameter of type Type lies in the kernarg segment.
template <class Type> struct stored {
  using type = std::remove_cv_t<Type>;
};
template <class Type> struct stored<Type &> {
  using type = std::remove_reference_t<Type> *;
};
template <class Type> struct stored<Type &&> {
  using type = std::remove_reference_t<Type> *;
};
/// What a call operator takes as a Type && that was passed as an rvalue: the
/// bytes travel, and each thread passes on a copy of its own as one.
template <class Type>
struct [[clang::annotate("xcc.thread_own")]] thread_own {};
template <class Type> struct stored<thread_own<Type>> {
  using type = Type;
};
template <class Param> inline constexpr bool is_thread_own = false;
template <class Type>
inline constexpr bool is_thread_own<thread_own<Type>> = true;
template <class Type> using stored_t = typename stored<Type>::type;

constexpr std::size_t align_to(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

/// Offsets of parameters Param... that follow `start` bytes.
template <std::size_t Start, class... Param> struct layout {
  std::size_t offset[sizeof...(Param) + 1] = {};
  std::size_t size = Start;
  constexpr layout() {
    [[maybe_unused]] std::size_t next = 0;
    ((offset[next++] = size = align_to(size, alignof(stored_t<Param>)),
      size += sizeof(stored_t<Param>)),
     ...);
  }
};

/// Of what cannot be copied, the compiler has refused the launch.
template <class Type> inline decltype(auto) own_copy(const Type &value) {
  if constexpr (std::is_copy_constructible_v<Type>)
    return Type(value);
  else
    return static_cast<Type &&>(const_cast<Type &>(value));
}

/// Reads a parameter of type Param out of the kernarg segment.
template <class Param> inline decltype(auto) load(const char *at) {
  using Stored = stored_t<Param>;
  if constexpr (std::is_reference_v<Param>)
    return static_cast<Param>(**reinterpret_cast<const Stored *>(at));
  else if constexpr (is_thread_own<Param>)
    return own_copy(*reinterpret_cast<const Stored *>(at));
  else
    return (*reinterpret_cast<const Stored *>(at));
}

/// Whether functions take an object of the type as its bits. Of others, calling
/// conventions pass the address (Itanium C++ ABI, 1.1, "non-trivial for the
/// purposes of calls").
template <class Type>
inline constexpr bool is_bits =
    (!std::is_class_v<Type> && !std::is_union_v<Type>) ||
    (std::is_trivially_destructible_v<Type> &&
     (std::is_trivially_copyable_v<Type>
          ? std::is_trivially_copy_constructible_v<Type> ||
                std::is_trivially_move_constructible_v<Type>
          : std::is_trivially_copy_constructible_v<Type> &&
                std::is_trivially_move_constructible_v<Type>));

#ifdef __XCC_DEVICE_PASS__
template <class Type> struct alignas(Type) bytes_of {
  unsigned char bytes[sizeof(Type)];
};

/// Whether a machine's parameter is where the host puts it, and as large: so
/// are plain numbers, addresses, and objects that are passed as bits; vectors,
/// complex numbers, integers of odd bits and the like each in their way.
template <class Type>
inline constexpr bool is_plain =
    std::is_scalar_v<Type> ||
    __is_pointer(Type) || // __restrict ones are no scalars
    (is_bits<Type> && (std::is_class_v<Type> || std::is_union_v<Type>));

/// The type of a device parameter that carries a Param. A class without members
/// is its bytes, which no calling convention leaves out.
template <class Param>
using passed_t = std::conditional_t<
    std::is_empty_v<stored_t<Param>>,
    std::conditional_t<sizeof(stored_t<Param>) == 1, char,
                       bytes_of<stored_t<Param>>>,
    std::conditional_t<is_plain<stored_t<Param>>, stored_t<Param>,
                       bytes_of<stored_t<Param>>>>;

/// The Param that a device parameter carries.
template <class Param>
inline decltype(auto) restore(const passed_t<Param> &value) {
  if constexpr (std::is_reference_v<Param>)
    return static_cast<Param>(*value);
  else if constexpr (is_thread_own<Param>)
    return own_copy(reinterpret_cast<const stored_t<Param> &>(value));
  else
    return (reinterpret_cast<const stored_t<Param> &>(value));
}
#endif

template <class Callee> struct signature;
template <class Result, class... Param> struct signature<Result (*)(Param...)> {
  using params = type_list<Param...>;
};
template <class Result, class... Param>
struct signature<Result (*)(Param...) noexcept>
    : signature<Result (*)(Param...)> {};

template <class Callee> inline constexpr bool is_function_pointer = false;
template <class Result, class... Param>
inline constexpr bool is_function_pointer<Result (*)(Param...)> = true;
template <class Result, class... Param>
inline constexpr bool is_function_pointer<Result (*)(Param...) noexcept> = true;

/// The parameters of a class's only, non-template call operator; void when it
/// has several or a template one, and only a launch's arguments can tell.
template <class Callee, class = void> struct call_params {
  using type = void;
};
template <class Callee, class Member> struct member_params;
#define XCC_MEMBER(qualifiers)                                                 \
  template <class Callee, class Class, class Result, class... Param>           \
  struct member_params<Callee, Result (Class::*)(Param...) qualifiers> {       \
    using type = type_list<Param...>;                                          \
  };                                                                           \
  template <class Callee, class Class, class Result, class... Param>           \
  struct member_params<Callee, Result (Class::*)(Param..., ...) qualifiers> {  \
    using type = type_list<Param...>;                                          \
  };
#define XCC_MEMBERS(qualifiers)                                                \
  XCC_MEMBER(qualifiers)                                                       \
  XCC_MEMBER(const qualifiers)                                                 \
  XCC_MEMBER(volatile qualifiers)                                              \
  XCC_MEMBER(const volatile qualifiers)
XCC_MEMBERS()
XCC_MEMBERS(&)
XCC_MEMBERS(&&)
XCC_MEMBERS(noexcept)
XCC_MEMBERS(& noexcept)
XCC_MEMBERS(&& noexcept)
#undef XCC_MEMBERS
#undef XCC_MEMBER
/// A static call operator; or one whose first parameter is the object.
template <class Callee, class First, class... Param> struct static_params {
  using type =
      std::conditional_t<std::is_invocable_v<Callee &, First, Param...>,
                         type_list<First, Param...>, type_list<Param...>>;
};
template <class Callee, class Result>
struct member_params<Callee, Result (*)()> {
  using type = type_list<>;
};
template <class Callee, class Result>
struct member_params<Callee, Result (*)() noexcept> {
  using type = type_list<>;
};
template <class Callee, class Result, class First, class... Param>
struct member_params<Callee, Result (*)(First, Param...)>
    : static_params<Callee, First, Param...> {};
template <class Callee, class Result, class First, class... Param>
struct member_params<Callee, Result (*)(First, Param...) noexcept>
    : static_params<Callee, First, Param...> {};
template <class Callee, class Result, class... Param>
struct member_params<Callee, Result (*)(Param..., ...)> {
  using type = type_list<Param...>;
};
template <class Callee>
struct call_params<Callee, std::void_t<decltype(&Callee::operator())>> {
  using type =
      typename member_params<Callee, decltype(&Callee::operator())>::type;
};

template <auto Fn, class... Param, std::size_t... Index>
inline void call_function(const char *kernarg, type_list<Param...>,
                          std::index_sequence<Index...>) {
  constexpr layout<0, Param...> where;
  Fn(load<Param>(kernarg + where.offset[Index])...);
}

/// The class of a function object's kernel. Its entry names the class, or,
/// where the compiler says that it matters (calls_differ), what the object is
/// called as: `Callee &`, `const Callee &`, `Callee &&`.
template <class Callee>
using object_t = std::remove_cv_t<std::remove_reference_t<Callee>>;

/// Whether a thread calls a copy of a function object even as a const one: its
/// call operator may change `mutable` members, and what all threads share they
/// only read, on NVIDIA GPUs out of memory that cannot be written.
template <class Type>
inline constexpr bool changes_as_const =
    addresses<Type>::has_mutable && std::is_copy_constructible_v<Type>;

/// Calls a function object, which all threads share: as it is if that can be,
/// else a copy of the thread's own, as an lvalue or, where its call operator
/// wants that, as an rvalue.
template <class Callee, class... Arg>
inline void call(const object_t<Callee> &shared, Arg &&...args) {
  using Type = object_t<Callee>;
  constexpr bool named = !std::is_reference_v<Callee>;
  if constexpr (named ? std::is_invocable_v<const Type &, Arg...>
                      : std::is_const_v<std::remove_reference_t<Callee>>) {
    std::conditional_t<changes_as_const<Type>, const Type, const Type &>
        object = shared;
    if constexpr (std::is_same_v<Callee, const Type &&>)
      std::move(object)(std::forward<Arg>(args)...);
    else
      object(std::forward<Arg>(args)...);
  } else if constexpr (named ? std::is_invocable_v<Type &, Arg...>
                             : std::is_same_v<Callee, Type &>) {
    Type copy(shared);
    copy(std::forward<Arg>(args)...);
  } else {
    Type copy(shared);
    std::move(copy)(std::forward<Arg>(args)...);
  }
}

template <class Callee, class... Param, std::size_t... Index>
inline void call_object(const char *kernarg, std::index_sequence<Index...>) {
  using Type = object_t<Callee>;
  constexpr layout<sizeof(Type), Param...> where;
  call<Callee>(*reinterpret_cast<const Type *>(kernarg),
               load<Param>(kernarg + where.offset[Index])...);
}

template <class... Param> constexpr std::size_t count(type_list<Param...>) {
  return sizeof...(Param);
}

} // namespace detail

// __XCC_DEVICE_PASS__ is the compiler's own macro: the passes differ only here.
/// The entry points. Their specializations are this translation unit's kernels,
/// made by the compiler; nobody calls them.
template <auto Fn>
[[clang::annotate("xcc.entry")]] void
function_kernel([[maybe_unused]] const char *kernarg) {
#ifdef __XCC_DEVICE_PASS__
  using params = typename detail::signature<decltype(Fn)>::params;
  detail::call_function<Fn>(
      kernarg, params{}, std::make_index_sequence<detail::count(params{})>{});
#endif
}
template <class Callee, class... Param>
[[clang::annotate("xcc.entry")]] void
object_kernel([[maybe_unused]] const char *kernarg) {
#ifdef __XCC_DEVICE_PASS__
  detail::call_object<Callee, Param...>(kernarg,
                                        std::index_sequence_for<Param...>{});
#endif
}

#ifdef __XCC_DEVICE_PASS__
// The same entry points where the device's launch fills parameters rather than
// a segment in memory: GPUs. The compiler instantiates them for the kernels it
// found and gives them the kernel's symbol and the target's calling convention.
template <auto Fn, class... Param>
[[clang::annotate("xcc.entry")]] void
function_values(const detail::passed_t<Param>... args) {
  Fn(detail::restore<Param>(args)...);
}
template <class Callee, class... Param>
[[clang::annotate("xcc.entry")]] void
object_values(const detail::passed_t<detail::object_t<Callee>> closure,
              const detail::passed_t<Param>... args) {
  detail::call<Callee>(detail::restore<detail::object_t<Callee>>(closure),
                       detail::restore<Param>(args)...);
}
#endif

namespace detail {

/// Around an object that a call would make as its parameter, and not copy: the
/// compiler puts it there (LaunchArguments.cpp).
template <class Type> struct prvalue {
  Type value;
};
template <class Arg> struct plain {
  using type = Arg;
};
template <class Type> struct plain<prvalue<Type>> {
  using type = Type;
};
/// What the user passed as an A &&.
template <class Arg> using plain_t = typename plain<Arg>::type;

/// What it stands for, by which the types of template parameters are deduced.
template <class Arg, class Bare = std::decay_t<Arg>> struct meant {
  using type = plain_t<Arg>;
};
template <class Arg, class Type> struct meant<Arg, constant_value<Type>> {
  using type = Type;
};
template <class Arg, class Type, std::uint32_t Flags, bool Temporary>
struct meant<Arg, directed<Type, Flags, Temporary>> {
  using type = Type &;
};
template <class Arg> using meant_t = typename meant<Arg>::type;

/// An argument, converted as a call would convert it, in its place in a kernarg
/// block. An object whose class has code of its own for that is made there, and
/// destroyed when the launch has copied its bytes.
template <std::size_t Index, class Param, class = void> struct argument {
  template <class Arg> argument(char *at, Arg &&arg) {
    if constexpr (std::is_reference_v<Param>) {
      Param bound = static_cast<Param>(arg);
      auto *address = __builtin_addressof(bound);
      __builtin_memcpy(at, &address, sizeof address);
    } else {
      const stored_t<Param> value = std::forward<Arg>(arg);
      __builtin_memcpy(at, &value, sizeof value);
    }
  }
};
template <std::size_t Index, class Param>
struct argument<Index, Param, std::enable_if_t<!is_bits<stored_t<Param>>>> {
  using Type = stored_t<Param>;
  Type *object = nullptr;
  template <class Arg>
  argument(char *at, Arg &&arg)
      : object(::new (static_cast<void *>(at))
                   Type([&]() -> Type { return std::forward<Arg>(arg); }())) {}
  /// The call's own object lives until the launch has ended.
  argument(char *at, prvalue<Type> &&made) {
    __builtin_memcpy(at, static_cast<const void *>(&made), sizeof(Type));
  }
  argument(const argument &) = delete;
  ~argument() {
    if (object)
      object->~Type();
  }
};

/// All of them, made in their order and destroyed in the reverse one.
template <class Index, class... Param> struct arguments;
template <std::size_t... Index, class... Param>
struct arguments<std::index_sequence<Index...>, Param...>
    : argument<Index, Param>... {
  template <class... Arg>
  arguments(char *kernarg, const std::size_t *offset, Arg &&...args)
      : argument<Index, Param>(kernarg + offset[Index],
                               std::forward<Arg>(args))... {}
};
template <class... Param>
using arguments_for = arguments<std::index_sequence_for<Param...>, Param...>;

inline xcc_launch_config raw_config(const launch_config &config) {
  return {{config.grid.x, config.grid.y, config.grid.z},
          {config.block.x, config.block.y, config.block.z},
          config.shared_bytes,
          config.on.handle(),
          config.file,
          config.line,
          config.flags};
}

template <class Arg> inline constexpr bool is_constant = false;
template <class Type>
inline constexpr bool is_constant<constant_value<Type>> = true;

/// Whether a launch's code may know the parameter's value.
template <class Param, class Arg> constexpr bool check_constant() {
  // The member of a parameter of that type is marked.
  if constexpr (!is_constant<std::decay_t<Arg>> || is_constant<Param>) {
    return false;
  } else {
    static_assert((std::is_arithmetic_v<Param> || std::is_enum_v<Param>) &&
                      sizeof(stored_t<Param>) <= 8,
                  "xcc::constant stands for a parameter that is a number or an "
                  "enumerator of at most 8 bytes, and no reference");
    return true;
  }
}

/// The kernel's descriptor, or that of its code for the constants of a launch.
template <class... Arg, class... Param>
inline const kernel_info &
info_for(const launch_config &config, const kernel_info &info,
         [[maybe_unused]] const char *kernarg,
         [[maybe_unused]] const std::size_t *offset, type_list<Param...>) {
  constexpr bool given[] = {check_constant<Param, Arg>()..., false};
  constexpr std::size_t sizes[] = {sizeof(stored_t<Param>)..., 0};
  constexpr std::uint32_t most = (0u + ... + check_constant<Param, Arg>());
  if (!most && !config.constants)
    return info;
  xcc_argument_place ranges[most + 1] = {};
  std::uint32_t count = 0;
  for (std::size_t next = 0; next != sizeof...(Param); ++next)
    if (given[next])
      ranges[count++] = {std::uint32_t(offset[next]),
                         std::uint32_t(sizes[next])};
  xcc_launch_config raw = raw_config(config);
  const kernel_info *made = &info;
  check(xcc_kernel_specialize(&info, &raw, kernarg, ranges, count,
                              config.constants | XCC_CONSTANT_POINTERS, &made));
  return *made;
}

/// Of a kernel whose arguments refer to nothing that the descriptor does not
/// tell of.
inline void submit(const launch_config &config, const kernel_info &info,
                   const void *kernarg, std::size_t size) {
  xcc_launch_config raw = raw_config(config);
  check(xcc_kernel_launch(&info, &raw, kernarg, size));
}

/// On a device with memory of its own: the visit names what the arguments refer
/// to, in the mapping that it is given.
template <class Visit>
[[gnu::cold, gnu::noinline]] void launch_mapped(xcc_mapping *mapping,
                                                const Visit &visit) {
  open_mapping open(mapping);
  do
    visit(mapping);
  while (open.launch());
}

/// \p Repeats: what the visit names follows from the kernel and its arguments.
template <bool Repeats, class Visit>
inline void submit(const launch_config &config, const kernel_info &info,
                   const void *kernarg, std::size_t size, const Visit &visit) {
  xcc_launch_config raw = raw_config(config);
  xcc_mapping *mapping = nullptr;
  check((Repeats ? xcc_launch_repeat : xcc_launch_begin)(&info, &raw, kernarg,
                                                         size, &mapping));
  if (__builtin_expect(mapping != nullptr, false))
    launch_mapped(mapping, visit);
}

/// Does a parameter or function object of this type need the types to be known,
/// for its addresses to be found? A plain pointer's place is in the descriptor.
template <class Param> constexpr bool needs_visit() {
  using Bare = std::remove_cv_t<Param>;
  if constexpr (std::is_reference_v<Param>)
    return !std::is_function_v<std::remove_reference_t<Param>>;
  else if constexpr (std::is_class_v<Bare> || std::is_union_v<Bare>)
    return has_transfer<Bare> || holds_addresses<Bare>();
  else
    return false;
}

/// What one parameter refers to, of which the argument lies at that place.
template <class Param>
inline void visit_parameter(xcc_mapping *mapping, const kernel_info &info,
                            std::size_t index, const char *at,
                            std::uint32_t stated) {
  mapper into(mapping, stated, info.flags & XCC_KERNEL_CASTS_DOWN);
  into.enter(index);
  if constexpr (std::is_reference_v<Param>)
    into.referred(
        at, **reinterpret_cast<std::remove_reference_t<Param> *const *>(at));
  else
    into.part(*reinterpret_cast<const stored_t<Param> *>(at));
  into.leave();
}

template <class... Param, std::size_t... Index>
inline void visit_parameters(xcc_mapping *mapping, const kernel_info &info,
                             const char *kernarg, const std::size_t *offset,
                             [[maybe_unused]] std::size_t first,
                             const std::uint32_t *stated,
                             std::index_sequence<Index...>,
                             type_list<Param...>) {
  (visit_parameter<Param>(mapping, info, first + Index, kernarg + offset[Index],
                          stated[Index]),
   ...);
}

/// A launch that has no kernel. The compiler has reported an error at the call,
/// or replaced it by another launch: this is never called.
__attribute__((error("this launch was not compiled; please report it"))) void
not_launched();

/// A function's descriptor in a constant expression: the function's address
/// and this. The compiler puts the descriptor's address there.
constexpr std::size_t descriptor_of_function = 0x78636358;

/// The descriptor that the compiler puts in the entry's place. Clang takes what
/// it can fold for a constant if such a condition is before it, but for `*` of
/// a pointer that is not to the object's own type.
template <class Info, class Entry>
constexpr const Info &info_at(Entry entry, std::size_t offset) {
  needs_xcc();
  return __builtin_constant_p(true)
             ? reinterpret_cast<const Info &>(
                   reinterpret_cast<const char *>(entry)[offset])
             : *reinterpret_cast<const Info *>(entry);
}
template <class Info, class Entry> inline const Info &info_now(Entry entry) {
  needs_xcc();
  return *reinterpret_cast<const Info *>(entry);
}

/// The compiler says whether it matters what an object of the class is called
/// as, because call operators differ by that.
template <class Callee>
struct [[clang::annotate("xcc.calls_differ")]] calls_differ {
  enum : bool { held = false };
};

/// How the entry names a function object that is passed as a Callee &&.
template <class Callee>
using called_t = std::conditional_t<
    !calls_differ<std::decay_t<Callee>>::held, std::decay_t<Callee>,
    std::conditional_t<
        std::is_lvalue_reference_v<Callee>,
        std::remove_volatile_t<std::remove_reference_t<Callee>> &,
        std::remove_volatile_t<Callee> &&>>;

/// An object that stands for a kernel, and has a launch of its own (xcc/jit.h).
template <class Object> inline constexpr bool launches_itself = false;

/// Whether an object of a class can be called so. std::is_invocable asks that of
/// anything, and takes the compiler a millisecond each time.
template <class Call, class List, class = void>
inline constexpr bool calls = false;
template <class Call, class... Arg>
inline constexpr bool
    calls<Call, type_list<Arg...>,
          std::void_t<decltype(std::declval<Call>()(std::declval<Arg>()...))>> =
        true;
/// Whether the first of these can be called, or else the next.
template <class List, class Call, class... Rest> constexpr bool calls_any() {
  if constexpr (calls<Call, List>)
    return true;
  else if constexpr (sizeof...(Rest) != 0)
    return calls_any<List, Rest...>();
  else
    return false;
}

/// What has call operators may be a kernel.
template <class Callee>
inline constexpr bool is_object = (std::is_class_v<std::decay_t<Callee>> ||
                                   std::is_union_v<std::decay_t<Callee>>) &&
                                  !launches_itself<std::decay_t<Callee>>;

/// The parameter to which argument number Index, an Each &&, goes in the call
/// of a Callee && with all of them, where templates or overloads leave that to
/// the call: the compiler says it (CallParameters.cpp).
template <std::size_t Index, class Each, class Callee, class... Arg>
struct [[clang::annotate("xcc.param_of")]] param_of {
  using type = std::decay_t<Each>;
};
template <class Index, class Callee, class... Arg> struct resolved_params;
template <std::size_t... Index, class Callee, class... Arg>
struct resolved_params<std::index_sequence<Index...>, Callee, Arg...> {
  using type =
      type_list<typename param_of<Index, Arg, Callee, Arg...>::type...>;
};

/// The parameters of a launch of an object with these arguments: those of its
/// call operator, or where that does not say them, of the one that is called.
template <class Callee, class... Arg> struct params_of {
  using declared = typename call_params<std::decay_t<Callee>>::type;
  template <class... Param> static constexpr bool fits(type_list<Param...> *) {
    return sizeof...(Param) == sizeof...(Arg);
  }
  static constexpr bool fits(void *) { return false; }
  struct as_declared {
    using type = declared;
  };
  using type = typename std::conditional_t<
      fits(static_cast<declared *>(nullptr)), as_declared,
      resolved_params<std::index_sequence_for<Arg...>, Callee,
                      meant_t<Arg>...>>::type;
};

/// The object itself is the first parameter.
template <class Callee, class... Param>
constexpr const auto &info_of_object(type_list<Param...>) {
  return info_at<kernel_info_of<1 + sizeof...(Param)>>(
      &object_kernel<Callee, Param...>, 0);
}

/// Of an object whose bits are at that place, of which no copy is made.
template <class Type, class... Param, class... Arg>
inline void launch_bits(const launch_config &config, const kernel_info &generic,
                        const volatile void *bits, type_list<Param...> params,
                        Arg &&...args) {
  constexpr layout<sizeof(Type), Param...> where;
  alignas(16) alignas(Type) alignas(
      stored_t<Param>...) char kernarg[where.size];
  __builtin_memcpy(kernarg, const_cast<const void *>(bits), sizeof(Type));
  arguments_for<Param...> made(kernarg + 0, where.offset,
                               std::forward<Arg>(args)...);
  const kernel_info &info =
      info_for<Arg...>(config, generic, kernarg, where.offset, params);
  if constexpr (needs_visit<Type>() || (needs_visit<Param>() || ...))
    submit<((stated_by<std::decay_t<Arg>>::flags == 0) && ...)>(
        config, info, kernarg, where.size, [&](xcc_mapping *mapping) {
          constexpr std::uint32_t stated[] = {
              stated_by<std::decay_t<Arg>>::flags..., 0};
          visit_parameter<Type>(mapping, generic, 0, kernarg, 0);
          visit_parameters(mapping, generic, kernarg, where.offset, 1, stated,
                           std::index_sequence_for<Param...>{}, params);
        });
  else
    submit(config, info, kernarg, where.size);
}

/// Of a function, or of what was generated of one.
template <class... Param, class... Arg>
inline void launch_function(const launch_config &config,
                            const kernel_info &generic,
                            type_list<Param...> params, Arg &&...args) {
  constexpr layout<0, Param...> where;
  alignas(16) alignas(
      stored_t<Param>...) char kernarg[where.size ? where.size : 1];
  arguments_for<Param...> made(kernarg + 0, where.offset,
                               std::forward<Arg>(args)...);
  const kernel_info &info =
      info_for<Arg...>(config, generic, kernarg, where.offset, params);
  if constexpr ((needs_visit<Param>() || ...))
    submit<((stated_by<std::decay_t<Arg>>::flags == 0) && ...)>(
        config, info, kernarg, where.size, [&](xcc_mapping *mapping) {
          constexpr std::uint32_t stated[] = {
              stated_by<std::decay_t<Arg>>::flags..., 0};
          visit_parameters(mapping, generic, kernarg, where.offset, 0, stated,
                           std::index_sequence_for<Param...>{}, params);
        });
  else
    submit(config, info, kernarg, where.size);
}

/// Whether the object is called with such arguments, by a launch or a thread.
template <class Callee, class... Arg>
inline constexpr bool is_called_with =
    calls_any<type_list<meant_t<Arg>...>, Callee, std::decay_t<Callee> &>();

/// The parameters of an object's kernel, where their types are named: Arg, or
/// nowhere, because the object says them.
template <class Callee, class... Arg>
using named_params = typename std::conditional_t<
    std::is_void_v<typename call_params<std::decay_t<Callee>>::type> ||
        sizeof...(Arg) != 0,
    params_of<Callee, Arg...>, call_params<std::decay_t<Callee>>>::type;

template <class Callee, class... Arg> constexpr const auto &named_info() {
  if constexpr (sizeof...(Arg) == 0 || is_called_with<Callee, Arg...>)
    return info_of_object<called_t<Callee>>(named_params<Callee, Arg...>{});
  else // The compiler has said why at the call.
    return info_at<kernel_info_of<1 + sizeof...(Arg)>>(&not_launched, 0);
}

template <class Callee, class... Param, class... Arg>
inline void launch_object(const launch_config &config, Callee &object,
                          type_list<Param...> params, Arg &&...args) {
  if constexpr (is_called_with<Callee, Arg...> &&
                sizeof...(Arg) == sizeof...(Param)) {
    launch_bits<object_t<called_t<Callee>>>(
        config, info_of_object<called_t<Callee>>(params),
        __builtin_addressof(object), params, std::forward<Arg>(args)...);
  } else {
    not_launched();
  }
}

} // namespace detail

/// The descriptor of a kernel: a function, a function-template specialization,
/// a closure or a function object. Constant, of static storage; the same
/// object for the same kernel throughout a linked program or library. For a
/// generic closure, name the argument types: kernel_info_for<int, float *>(f).
/// References to descriptors of kernels with different numbers of parameters
/// have `const kernel_info &` in common.
template <class Result, class... Param>
constexpr const kernel_info_of<sizeof...(Param)> &
kernel_info_for(XCC_KERNEL Result (*kernel)(Param...)) {
  using info = kernel_info_of<sizeof...(Param)>;
  if (__builtin_is_constant_evaluated())
    return detail::info_at<info>(kernel, detail::descriptor_of_function);
  return detail::info_now<info>(kernel);
}
template <class... Arg, class Callee,
          class = std::enable_if_t<detail::is_object<Callee>>>
constexpr const auto &kernel_info_for(XCC_KERNEL Callee &&) {
  return detail::named_info<Callee, Arg...>();
}

/// Starts grid x block threads of a kernel, in stream order, and returns. The
/// arguments are converted as in a call and copied before it returns. Throws
/// xcc::error if the launch cannot be made. A failure of a thread is thrown by
/// the next synchronisation. Any thread may call it.
template <class Result, class... Param, class... Arg>
[[clang::annotate("xcc.launch")]] inline void
launch(const launch_config &config, XCC_KERNEL Result (*kernel)(Param...),
       Arg &&...args) {
  if constexpr (std::is_invocable_v<Result (*)(Param...),
                                    detail::plain_t<Arg>...>) {
    detail::launch_function(config, detail::info_now<kernel_info>(kernel),
                            detail::type_list<Param...>{},
                            std::forward<Arg>(args)...);
  } else {
    detail::not_launched();
  }
}
template <class Callee, class... Arg,
          class = std::enable_if_t<detail::is_object<Callee>>>
[[clang::annotate("xcc.launch")]] inline void
launch(const launch_config &config, XCC_KERNEL Callee &&kernel, Arg &&...args) {
  using params = typename detail::params_of<Callee, Arg...>::type;
  detail::launch_object<Callee>(config, kernel, params{},
                                std::forward<Arg>(args)...);
}

/// Declared for arguments that cannot be a kernel, such as a pointer to a member
/// function, so that the compiler says at the call what to write instead.
template <class Member, class... Arg,
          class = std::enable_if_t<!detail::is_object<Member> &&
                                   !detail::launches_itself<Member> &&
                                   !detail::is_function_pointer<Member>>>
[[clang::annotate("xcc.launch")]] inline void
launch(const launch_config &, XCC_KERNEL Member, Arg &&...) {
  detail::not_launched();
}
template <class... Arg, class Member,
          class = std::enable_if_t<!detail::is_object<Member> &&
                                   !detail::is_function_pointer<Member>>>
constexpr const kernel_info &kernel_info_for(XCC_KERNEL Member) {
  return detail::info_at<kernel_info>(&detail::not_launched, 0);
}

/// For an argument that has no type of its own. With clang the error stands
/// alone, without notes about the other functions of the name.
#ifdef __clang__
#define XCC_NO_TYPE                                                            \
  __attribute__((diagnose_if(                                                  \
      true,                                                                    \
      "the kernel is missing, or it or an argument has no type of its own: "   \
      "cast an overloaded function to one type, give a function template its " \
      "arguments, and a list in braces its type: "                             \
      "static_cast<void (*)(int)>(f), f<int>, T{...}",                         \
      "error")))
#else
#define XCC_NO_TYPE = delete
#endif
/// Braces instead of a kernel or an argument are an error with a message.
void launch(const launch_config &, ...) XCC_NO_TYPE;
void kernel_info_for(...) XCC_NO_TYPE;

} // namespace xcc

#endif // XCC_LAUNCH_H
