// Whether an algorithm runs on the device or on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An algorithm runs on the device if its types allow that, if it has enough
// elements, and if the device accepts the first launch. Otherwise it runs on
// the host, in threads or in sequence. XCC_LOG=stdpar shows each decision.
//
// Where no code of a kernel can be made for a device, the compiler leaves the
// kernel out, and its launch is refused. So the first kernel of an algorithm
// that writes what the user sees has all of the callables that any has.

#ifndef XCC_STDPAR_ATTEMPT_H
#define XCC_STDPAR_ATTEMPT_H

#include <xcc/algorithm.h>
#include <xcc/stdpar/policy.h>
#include <xcc/stdpar/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <tuple>

namespace xcc {
namespace stdpar {

inline bool logs() {
  static const bool wanted = [] {
    const char *text = std::getenv("XCC_LOG");
    return text && (std::strstr(text, "stdpar") || std::strstr(text, "all"));
  }();
  return wanted;
}
inline void log(const char *name, const char *where, const char *why) {
  if (!__builtin_expect(logs(), false))
    return;
  const call_site at = sites().here;
  if (at.file)
    std::fprintf(stderr, "xcc: stdpar: %s runs on %s: %s, at %s:%u\n", name,
                 where, why, at.file, at.line);
  else
    std::fprintf(stderr, "xcc: stdpar: %s runs on %s: %s\n", name, where, why);
}

/// Fewer elements are not worth a launch.
inline std::size_t least() {
  static const std::size_t number = [] {
    const char *text = std::getenv("XCC_STDPAR_LEAST");
    return text && *text ? std::strtoull(text, nullptr, 10) : 4096ull;
  }();
  return number < 1 ? 1 : number;
}

/// What a launch is refused for before anything ran.
inline bool is_refusal(const error &problem) {
  return problem.status() != XCC_ERROR_LAUNCH_FAILED &&
         problem.status() != XCC_ERROR_SYSTEM;
}

/// An algorithm that launches several kernels takes longer on the CPU device than
/// one thread of the host, up to four times as many elements.
inline bool is_few_for_passes(const char *name, std::size_t count) {
  if (count >= least() * 4 || count < least() ||
      !detail::algorithm_run(config_here(), true).host)
    return false;
  log(name, "the host", "it has few elements for several kernels");
  return true;
}

/// Maps ranges, runs work(run) and waits for it. False if there are too few
/// elements, or if the device cannot call the functions.
template <class... Function, class Work, class... Type>
bool attempt(const char *name, std::size_t count, const Work &work,
             const Type &...ranges) {
  if (count < least()) {
    log(name, "the host", "it has few elements");
    return false;
  }
  const detail::algorithm_run run(config_here(), true);
  if ((is_code_address<Function> || ...) && !run.host) {
    log(name, "the host", "a GPU cannot call the host's functions");
    return false;
  }
  map scope(ranges...);
  work(run);
  run.finish();
  scope.end();
  log(name, "the device", "its types and size allow it");
  return true;
}

/// For an algorithm that the host runs in place of the device: kernels launched
/// before have ended. What scopes hold of the elements and of what callables
/// refer to is the device's: it is copied to the host now, and to the device
/// when this ends.
template <class Policy, class... Arg> class held_by_scopes {
public:
  held_by_scopes(const char *name, const Policy &policy, Arg &...arg) noexcept
      : name(name), policy(policy), arguments(arg...) {
    const place here(policy);
    (void)xcc_mapping_update(nullptr, XCC_MAP_OUT | XCC_MAP_HELD);
    if (xcc_held_range(nullptr, nullptr))
      update(XCC_MAP_OUT);
  }
  ~held_by_scopes() {
    if (updated)
      update(XCC_MAP_IN);
  }
  held_by_scopes(const held_by_scopes &) = delete;

private:
  const char *name;
  const Policy &policy;
  std::tuple<Arg &...> arguments;
  bool updated = false;

  void update(std::uint32_t direction) noexcept try {
    const place here(policy);
    xcc_mapping *handle = nullptr;
    detail::check(xcc_mapping_begin(nullptr, nullptr, 0, &handle));
    if (!handle)
      return;
    updated = true;
    detail::open_mapping mapping(handle);
    std::apply([&](auto &...arg) { (collect(handle, arg), ...); }, arguments);
    detail::check(xcc_mapping_update(mapping.take(), direction | XCC_MAP_HELD));
  } catch (const error &problem) {
    std::fprintf(stderr, "xcc: std::%s: %s\n", name, problem.what());
    std::terminate();
  }

  template <class Type> static void collect(xcc_mapping *mapping, Type &arg) {
    if constexpr (has_elements<Type>) {
      around(mapping, cursor_of<std::remove_cv_t<Type>>::range(arg, 0).first);
      around(mapping, cursor_of<std::remove_cv_t<Type>>::range(arg, 1).first);
    } else if constexpr (has_blocks<Type>) {
      blocks_around(mapping,
                    cursor_of<std::remove_cv_t<Type>>::range(arg, 0).first);
    } else if constexpr (!is_code_address<std::remove_cv_t<Type>> &&
                         goes_to_device<Type &>) {
      mapper(mapping).object(arg);
    } else if constexpr (std::is_class_v<Type>) {
      // Nothing tells what it refers to: any address in it may be one.
      const auto *bytes =
          reinterpret_cast<const unsigned char *>(std::addressof(arg));
      for (std::size_t at = 0; at + sizeof(void *) <= sizeof(Type);
           at += alignof(void *))
        xcc_mapping_address(mapping, bytes + at, XCC_ADDRESS_POINTER);
    }
  }
  /// The blocks of a deque that a scope holds.
  template <class Cursor>
  static void blocks_around(xcc_mapping *mapping, const Cursor &at) {
    void *begin;
    const std::uint64_t bytes = xcc_held_range(at.blocks, &begin);
    const auto *blocks = static_cast<const typename Cursor::block *>(begin);
    for (std::size_t i = 0; i < bytes / sizeof(*blocks); ++i)
      if (blocks[i])
        around(mapping, blocks[i]);
  }
  /// The whole of the held elements around one.
  template <class Type> static void around(xcc_mapping *mapping, Type *at) {
    void *begin;
    const std::uint64_t bytes = xcc_held_range(
        const_cast<const void *>(static_cast<const volatile void *>(at)),
        &begin);
    if (!bytes)
      return;
    const std::size_t before =
        static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(at) -
                                 reinterpret_cast<std::uintptr_t>(begin)) /
        sizeof(Type);
    const std::size_t behind =
        static_cast<std::size_t>(bytes) / sizeof(Type) - before;
    if constexpr (goes_to_device<Type &>)
      mapper(mapping).range(at - before, before + behind);
    else
      xcc_mapping_range(mapping, at - before, (before + behind) * sizeof(Type),
                        0, 0);
  }
};

template <class Type, class = void> inline constexpr bool is_iterator = false;
template <class Type>
inline constexpr bool is_iterator<
    Type, std::void_t<typename std::enable_if_t<
              !std::is_pointer_v<Type>, traits_of<Type>>::iterator_category>> =
    true;
template <class Type>
inline constexpr bool is_iterator<Type *> = std::is_object_v<Type>;
/// Why no kernel can have an argument; null if that is not known.
template <class Type> constexpr const char *obstacle() {
  if constexpr (is_iterator<Type>) {
    if constexpr (!is_random_access<Type>)
      return "it has an iterator without random access";
    else if constexpr (!std::is_trivially_copyable_v<cursor_t<Type>>)
      return "it has an iterator that cannot be copied byte by byte";
    else if constexpr (!goes_to_device<value_t<Type> &>)
      return "it has elements of a type that cannot be mapped";
    else if constexpr (!goes_to_device<cursor_t<Type>>)
      return "it has an iterator of a type that cannot be mapped";
  } else if constexpr (!std::is_trivially_copyable_v<Type>) {
    return "it has a callable or value that cannot be copied byte by byte";
  } else if constexpr (std::is_class_v<Type> && !goes_to_device<Type>) {
    return "it has a callable or value that holds, or leads to, what cannot be "
           "mapped";
  }
  return nullptr;
}
/// What those that are written must not have.
template <class Type> constexpr const char *obstacle_to_writing() {
  if constexpr (is_iterator<Type>)
    if constexpr (!std::is_trivially_destructible_v<value_t<Type>>)
      return "it has elements with a destructor";
  return nullptr;
}
template <class... Arg> constexpr const char *why_no_kernel() {
  const char *why = nullptr;
  ((why = why ? why : obstacle<std::remove_cv_t<Arg>>()), ...);
  ((why = why ? why : obstacle_to_writing<std::remove_cv_t<Arg>>()), ...);
  return why ? why
             : "there is no form of it for these iterators, elements and "
               "callables";
}

template <class Policy>
inline constexpr bool is_policy = std::is_execution_policy_v<
    std::remove_cv_t<std::remove_reference_t<Policy>>>;
template <class Policy>
inline constexpr bool is_sequenced =
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<Policy>>,
                   std::execution::sequenced_policy>;

/// Whether a policy allows threads.
template <class Policy>
inline constexpr bool is_threaded =
    !is_sequenced<Policy> &&
    !std::is_same_v<std::remove_cv_t<std::remove_reference_t<Policy>>,
                    std::execution::unsequenced_policy>;

/// Calls device(name, arguments...), which returns an optional result, or false
/// instead of nothing; and on the host what divides the work, or the function.
template <class Policy, class Device, class Divided, class Host, class... Arg>
auto run(const Policy &policy, const char *name, const Device &device,
         const Divided &divided, const Host &host, Arg &...arg) noexcept {
  using Result = decltype(host(arg...));
  if constexpr (is_sequenced<Policy>)
    return host(arg...);
  const site_here site;
  {
    const place here(policy);
    if constexpr (std::is_invocable_v<const Device &, const char *, Arg &...>) {
      try {
        if constexpr (std::is_void_v<Result>) {
          if (device(name, arg...))
            return;
        } else if (auto result = device(name, arg...)) {
          return Result(*result);
        }
      } catch (const error &problem) {
        if (!is_refusal(problem)) {
          std::fprintf(stderr, "xcc: std::%s: %s\n", name, problem.what());
          std::terminate();
        }
        log(name, "the host",
            std::strstr(problem.what(), " is not in the program's ")
                ? "no code of it could be made for this device"
                : problem.what());
      }
    } else {
      log(name, "the host", why_no_kernel<Arg...>());
    }
  }
  const held_by_scopes<Policy, Arg...> held(name, policy, arg...);
  if constexpr (is_threaded<Policy> &&
                std::is_invocable_v<const Divided &, const Host &, Arg &...>) {
    constexpr const char *where = "threads of the host",
                         *why = "its elements can be divided";
    if constexpr (std::is_void_v<Result>) {
      if (divided(host, arg...))
        return log(name, where, why);
    } else if (auto result = divided(host, arg...)) {
      log(name, where, why);
      return Result(std::move(*result));
    }
  }
  return host(arg...);
}

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_ATTEMPT_H
