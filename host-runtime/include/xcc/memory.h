// Memory of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers own memory of a device, or memory of the host that devices copy
// fastest; a device_span is a part of one. Kernels take them where they take a
// pointer. The header pulls in no container: what takes or gives one is a
// template.
//
// Calls without a stream wait for the device's earlier work and return when
// they are done; those with one are part of its order, and return at once.

#ifndef XCC_MEMORY_H
#define XCC_MEMORY_H

#include "xcc/host.h"

namespace xcc {

template <class Type> class buffer;

namespace detail {
/// Has data() and size(), which are of Types: std::vector, std::array,
/// std::span, buffers.
template <class Range, class Type, class = void>
inline constexpr bool is_range = false;
template <class Range, class Type>
inline constexpr bool
    is_range<Range, Type,
             std::void_t<decltype(std::declval<Range &>().size()),
                         decltype(static_cast<const Type *>(
                             std::declval<Range &>().data()))>> =
        std::is_same_v<std::remove_cv_t<std::remove_pointer_t<
                           decltype(std::declval<Range &>().data())>>,
                       Type>;

/// Refuses more objects than there is room for.
inline void check_room(std::size_t given, std::size_t room) {
  if (given > room)
    check(xcc_check_room(given, room));
}
} // namespace detail

/// Memory of a device that somebody else owns: a part of a buffer.
template <class Type> class device_span {
public:
  constexpr device_span() = default;
  constexpr device_span(Type *data, std::size_t size) noexcept
      : data_(data), size_(size) {}

  /// For kernels; the host reads and writes through the copies below.
  constexpr Type *data() const noexcept { return data_; }
  constexpr operator Type *() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }

  /// \p count objects from the one at \p first on; throws where there are
  /// fewer.
  device_span part(std::size_t first, std::size_t count) const {
    detail::check_room(first, size_);
    detail::check_room(count, size_ - first);
    return {data_ + first, count};
  }

  /// Sets every object:
  ///     sums.fill(0.5f);
  void fill(const Type &value) const {
    detail::check(xcc_fill_elements(data_, __builtin_addressof(value),
                                    sizeof(Type), size_));
  }
  void fill(const Type &value, stream &on) const {
    on.fill(data_, value, size_);
  }
  /// Sets every byte.
  void fill_bytes(int byte) const {
    detail::check(xcc_fill(data_, byte, size_ * sizeof(Type)));
  }
  void fill_bytes(int byte, stream &on) const {
    detail::check(
        xcc_fill_async(data_, byte, size_ * sizeof(Type), on.handle()));
  }

  /// Copies \p count objects, of the host or of any device, to the first here.
  void copy_from(const Type *from, std::size_t count) const {
    detail::check_room(count, size_);
    detail::check(xcc_copy(data_, from, count * sizeof(Type)));
  }
  void copy_from(const Type *from, std::size_t count, stream &on) const {
    detail::check_room(count, size_);
    on.copy(data_, from, count);
  }
  /// All objects of a container, a span or a buffer:
  ///     samples.copy_from(vector);
  template <class Range,
            class = std::enable_if_t<detail::is_range<const Range, Type>>>
  void copy_from(const Range &from) const {
    copy_from(from.data(), from.size());
  }
  template <class Range,
            class = std::enable_if_t<detail::is_range<const Range, Type>>>
  void copy_from(const Range &from, stream &on) const {
    copy_from(from.data(), from.size(), on);
  }

  /// Copies the first \p count objects to the host or to any device.
  void copy_to(std::remove_const_t<Type> *to, std::size_t count) const {
    detail::check_room(count, size_);
    detail::check(xcc_copy(to, data_, count * sizeof(Type)));
  }
  void copy_to(std::remove_const_t<Type> *to, std::size_t count,
               stream &on) const {
    detail::check_room(count, size_);
    on.copy(to, data_, count);
  }
  /// All of them, to the first of a container, a span or a buffer.
  template <class Range, class = std::enable_if_t<detail::is_range<
                             Range, std::remove_const_t<Type>>>>
  void copy_to(Range &&to) const {
    detail::check_room(size_, to.size());
    copy_to(to.data(), size_);
  }
  template <class Range, class = std::enable_if_t<detail::is_range<
                             Range, std::remove_const_t<Type>>>>
  void copy_to(Range &&to, stream &on) const {
    detail::check_room(size_, to.size());
    copy_to(to.data(), size_, on);
  }
  /// A container of what is here now:
  ///     auto sums = on_device.to<std::vector>();
  /// or, as std::ranges::to has it, of a container with its elements' type.
  template <template <class...> class Container> auto to() const {
    return to<Container<std::remove_const_t<Type>>>();
  }
  template <class Container> Container to() const {
    Container out(size_);
    copy_to(out.data(), size_);
    return out;
  }

private:
  Type *data_ = nullptr;
  std::size_t size_ = 0;
};

/// Device memory for objects of a type, freed with the buffer once the device's
/// work so far has ended. Kernels take it where they take a pointer:
///     xcc::buffer<float> x(n);
///     x.fill(1);
///     xcc::launch({{n / 256}, {256}}, scale, n, x);
///     const auto result = x.to<std::vector>();
template <class Type> class buffer {
  static_assert(std::is_trivially_copyable_v<Type>,
                "a buffer holds what can be copied byte by byte");

public:
  buffer() = default;
  /// Room for \p count objects on the current device, not initialised:
  ///     xcc::buffer<float> sums(blocks);
  explicit buffer(std::size_t count) : size_(count) {
    void *memory = nullptr;
    // What is too much for a size is refused there, with a message.
    detail::check(xcc_alloc(detail::size_of_objects<Type>(count), &memory));
    data_ = static_cast<Type *>(memory);
  }
  /// A copy of a container's objects, on the current device:
  ///     xcc::buffer samples(vector);
  template <class Range,
            class = std::enable_if_t<detail::is_range<const Range, Type> &&
                                     !std::is_same_v<Range, buffer>>>
  explicit buffer(const Range &from) : buffer(from.size()) {
    all().copy_from(from.data(), from.size());
  }
  buffer(buffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  buffer &operator=(buffer &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~buffer() {
    if (data_)
      (void)xcc_free(data_);
  }

  /// For kernels; the host reads and writes through copies.
  Type *data() const noexcept { return data_; }
  operator Type *() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

#if defined(__clang__) && __clang_major__ >= 19
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#pragma clang diagnostic ignored "-Wpre-c++26-compat"
  /// Its elements are not the host's.
  void begin() const = delete ("a buffer's elements are on the device: on the "
                               "host, loop over to<std::vector>() of it");
  void end() const = delete ("a buffer's elements are on the device: on the "
                             "host, loop over to<std::vector>() of it");
#pragma clang diagnostic pop
#endif

  /// What a device_span does: see there.
  ///     x.part(0, n / 2).copy_from(vector);
  ///     x.copy_to(vector, s);
  device_span<Type> all() const noexcept { return {data_, size_}; }
  operator device_span<Type>() const noexcept { return all(); }
  device_span<Type> part(std::size_t first, std::size_t count) const {
    return all().part(first, count);
  }
  template <class... Arg> void fill(const Type &value, Arg &...on) const {
    all().fill(value, on...);
  }
  template <class... Arg> void fill_bytes(int byte, Arg &...on) const {
    all().fill_bytes(byte, on...);
  }
  template <class... Arg> void copy_from(Arg &&...args) const {
    all().copy_from(std::forward<Arg>(args)...);
  }
  template <class... Arg> void copy_to(Arg &&...args) const {
    all().copy_to(std::forward<Arg>(args)...);
  }
  template <template <class...> class Container> auto to() const {
    return all().template to<Container>();
  }
  template <class Container> Container to() const {
    return all().template to<Container>();
  }

private:
  Type *data_ = nullptr;
  std::size_t size_ = 0;
};
/// A buffer of a container has its elements' type.
template <class Range>
explicit buffer(const Range &) -> buffer<std::remove_cv_t<
    std::remove_pointer_t<decltype(std::declval<Range &>().data())>>>;

/// For containers of the host whose memory kernels of every device reach at its
/// address, as that of a host_buffer; a GPU reads and writes it through its bus:
///     std::vector<float, xcc::allocator<float>> samples(n);
///     xcc::launch(shape, kernel, samples.data(), n);
template <class Type> struct allocator {
  using value_type = Type;

  constexpr allocator() noexcept = default;
  template <class Other>
  constexpr allocator(const allocator<Other> &) noexcept {}

  /// Throws xcc::error where there is no memory.
  Type *allocate(std::size_t count) {
    void *memory = nullptr;
    detail::check(
        xcc_alloc_host(detail::size_of_objects<Type>(count), &memory));
    return static_cast<Type *>(memory);
  }
  void deallocate(Type *memory, std::size_t) noexcept {
    (void)xcc_free_host(memory);
  }

  template <class Other>
  friend constexpr bool operator==(const allocator &,
                                   const allocator<Other> &) noexcept {
    return true;
  }
  template <class Other>
  friend constexpr bool operator!=(const allocator &,
                                   const allocator<Other> &) noexcept {
    return false;
  }
};

namespace detail {
/// Memory that the host uses like an array, as a function gives it.
template <class Type, xcc_status (*Allocate)(std::size_t, void **),
          xcc_status (*Free)(void *)>
class host_array {
  static_assert(std::is_trivially_copyable_v<Type>,
                "a host buffer holds what can be copied byte by byte");

public:
  host_array() = default;
  explicit host_array(std::size_t count) : size_(count) {
    void *memory = nullptr;
    check(Allocate(size_of_objects<Type>(count), &memory));
    data_ = static_cast<Type *>(memory);
  }
  host_array(host_array &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  host_array &operator=(host_array &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~host_array() {
    if (data_)
      (void)Free(data_);
  }

  /// As a container of the standard library has them.
  Type *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  Type &operator[](std::size_t at) const noexcept { return data_[at]; }
  Type *begin() const noexcept { return data_; }
  Type *end() const noexcept { return data_ + size_; }

private:
  Type *data_ = nullptr;
  std::size_t size_ = 0;
};
} // namespace detail

/// Host memory for objects of a type that the current device copies from and to
/// fastest, and without holding up the calling thread; not initialised. The host
/// uses it like an array:
///     xcc::host_buffer<float> samples(n);
///     s.copy(on_device.data(), samples.data(), n);
template <class Type>
class host_buffer
    : public detail::host_array<Type, xcc_alloc_host, xcc_free_host> {
public:
  using detail::host_array<Type, xcc_alloc_host, xcc_free_host>::host_array;
};

/// Managed memory for objects of a type, which host and kernels of the current
/// device's kind use at one address, by turns; not initialised:
///     xcc::managed_buffer<float> sums(n);
///     xcc::launch(shape, kernel, sums.data(), n);
///     xcc::synchronize();
///     use(sums[0]);
template <class Type>
class managed_buffer
    : public detail::host_array<Type, xcc_alloc_managed, xcc_free_managed> {
public:
  using detail::host_array<Type, xcc_alloc_managed,
                           xcc_free_managed>::host_array;
};

/// Makes memory that the program has what a host_buffer is, as long as this
/// lives: page-locked, and reached by kernels at its address. The memory has to
/// stay where it is:
///     std::vector<float> samples(n);
///     xcc::host_registration locked(samples);
class host_registration {
public:
  host_registration() = default;
  host_registration(void *memory, std::size_t bytes) : memory_(memory) {
    detail::check(xcc_host_register(memory, bytes));
  }
  /// Of all objects of a container or a span; of none, nothing.
  template <class Range, class = decltype(static_cast<void *>(
                             std::declval<Range &>().data()))>
  explicit host_registration(Range &of) {
    if (!of.size())
      return;
    detail::check(xcc_host_register(of.data(), of.size() * sizeof(*of.data())));
    memory_ = of.data();
  }
  host_registration(host_registration &&other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)) {}
  host_registration &operator=(host_registration &&other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  /// Waits for the device's work so far.
  ~host_registration() {
    if (memory_)
      (void)xcc_host_unregister(memory_);
  }

private:
  void *memory_ = nullptr;
};

} // namespace xcc
#endif // XCC_MEMORY_H
