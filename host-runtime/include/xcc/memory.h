// Memory of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers own memory of a device, or memory of the host that devices copy
// fastest; a device_span is a part of one. Kernels take them where they take a
// pointer. The header pulls in no container: functions that take or return one
// are templates. Errors and threads: as in <xcc/host.h>.
//
// Calls without a stream wait for the device's earlier work and return when
// they are done. Calls with a stream are enqueued in it and return at once.

#ifndef XCC_MEMORY_H
#define XCC_MEMORY_H

#include <xcc/host.h>

// to_vector() returns a std::vector, whose header takes as long to compile as
// all of this does. A program that calls it includes <vector>. Here the class is
// declared as the libraries declare it themselves.
#if defined(__GLIBCXX__)
namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename> class allocator;
_GLIBCXX_END_NAMESPACE_VERSION
#ifdef _GLIBCXX_DEBUG
namespace __debug {
template <typename, typename> class vector;
}
#else
_GLIBCXX_BEGIN_NAMESPACE_VERSION
_GLIBCXX_BEGIN_NAMESPACE_CONTAINER
template <typename, typename> class vector;
_GLIBCXX_END_NAMESPACE_CONTAINER
_GLIBCXX_END_NAMESPACE_VERSION
#endif
} // namespace std
#elif defined(_LIBCPP_VERSION) && __has_include(<__fwd/vector.h>)
#include <__fwd/vector.h>
#else
#include <vector>
#endif

namespace xcc {

template <class Type> class buffer;
template <class Type> class device_span;

namespace detail {
template <class Range, class Type>
using if_range_of = std::enable_if_t<is_range<Range, Type>, std::nullptr_t>;
template <class Range, class Type>
using if_output = std::enable_if_t<is_range<Range, Type> &&
                                       !std::is_const_v<element_t<Range>>,
                                   std::nullptr_t>;
/// Of another type.
template <class Range, class Type>
using if_other = std::enable_if_t<has_elements<Range> && !is_range<Range, Type>,
                                  std::nullptr_t>;
/// A std::span of any number of objects, which may be const there.
template <class Span, class Type>
using if_span = std::enable_if_t<
    Span::extent == SIZE_MAX &&
        (std::is_same_v<typename Span::element_type, Type> ||
         std::is_same_v<typename Span::element_type, const Type>) &&
        std::is_constructible_v<Span, Type *, std::size_t>,
    std::nullptr_t>;
template <class Type, class = void> inline constexpr bool is_defined = false;
template <class Type>
inline constexpr bool is_defined<Type, std::void_t<decltype(sizeof(Type))>> =
    true;
} // namespace detail

/// The operations of the host on the device memory of Self, a device_span or a
/// buffer of Type. Each waits until it is done, or takes a stream as its last
/// argument and returns at once.
template <class Self, class Type> class device_memory {
  using bare = std::remove_const_t<Type>;

public:
  using element_type = Type;
  using value_type = bare;

  /// size() in bytes.
  constexpr std::size_t size_bytes() const noexcept {
    return size() * sizeof(Type);
  }
  /// Whether size() is 0.
  constexpr bool empty() const noexcept { return !size(); }

  /// Returns the part of \p count objects that begins at index \p first, or all
  /// objects from there on. It does not own the memory. Throws if there are
  /// fewer objects.
  ///     x.part(0, n / 2).fill(1);
  device_span<Type> part(std::size_t first, std::size_t count) const {
    detail::check_room(first, size());
    detail::check_room(count, size() - first);
    return {data() + first, count};
  }
  device_span<Type> part(std::size_t first) const {
    detail::check_room(first, size());
    return {data() + first, size() - first};
  }
  /// Returns the \p count objects from index \p first on, as part() does. The
  /// name is that of std::span:
  ///     x.subspan(n / 2).fill(1);
  device_span<Type> subspan(std::size_t first, std::size_t count) const {
    return part(first, count);
  }
  device_span<Type> subspan(std::size_t first) const { return part(first); }

  /// Sets every object:
  ///     sums.fill(0.5f);
  void fill(const Type &value) const {
    detail::check(xcc_memory_fill_elements(data(), __builtin_addressof(value),
                                           sizeof(Type), size()));
  }
  void fill(const Type &value, stream &on) const {
    on.fill(data(), value, size());
  }
  /// Sets every byte to \p byte.
  void fill_bytes(int byte) const {
    detail::check(xcc_memory_fill(data(), byte, size_bytes()));
  }
  void fill_bytes(int byte, stream &on) const {
    detail::check(
        xcc_memory_fill_async(data(), byte, size_bytes(), on.handle()));
  }

  /// Copies \p count objects to the first objects here. \p from is memory of the
  /// host or of any device:
  ///     samples.copy_from(on_host, 1000);
  void copy_from(const bare *from, std::size_t count) const
      XCC_CHECKED_COUNT(count) {
    detail::check_room(count, size());
    detail::check(xcc_memory_copy(data(), from, count * sizeof(Type)));
  }
  void copy_from(const bare *from, std::size_t count, stream &on) const
      XCC_CHECKED_COUNT(count) {
    detail::check_room(count, size());
    on.copy(data(), from, count);
  }
  /// Copies all objects, or the first \p count, of a container, a span, a buffer
  /// or an array. Throws if there is less room here:
  ///     samples.copy_from(vector);
  template <class Range, detail::if_range_of<const Range, bare> = nullptr>
  void copy_from(const Range &from) const {
    copy_from(detail::first_at(from), detail::count_at(from));
  }
  template <class Range, detail::if_range_of<const Range, bare> = nullptr>
  void copy_from(const Range &from, std::size_t count) const
      XCC_CHECKED_COUNT(count) {
    detail::check_room(count, detail::count_at(from));
    copy_from(detail::first_at(from), count);
  }
  template <class Range, detail::if_range_of<Range, bare> = nullptr>
  void copy_from(Range &&from, stream &on) const {
    on.copy(*self(), std::forward<Range>(from));
  }
  template <class Range, detail::if_range_of<Range, bare> = nullptr>
  void copy_from(Range &&from, std::size_t count, stream &on) const
      XCC_CHECKED_COUNT(count) {
    on.copy(*self(), std::forward<Range>(from), count);
  }
  template <class Range, class... Rest, detail::if_other<Range, bare> = nullptr>
  void copy_from(Range &&, Rest &&...) const
      XCC_REFUSED("both sides of a copy have objects of one type: convert them "
                  "on the host or in a kernel");

  /// Copies the first \p count objects to memory of the host or of any device:
  ///     samples.copy_to(on_host, 1000);
  void copy_to(bare *to, std::size_t count) const XCC_CHECKED_COUNT(count) {
    detail::check_room(count, size());
    detail::check(xcc_memory_copy(to, data(), count * sizeof(Type)));
  }
  void copy_to(bare *to, std::size_t count, stream &on) const
      XCC_CHECKED_COUNT(count) {
    detail::check_room(count, size());
    on.copy(to, data(), count);
  }
  /// Copies all objects, or the first \p count, to the first of a container, a
  /// span, a buffer or an array. Throws if there is less room:
  ///     samples.copy_to(vector);
  template <class Range, detail::if_output<Range, bare> = nullptr>
  void copy_to(Range &&to) const {
    detail::check_room(size(), detail::count_at(to));
    copy_to(detail::first_at(to), size());
  }
  template <class Range, detail::if_output<Range, bare> = nullptr>
  void copy_to(Range &&to, std::size_t count) const XCC_CHECKED_COUNT(count) {
    detail::check_room(count, detail::count_at(to));
    copy_to(detail::first_at(to), count);
  }
  template <class Range, detail::if_output<Range, bare> = nullptr>
  void copy_to(Range &&to, stream &on) const {
    on.copy(std::forward<Range>(to), *self());
  }
  template <class Range, detail::if_output<Range, bare> = nullptr>
  void copy_to(Range &&to, std::size_t count, stream &on) const
      XCC_CHECKED_COUNT(count) {
    on.copy(std::forward<Range>(to), *self(), count);
  }
  template <class Range, class... Rest, detail::if_other<Range, bare> = nullptr>
  void copy_to(Range &&, Rest &&...) const
      XCC_REFUSED("both sides of a copy have objects of one type: convert them "
                  "on the host or in a kernel");
  template <class Range, class... Rest,
            detail::if_range_of<Range, const bare> = nullptr,
            std::enable_if_t<std::is_const_v<detail::element_t<Range>>,
                             std::nullptr_t> = nullptr>
  void copy_to(Range &&, Rest &&...) const
      XCC_REFUSED("this cannot be copied to: it is const");

  /// Returns a copy of all objects, in a std::vector or another container:
  ///     const std::vector<float> result = sums.to_vector();
  ///     auto numbers = sums.to<std::deque>();
  auto to_vector() const {
    using vector = std::vector<bare, std::allocator<bare>>;
    static_assert(detail::is_defined<vector>,
                  "to_vector() needs #include <vector>");
    if constexpr (detail::is_defined<vector>)
      return to<vector>();
  }
  template <template <class...> class Container> auto to() const {
    return to<Container<bare>>();
  }
  template <class Container> Container to() const {
    if constexpr (detail::is_range<Container, bare> &&
                  std::is_aggregate_v<Container>) {
      Container out{}; // a std::array, of a size of its own
      copy_to(out);
      return out;
    } else if constexpr (detail::is_range<Container, bare> &&
                         std::is_constructible_v<Container, std::size_t>) {
      Container out(size());
      copy_to(out.data(), size());
      return out;
    } else {
      // One that has its elements elsewhere, as std::list and
      // std::vector<bool>.
      struct objects {
        bare *all;
        ~objects() { delete[] all; }
      } here{new bare[size()]};
      copy_to(here.all, size());
      return Container(here.all, here.all + size());
    }
  }

private:
  constexpr const Self *self() const noexcept {
    return static_cast<const Self *>(this);
  }
  constexpr Type *data() const noexcept { return self()->data(); }
  constexpr std::size_t size() const noexcept { return self()->size(); }
};

/// Memory of a device that another object owns: a part of a buffer, which has to
/// live longer. A value: copies refer to the same memory.
///     xcc::device_span<float> half = x.subspan(0, n / 2);
///     half.fill(0);
template <class Type>
class device_span : public device_memory<device_span<Type>, Type> {
public:
  constexpr device_span() = default;
  constexpr device_span(Type *data, std::size_t size) noexcept
      : data_(data), size_(size) {}
  /// A span of objects that are only read, from one of objects that are not.
  template <class Other,
            class = std::enable_if_t<std::is_same_v<const Other, Type>>>
  constexpr device_span(const device_span<Other> &other) noexcept
      : device_span(other.data(), other.size()) {}

  /// The address on the device, for kernels. The host copies instead.
  constexpr Type *data() const noexcept { return data_; }
  constexpr operator Type *() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  /// For kernels that take a std::span.
  template <class Span, detail::if_span<Span, Type> = nullptr>
  constexpr operator Span() const noexcept {
    return Span(data_, size_);
  }

private:
  Type *data_ = nullptr;
  std::size_t size_ = 0;
};

/// Device memory for objects of a type, freed with the buffer once the device's
/// work so far has ended. Kernels take it where they take a pointer or a span:
///     xcc::buffer<float> x(n);
///     x.fill(1);
///     xcc::launch({{n / 256}, {256}}, scale, n, x);
///     const std::vector<float> result = x.to_vector();
template <class Type> class buffer : public device_memory<buffer<Type>, Type> {
  static_assert(std::is_trivially_copyable_v<Type>,
                "a buffer holds what can be copied byte by byte");
  static_assert(!std::is_const_v<Type>,
                "a buffer's elements can be written: pass a const T * or a "
                "device_span<const T> to code that only reads them");

public:
  buffer() = default;
  /// Allocates room for \p count objects on the current device, not initialised:
  ///     xcc::buffer<float> sums(blocks);
  explicit buffer(std::size_t count) XCC_CHECKED_COUNT(count) : size_(count) {
    void *memory = nullptr;
    // xcc_memory_alloc rejects a size that is too large, with a message.
    detail::check(
        xcc_memory_alloc(detail::size_of_objects<Type>(count), &memory));
    data_ = static_cast<Type *>(memory);
  }
  /// Copies the objects of a container, a span, an array or all() of another
  /// buffer to the current device:
  ///     xcc::buffer samples(vector);
  template <class Range, detail::if_range_of<const Range, Type> = nullptr,
            class = std::enable_if_t<!std::is_same_v<Range, buffer>>>
  explicit buffer(const Range &from) : buffer(detail::count_at(from)) {
    this->copy_from(detail::first_at(from), size_);
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
      (void)xcc_memory_free(data_);
  }

  /// A buffer is not copied by accident.
  buffer(const buffer &)
      XCC_REFUSED("a buffer is not copied by itself: pass it by reference, "
                  "capture its data() or all(), as in [x = x.data()], and have "
                  "a second one by xcc::buffer y(x.all())");
  buffer &operator=(const buffer &)
      XCC_REFUSED("a buffer is not copied by itself: copy its objects with "
                  "copy_from, or move it");
  template <class Range, detail::if_other<Range, Type> = nullptr>
  explicit buffer(Range &&)
      XCC_REFUSED("a buffer is made of a number, or of a range of objects of "
                  "its own type");
  template <class First, class Second, class... Rest>
  buffer(First &&, Second &&, Rest &&...)
      XCC_REFUSED("a buffer is made of a number, xcc::buffer<T> x(n), which "
                  "x.fill(value) sets, or of a container, an array or a span: "
                  "xcc::buffer x(std::vector{1, 2, 3})");

  /// The address on the device, for kernels. The host copies instead.
  Type *data() const noexcept { return data_; }
  operator Type *() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  /// The elements are on the device, so the host cannot loop over them.
  void begin() const
      XCC_REFUSED("a buffer's elements are on the device: on the host, loop "
                  "over to_vector() of it");
  void end() const
      XCC_REFUSED("a buffer's elements are on the device: on the host, loop "
                  "over to_vector() of it");

  /// All objects, as a span that does not own them.
  device_span<Type> all() const noexcept { return {data_, size_}; }
  /// For kernels that take an xcc::device_span or a std::span.
  operator device_span<Type>() const noexcept { return all(); }
  operator device_span<const Type>() const noexcept { return all(); }
  template <class Span, detail::if_span<Span, Type> = nullptr>
  operator Span() const noexcept {
    return Span(data_, size_);
  }

private:
  Type *data_ = nullptr;
  std::size_t size_ = 0;
};
/// A buffer of a container has its elements' type.
template <class Range>
explicit buffer(const Range &)
    -> buffer<std::remove_cv_t<detail::element_t<const Range>>>;

namespace detail {
/// A stream's copy may use them after the call: they wait for it when they go.
template <class Type>
inline constexpr bool outlives_copies<buffer<Type>> = true;
} // namespace detail

/// An allocator for containers of the host. Kernels of every device access their
/// memory at its address, as that of a host_buffer. A GPU reads and writes it
/// through its bus:
///     std::vector<float, xcc::allocator<float>> samples(n);
///     xcc::launch(shape, kernel, samples.data(), n);
template <class Type> struct allocator {
  using value_type = Type;

  constexpr allocator() noexcept = default;
  template <class Other>
  constexpr allocator(const allocator<Other> &) noexcept {}

  /// Allocates memory for \p count objects. Throws xcc::error if there is none.
  Type *allocate(std::size_t count) {
    void *memory = nullptr;
    detail::check(
        xcc_memory_alloc_host(detail::size_of_objects<Type>(count), &memory));
    return static_cast<Type *>(memory);
  }
  void deallocate(Type *memory, std::size_t) noexcept {
    (void)xcc_memory_free_host(memory);
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

/// Host memory that the current device copies from and to fastest, without
/// blocking the calling thread. The objects are not initialised. The host uses
/// it like an array:
///     xcc::host_buffer<float> samples(n);
///     s.copy(on_device.data(), samples.data(), n);
template <class Type>
class host_buffer : public detail::host_array<Type, xcc_memory_alloc_host,
                                              xcc_memory_free_host> {
public:
  using detail::host_array<Type, xcc_memory_alloc_host,
                           xcc_memory_free_host>::host_array;
};

/// Managed memory: the host and kernels of the current device's kind use it
/// alternately, at one address. The objects are not initialised:
///     xcc::managed_buffer<float> sums(n);
///     xcc::launch(shape, kernel, sums.data(), n);
///     xcc::synchronize();
///     use(sums[0]);
template <class Type>
class managed_buffer : public detail::host_array<Type, xcc_memory_alloc_managed,
                                                 xcc_memory_free_managed> {
public:
  using detail::host_array<Type, xcc_memory_alloc_managed,
                           xcc_memory_free_managed>::host_array;
};

/// Page-locks existing memory of the program while this object lives, so that it
/// is like that of a host_buffer: copies are fastest, and kernels can access it
/// at its address. The memory must stay allocated:
///     std::vector<float> samples(n);
///     xcc::host_registration locked(samples);
class host_registration {
public:
  host_registration() = default;
  /// Registers \p bytes from \p memory on.
  host_registration(void *memory, std::size_t bytes) : memory_(memory) {
    detail::check(xcc_memory_register(memory, bytes));
  }
  /// Registers the memory of all objects of a container or a span.
  template <class Range, class = decltype(static_cast<void *>(
                             std::declval<Range &>().data()))>
  explicit host_registration(Range &of) {
    if (!of.size())
      return;
    detail::check(
        xcc_memory_register(of.data(), of.size() * sizeof(*of.data())));
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
      (void)xcc_memory_unregister(memory_);
  }

private:
  void *memory_ = nullptr;
};

} // namespace xcc
#endif // XCC_MEMORY_H
