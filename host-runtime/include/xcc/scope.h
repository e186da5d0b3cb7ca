// What stays on the device for a while
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc::map keeps objects of the host on a device while it lives. xcc::in, out,
// inout and keep state the directions in which an object's bytes are copied.
// Errors and threads: as in <xcc/host.h>.

#ifndef XCC_SCOPE_H
#define XCC_SCOPE_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/host.h>
#include <xcc/transfer.h>

namespace xcc {

/// An object, and the directions in which its bytes are copied between host and
/// device. Use it in an xcc::map, as a launch's argument for a parameter that is
/// a reference, or captured in a closure.
template <class Type, std::uint32_t Flags, bool Temporary>
struct XCC_STATES_DIRECTIONS directed {
  Type &object; ///< a temporary: only what it refers to is meant
  constexpr operator Type &() const noexcept { return object; }
};

/// Kernels only read \p object: nothing is copied back. The object stays the
/// caller's, and must live as long as the launch or the scope.
///     xcc::map there(xcc::in(table), xcc::inout(sums));
template <class Type>
XCC_STATES_DIRECTIONS constexpr directed<const Type, XCC_MAP_IN>
in(const Type &object) {
  return {object};
}
template <class Type>
XCC_STATES_DIRECTIONS constexpr directed<const Type, XCC_MAP_IN, true>
in(const Type &&object) {
  return {object};
}
#ifdef __clang__
#define XCC_WRITABLE(Type)                                                     \
  __attribute__((diagnose_if(std::is_const_v<Type>,                            \
                             "kernels cannot write a const object", "error")))
#else
#define XCC_WRITABLE(Type)
#endif
/// Kernels write all of \p object before they read it: nothing is copied to the
/// device.
///     xcc::map there(xcc::out(sums));
template <class Type>
XCC_STATES_DIRECTIONS constexpr directed<Type, XCC_MAP_OUT> out(Type &object)
    XCC_WRITABLE(Type) {
  return {object};
}
/// Both directions, whatever the compiler knows about the kernel.
///     xcc::map there(xcc::inout(sums));
template <class Type>
XCC_STATES_DIRECTIONS constexpr directed<Type, XCC_MAP_IN | XCC_MAP_OUT>
inout(Type &object) XCC_WRITABLE(Type) {
  return {object};
}
/// No direction: memory that only kernels use.
///     xcc::map there(xcc::keep(table));
template <class Type>
XCC_STATES_DIRECTIONS constexpr directed<Type, XCC_MAP_KEEP>
keep(Type &object) {
  return {object};
}
#undef XCC_STATES_DIRECTIONS
#undef XCC_WRITABLE

namespace detail {

/// A mapping that is cancelled unless it is launched or held.
class open_mapping {
public:
  explicit open_mapping(xcc_mapping *handle) : handle_(handle) {}
  ~open_mapping() {
    if (handle_)
      xcc_mapping_cancel(handle_);
  }
  open_mapping(const open_mapping &) = delete;
  xcc_mapping *take() { return std::exchange(handle_, nullptr); }
  /// Returns true if nothing was launched, because objects have changed since
  /// they were visited.
  bool launch() {
    check(xcc_mapping_launch_visited(&handle_));
    return handle_ != nullptr;
  }

private:
  xcc_mapping *handle_;
};

/// Is the argument destroyed when the statement ends? Arg is what `Arg &&` was
/// deduced to.
template <class Arg>
inline constexpr bool is_temporary = !std::is_reference_v<Arg>;
template <class Type, std::uint32_t Flags, bool Temporary>
inline constexpr bool is_temporary<directed<Type, Flags, Temporary>> =
    Temporary;

/// Where a call is written.
struct written_at {
  const char *file;
  unsigned line;
  static constexpr written_at here(const char *file = __builtin_FILE(),
                                   unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};
/// The names of the arguments at the call, which the compiler fills in: strings,
/// one after the other.
struct written_names;

/// A temporary view maps what it refers to.
template <class Arg>
inline void collect_one(xcc_mapping *mapping, std::size_t index,
                        const char *&name,
                        std::remove_reference_t<Arg> &argument) {
  using Plain = std::remove_const_t<std::remove_reference_t<Arg>>;
  constexpr std::uint32_t stated = stated_by<Plain>::flags;
  auto collect = [into = mapper(mapping, stated)](auto &object) mutable {
    if constexpr (is_temporary<Arg>)
      into.part(object);
    else
      into.object(object);
  };
  xcc_mapping_enter(mapping, name, index);
  if (name)
    name += __builtin_strlen(name) + 1;
  if constexpr (stated != 0)
    collect(argument.object);
  else
    collect(argument);
  xcc_mapping_leave(mapping);
}

} // namespace detail

/// Keeps objects on the current device, with all that belongs to them:
///
///     std::vector<float> x(n), y(n);
///     xcc::map scope(x, y);                  // copied in
///     for (int i = 0; i < 64; ++i)
///       xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
///     scope.to_host(y);                      // y is right here,
///     // and at the end of the scope
///
/// Launches copy none of these objects. Kernels see a change of the host after
/// to_device; the host sees changes of kernels after to_host or at the end of
/// the scope. Both wait for the device. Nothing is copied on devices that share
/// the host's memory. The objects stay the caller's, must not be resized, and
/// must live as long as the scope. Launches of all threads use them.
class map {
public:
#define XCC_MAP_LIST(...) __VA_ARGS__
#define XCC_MAP_CALL                                                           \
  detail::written_at at = detail::written_at::here(),                          \
                     [[clang::annotate("xcc.written_names")]]                  \
                     const detail::written_names *names = nullptr
#define XCC_MAP_CALLS(types, names_of, params, args)                             \
  template <XCC_MAP_LIST types>                                                  \
  explicit map(XCC_MAP_LIST params, XCC_MAP_CALL) {                              \
    begin<XCC_MAP_LIST names_of>(at, names, XCC_MAP_LIST args);                  \
  }                                                                              \
  /** Copies objects that are mapped to the device, after its work so far. */    \
  template <XCC_MAP_LIST types>                                                  \
  void to_device(XCC_MAP_LIST params, XCC_MAP_CALL) {                            \
    update<XCC_MAP_LIST names_of>(XCC_MAP_IN, at, names, XCC_MAP_LIST args);     \
  }                                                                              \
  /** Copies objects that are mapped to the host, after the device's work so   \
      far. */ \
  template <XCC_MAP_LIST types>                                                  \
  void to_host(XCC_MAP_LIST params, XCC_MAP_CALL) {                              \
    update<XCC_MAP_LIST names_of>(XCC_MAP_OUT, at, names, XCC_MAP_LIST args);    \
  }
  XCC_MAP_CALLS((class One), (One), (One && one), (one))
  XCC_MAP_CALLS((class One, class Two), (One, Two), (One && one, Two &&two),
                (one, two))
  XCC_MAP_CALLS((class One, class Two, class Three), (One, Two, Three),
                (One && one, Two &&two, Three &&three), (one, two, three))
  XCC_MAP_CALLS((class One, class Two, class Three, class Four),
                (One, Two, Three, Four),
                (One && one, Two &&two, Three &&three, Four &&four),
                (one, two, three, four))
  XCC_MAP_CALLS((class One, class Two, class Three, class Four, class Five),
                (One, Two, Three, Four, Five),
                (One && one, Two &&two, Three &&three, Four &&four,
                 Five &&five),
                (one, two, three, four, five))
  XCC_MAP_CALLS((class One, class Two, class Three, class Four, class Five,
                 class Six),
                (One, Two, Three, Four, Five, Six),
                (One && one, Two &&two, Three &&three, Four &&four, Five &&five,
                 Six &&six),
                (one, two, three, four, five, six))
  XCC_MAP_CALLS((class One, class Two, class Three, class Four, class Five,
                 class Six, class Seven),
                (One, Two, Three, Four, Five, Six, Seven),
                (One && one, Two &&two, Three &&three, Four &&four, Five &&five,
                 Six &&six, Seven &&seven),
                (one, two, three, four, five, six, seven))
  XCC_MAP_CALLS((class One, class Two, class Three, class Four, class Five,
                 class Six, class Seven, class Eight),
                (One, Two, Three, Four, Five, Six, Seven, Eight),
                (One && one, Two &&two, Three &&three, Four &&four, Five &&five,
                 Six &&six, Seven &&seven, Eight &&eight),
                (one, two, three, four, five, six, seven, eight))
#undef XCC_MAP_CALLS
#undef XCC_MAP_CALL
#undef XCC_MAP_LIST
  /// More than eight objects: messages name them by their numbers. (A default
  /// argument after a pack would never be used.)
  template <class... Arg, class = std::enable_if_t<(sizeof...(Arg) > 8)>>
  explicit map(Arg &&...objects) {
    begin<Arg...>(detail::written_at::here(nullptr, 0), nullptr, objects...);
  }
  template <class... Arg, class = std::enable_if_t<(sizeof...(Arg) > 8)>>
  void to_device(Arg &&...objects) {
    update<Arg...>(XCC_MAP_IN, detail::written_at::here(nullptr, 0), nullptr,
                   objects...);
  }
  template <class... Arg, class = std::enable_if_t<(sizeof...(Arg) > 8)>>
  void to_host(Arg &&...objects) {
    update<Arg...>(XCC_MAP_OUT, detail::written_at::here(nullptr, 0), nullptr,
                   objects...);
  }
  map(map &&other) noexcept : scope_(std::exchange(other.scope_, nullptr)) {}
  map &operator=(map &&other) noexcept {
    std::swap(scope_, other.scope_);
    return *this;
  }
  /// Ends the scope. A failure is thrown by the next wait for the device, or
  /// printed when the program ends.
  ~map() { xcc_scope_release(scope_); }

  /// Ends the scope now, and throws its failure.
  void end() { detail::check(xcc_scope_end(std::exchange(scope_, nullptr))); }

private:
  template <class... Arg>
  void begin(detail::written_at at, const detail::written_names *names,
             std::remove_reference_t<Arg> &...objects) {
    detail::open_mapping mapping(collect<Arg...>(at, names, objects...));
    detail::check(xcc_mapping_hold(mapping.take(), &scope_));
  }
  template <class... Arg>
  void update(std::uint32_t direction, detail::written_at at,
              const detail::written_names *names,
              std::remove_reference_t<Arg> &...objects) {
    detail::open_mapping mapping(collect<Arg...>(at, names, objects...));
    detail::check(xcc_mapping_update(mapping.take(), direction));
  }
  template <class... Arg>
  static xcc_mapping *collect(detail::written_at at,
                              const detail::written_names *names,
                              std::remove_reference_t<Arg> &...objects) {
    xcc_mapping *handle = nullptr;
    detail::check(xcc_mapping_begin(nullptr, at.file, at.line, &handle));
    if (!handle)
      return nullptr;
    detail::open_mapping mapping(handle);
    std::size_t index = 0;
    const char *name = reinterpret_cast<const char *>(names);
    (detail::collect_one<Arg>(handle, index++, name, objects), ...);
    return mapping.take();
  }

  xcc_scope *scope_ = nullptr;
};

} // namespace xcc
#endif // XCC_SCOPE_H
