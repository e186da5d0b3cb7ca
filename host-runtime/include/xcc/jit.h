// Kernels that are generated as the program runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     xcc::jit::options how;
//     how.fast_math = true;
//     auto fast = xcc::jit::kernel(saxpy, how);      // or kernel<int, float>("f")
//     fast({{blocks}, {256}}, n, 2.0f, x, y);
//
// The program needs a portable image (-offload-arch=generic), and the code
// generator, libxcc-jit, has to be installed where it runs: docs/jit.md. Errors
// and threads: as in <xcc/host.h>.

#ifndef XCC_JIT_H
#define XCC_JIT_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/launch.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace xcc::jit {
template <class... Param> class function;
template <class Object, class... Param> class object;
class any_kernel;
} // namespace xcc::jit
namespace xcc::detail {
template <class... Param>
inline constexpr bool launches_itself<jit::function<Param...>> = true;
template <class Object, class... Param>
inline constexpr bool launches_itself<jit::object<Object, Param...>> = true;
template <> inline constexpr bool launches_itself<jit::any_kernel> = true;

template <class Object, class Params> struct object_of;
template <class Object, class... Param>
struct object_of<Object, type_list<Param...>> {
  using type = jit::object<Object, Param...>;
};
} // namespace xcc::detail
namespace xcc {
/// Launches what was generated, as any other kernel.
template <
    class Made, class... Arg,
    std::enable_if_t<detail::launches_itself<std::decay_t<Made>>, int> = 0>
void launch(const launch_config &config, Made &&kernel, Arg &&...args) {
  kernel(config, std::forward<Arg>(args)...);
}
} // namespace xcc

struct LLVMOpaqueModule; // <llvm-c/Types.h>: LLVMModuleRef points to one

namespace xcc::jit {

/// How a kernel is generated. A field that is not set stands for the setting with
/// which the program was built.
struct options {
  int opt_level = -1;       ///< 0 to 3
  bool fast_math = false;   ///< as -ffast-math, for all that the kernel reaches
  unsigned max_threads = 0; ///< launch bounds: the largest block,
  unsigned min_blocks = 0;  ///< and a wish for blocks on a compute unit
  std::string arch; ///< as in -offload-arch=, one that the device can run
  /// Changes the kernel's module before code is generated. The module is linked
  /// and not optimised, and the kernel is the function called info().symbol. Use
  /// the LLVM that libxcc-jit is linked with. The module and its context are
  /// freed when the transform has returned. It runs once, on another thread,
  /// while kernel() waits, and may throw.
  std::function<void(LLVMOpaqueModule *)> transform;
};

/// A kernel with these parameters that was generated, for the device that was
/// current then. Cheap to copy. It is valid as long as the program or library
/// that has the kernel is loaded. A kernel of a compiled source keeps the source.
template <class... Param> class function {
public:
  explicit function(const kernel_info &info,
                    std::shared_ptr<const void> keeps = nullptr)
      : described(&info), kept(std::move(keeps)) {}
  /// Its descriptor, like those of kernel_info_for.
  const kernel_info &info() const noexcept { return *described; }

  /// Launches it, as xcc::launch does.
  template <class... Arg>
  void operator()(const launch_config &config, Arg &&...args) const {
    static_assert(std::is_invocable_v<void (*)(Param...), Arg...>,
                  "these are no arguments for the kernel's parameters");
    detail::launch_function(config, *described, detail::type_list<Param...>{},
                            std::forward<Arg>(args)...);
  }

private:
  const kernel_info *described;
  std::shared_ptr<const void> kept;
};

/// A function object, with the code that was generated for its kernel. It is
/// launched as the object would be. Cheap to copy: copies share a copy of the
/// object, made when the code was generated.
template <class Object, class... Param> class object {
public:
  template <class Given>
  object(const kernel_info &info, Given &&given)
      : described(&info),
        kept(std::make_shared<const Object>(std::forward<Given>(given))) {}
  /// Its descriptor, like those of kernel_info_for.
  const kernel_info &info() const noexcept { return *described; }

  /// Launches it, as xcc::launch does.
  template <class... Arg>
  void operator()(const launch_config &config, Arg &&...args) const {
    static_assert(std::is_invocable_v<void (*)(as_argument<Param>...), Arg...>,
                  "these are no arguments for the kernel's parameters");
    detail::launch_bits<Object>(config, *described, kept.get(),
                                detail::type_list<Param...>{},
                                std::forward<Arg>(args)...);
  }

private:
  /// What each thread passes on a copy of its own of is given as a value.
  template <class Each>
  using as_argument = std::conditional_t<detail::is_thread_own<Each>,
                                         detail::stored_t<Each>, Each>;
  const kernel_info *described;
  std::shared_ptr<const Object> kept;
};

/// Generates a kernel for the current device. Throws xcc::error, with the
/// kernel's name and the reason, if no code can be generated, or what the
/// transform threw; the kernel is not changed then. The same kernel with the same
/// options is generated once, unless there is a transform.
///     const auto &made = xcc::jit::generate(xcc::kernel_info_for(saxpy), how);
inline const kernel_info &generate(const kernel_info &kernel,
                                   const options &how = {}) {
  struct call {
    const options &how;
    std::exception_ptr thrown;
    static int run(void *module, void *user) {
      auto &self = *static_cast<call *>(user);
      try {
        self.how.transform(static_cast<LLVMOpaqueModule *>(module));
        return 0;
      } catch (...) {
        self.thrown = std::current_exception();
        return 1;
      }
    }
  } transform{how, nullptr};
  xcc_jit_options raw{};
  raw.size = sizeof(raw);
  raw.opt_level = how.opt_level;
  raw.fast_math = how.fast_math;
  raw.max_threads = how.max_threads;
  raw.min_blocks = how.min_blocks;
  raw.arch = how.arch.empty() ? nullptr : how.arch.c_str();
  if (how.transform) {
    raw.transform = call::run;
    raw.user = &transform;
  }
  const kernel_info *made = nullptr;
  xcc_status status = xcc_kernel_generate(&kernel, &raw, &made);
  if (transform.thrown)
    std::rethrow_exception(transform.thrown);
  detail::check(status);
  return *made;
}

/// Generates the kernel of a function:
///     auto fast = xcc::jit::kernel(saxpy, how);
///     xcc::launch({{blocks}, {256}}, fast, n, 2.0f, x, y);
template <class Result, class... Param>
function<Param...> kernel(XCC_KERNEL Result (*kernel)(Param...),
                          const options &how = {}) {
  return function<Param...>(
      generate(*reinterpret_cast<const kernel_info *>(kernel), how));
}

/// Generates the kernel of a lambda or another function object. Name the types of
/// the parameters if the call operator is a template:
/// xcc::jit::kernel<int, float *>(f).
///     auto twice = xcc::jit::kernel([](float *x) { *x *= 2; }, how);
///     twice({{1}, {1}}, x);
template <class... Arg, class Callee,
          std::enable_if_t<detail::is_object<Callee>, int> = 0>
auto kernel(XCC_KERNEL Callee &&callee, const options &how = {}) {
  static_assert(std::is_constructible_v<std::decay_t<Callee>, Callee>,
                "what keeps the code keeps a copy of the object: it has to be "
                "one that can be copied, or passed by std::move");
  const kernel_info &info = detail::named_info<Callee, Arg...>();
  using made =
      typename detail::object_of<std::decay_t<Callee>,
                                 detail::named_params<Callee, Arg...>>::type;
  return made(generate(info, how), std::forward<Callee>(callee));
}

/// Generates the kernel that is called \p name (kernel_info::name or ::symbol) in
/// the program or one of its libraries. Throws if it has not as many parameters,
/// of the same sizes and at the same offsets, as Param...:
///     auto f = xcc::jit::kernel<int, float, const float *, float *>("saxpy");
template <class... Param>
function<Param...> kernel(const char *name, const options &how = {}) {
  constexpr detail::layout<0, Param...> where;
  constexpr std::size_t sizes[] = {sizeof(detail::stored_t<Param>)..., 0};
  xcc_argument_place params[sizeof...(Param) + 1] = {};
  for (std::size_t next = 0; next != sizeof...(Param); ++next)
    params[next] = {std::uint32_t(where.offset[next]),
                    std::uint32_t(sizes[next])};
  const kernel_info *found = nullptr;
  detail::check(xcc_kernel_find(name, params, sizeof...(Param), &found));
  return function<Param...>(generate(*found, how));
}

} // namespace xcc::jit

#endif // XCC_JIT_H
