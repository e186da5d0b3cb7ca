// Images and volumes in memory of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two- and three-dimensional memory whose rows begin where the device reads
// them fastest, so that they lie farther apart than they are long:
//
//     void blur(xcc::pitched_span<const float> in, xcc::pitched_span<float> out) {
//       auto x = xcc::block_idx().x * 32 + xcc::thread_idx().x;
//       auto y = xcc::block_idx().y * 8 + xcc::thread_idx().y;
//       if (x < out.width() && y < out.height())
//         out[y][x] = (in[y][x] + in[y][x ? x - 1 : 0]) / 2;
//     }
//     xcc::pitched_buffer<float> image(1000, 700), blurred(1000, 700);
//     image.copy_from(pixels);
//     xcc::launch({{32, 88}, {32, 8}}, blur, image, blurred);
//     blurred.copy_to(pixels);
//
// An object of a volume is volume.row(y, z)[x]. Sizes are numbers of objects, and
// x comes first: width, height, depth. Errors and threads: as in <xcc/host.h>.

#ifndef XCC_PITCHED_H
#define XCC_PITCHED_H

#include <xcc/host.h>

namespace xcc {

/// An image or a volume, or a part of one, that another object owns. Kernels take
/// it by value. The host can make one of its own memory. A value: copies refer to
/// the same memory.
template <class Type> class pitched_span {
  using bare = std::remove_const_t<Type>;
  template <class Range>
  using if_range =
      std::enable_if_t<detail::is_range<Range, bare>, std::nullptr_t>;
  template <class Range, bool Lasts>
  using if_lasts =
      std::enable_if_t<detail::stays<Range> == Lasts, std::nullptr_t>;
  template <class Range, bool Output>
  using if_output =
      std::enable_if_t<!std::is_const_v<detail::element_t<Range>> == Output,
                       std::nullptr_t>;

public:
  constexpr pitched_span() = default;
  /// Refers to memory whose rows begin \p row bytes apart, and whose slices begin
  /// \p slice bytes apart. Without these numbers there is no space between them:
  ///     xcc::pitched_span<float> image(pixels.data(), 640, 480, 1, 1024 * 4);
  constexpr pitched_span(Type *data, std::size_t width, std::size_t height = 1,
                         std::size_t depth = 1, std::size_t row = 0,
                         std::size_t slice = 0) noexcept
      : data_(data), width_(width), height_(height), depth_(depth),
        row_(row ? row : width * sizeof(Type)),
        slice_(slice ? slice : row_ * height) {}
  /// A span of objects that are only read, from one of objects that are not.
  template <class Other,
            class = std::enable_if_t<std::is_same_v<const Other, Type>>>
  constexpr pitched_span(const pitched_span<Other> &other) noexcept
      : pitched_span(other.data(), other.width(), other.height(), other.depth(),
                     other.pitch(), other.slice_pitch()) {}

  /// Returns the address of the first object of row \p y of slice \p z:
  ///     volume.row(y, z)[x] = 0;
  Type *row(std::size_t y, std::size_t z = 0) const noexcept {
    using byte = std::conditional_t<std::is_const_v<Type>, const char, char>;
    return reinterpret_cast<Type *>(reinterpret_cast<byte *>(data_) + y * row_ +
                                    z * slice_);
  }
  /// Returns row \p y of the first slice: image[y][x].
  Type *operator[](std::size_t y) const noexcept { return row(y); }

  /// The address of the first object; the number of objects in a row, of rows in
  /// a slice, and of slices.
  constexpr Type *data() const noexcept { return data_; }
  constexpr std::size_t width() const noexcept { return width_; }
  constexpr std::size_t height() const noexcept { return height_; }
  constexpr std::size_t depth() const noexcept { return depth_; }
  constexpr std::size_t count() const noexcept {
    return width_ * height_ * depth_;
  }
  /// The bytes from a row to the next one, and from a slice to the next one.
  constexpr std::size_t pitch() const noexcept { return row_; }
  constexpr std::size_t slice_pitch() const noexcept { return slice_; }

  /// Returns the part of so many columns, rows and slices that begins at (x, y,
  /// z). Throws if there are fewer:
  ///     image.part(10, 10, 64, 64).fill(0);
  pitched_span part(std::size_t x, std::size_t y, std::size_t width,
                    std::size_t height, std::size_t z = 0,
                    std::size_t depth = 1) const {
    within(x, width, width_);
    within(y, height, height_);
    within(z, depth, depth_);
    return {row(y, z) + x, width, height, depth, row_, slice_};
  }

  /// Sets every object, and nothing between rows:
  ///     image.fill(0.5f);
  void fill(const bare &value) const {
    const xcc_extent all = extent();
    const xcc_pitch here = pitches();
    detail::check(xcc_memory_fill_pitched(const_cast<bare *>(data_), &here,
                                          __builtin_addressof(value),
                                          sizeof(Type), &all));
  }
  void fill(const bare &value, stream &on) const {
    const xcc_extent all = extent();
    const xcc_pitch here = pitches();
    detail::check(xcc_memory_fill_pitched_async(
        const_cast<bare *>(data_), &here, __builtin_addressof(value),
        sizeof(Type), &all, on.handle()));
  }

  /// Copies another image or volume of the same size here, from memory of the
  /// host or of any device. Throws if the sizes differ:
  ///     image.part(0, 0, 64, 64).copy_from(tile);
  void copy_from(pitched_span<const bare> from) const {
    copy(*this, from, nullptr);
  }
  void copy_from(pitched_span<const bare> from, stream &on) const {
    copy(*this, from, &on);
  }
  /// Copies an array of the host here. Its rows are \p row objects apart; 0: there
  /// is no space between them:
  ///     image.copy_from(pixels.data());
  void copy_from(const bare *from, std::size_t row = 0) const {
    copy_from(like<const bare>(from, row));
  }
  void copy_from(const bare *from, std::size_t row, stream &on) const {
    copy_from(like<const bare>(from, row), on);
  }
  /// Copies a container, a span, a buffer or an array here, which has as many
  /// objects as the image or volume:
  ///     image.copy_from(pixels);
  template <class Range, if_range<const Range> = nullptr>
  void copy_from(const Range &from) const {
    detail::check_room(detail::count_at(from), count());
    detail::check_room(count(), detail::count_at(from));
    copy_from(detail::first_at(from));
  }
  template <class Range, if_range<Range> = nullptr,
            if_lasts<Range, true> = nullptr>
  void copy_from(Range &&from, stream &on) const {
    detail::check_room(detail::count_at(from), count());
    detail::check_room(count(), detail::count_at(from));
    copy_from(detail::first_at(from), 0, on);
  }
  template <class Range, if_range<Range> = nullptr,
            if_lasts<Range, false> = nullptr>
  void copy_from(Range &&, stream &) const
      XCC_REFUSED("a copy in a stream uses this container after the statement "
                  "that made it has ended: give it a name, and keep it until "
                  "the stream has made the copy");

  /// Copies this image or volume to another one, or to an array of the host whose
  /// rows are \p row objects apart.
  void copy_to(pitched_span<bare> to) const { copy(to, *this, nullptr); }
  void copy_to(pitched_span<bare> to, stream &on) const {
    copy(to, *this, &on);
  }
  void copy_to(bare *to, std::size_t row = 0) const {
    copy_to(like<bare>(to, row));
  }
  void copy_to(bare *to, std::size_t row, stream &on) const {
    copy_to(like<bare>(to, row), on);
  }
  /// Copies this image or volume to the first objects of a container, a span, a
  /// buffer or an array. Throws if there is less room:
  ///     image.copy_to(pixels);
  template <class Range, if_range<Range> = nullptr,
            if_output<Range, true> = nullptr>
  void copy_to(Range &&to) const {
    detail::check_room(count(), detail::count_at(to));
    copy_to(detail::first_at(to));
  }
  template <class Range, if_range<Range> = nullptr,
            if_output<Range, true> = nullptr, if_lasts<Range, true> = nullptr>
  void copy_to(Range &&to, stream &on) const {
    detail::check_room(count(), detail::count_at(to));
    copy_to(detail::first_at(to), 0, on);
  }
  template <class Range, class... On, if_range<Range> = nullptr,
            if_output<Range, false> = nullptr>
  void copy_to(Range &&, On &&...) const
      XCC_REFUSED("this cannot be copied to: it is const");

  /// The size and the distances, as the C interface has them.
  constexpr xcc_extent extent() const noexcept {
    return {width_ * sizeof(Type), height_, depth_};
  }
  constexpr xcc_pitch pitches() const noexcept { return {row_, slice_}; }

private:
  static void within(std::size_t first, std::size_t count, std::size_t of) {
    if (first > of || count > of - first)
      detail::check(xcc_check_room(count, first > of ? 0 : of - first));
  }
  static void same(std::size_t given, std::size_t wanted) {
    if (given != wanted)
      detail::check(xcc_check_extent(given, wanted));
  }
  template <class Other>
  pitched_span<Other> like(Other *data, std::size_t row) const {
    return {data, width_, height_, depth_, row * sizeof(Type)};
  }
  static void copy(pitched_span<bare> to, pitched_span<const bare> from,
                   stream *on) {
    static_assert(std::is_trivially_copyable_v<Type>,
                  "memory is copied byte by byte");
    same(from.width(), to.width());
    same(from.height(), to.height());
    same(from.depth(), to.depth());
    const xcc_extent all = to.extent();
    const xcc_pitch there = to.pitches(), here = from.pitches();
    detail::check(on ? xcc_memory_copy_pitched_async(to.data(), &there,
                                                     from.data(), &here, &all,
                                                     on->handle())
                     : xcc_memory_copy_pitched(to.data(), &there, from.data(),
                                               &here, &all));
  }

  Type *data_ = nullptr;
  std::size_t width_ = 0, height_ = 0, depth_ = 0, row_ = 0, slice_ = 0;
};

/// Device memory for an image or a volume, freed with it once the device's work
/// so far has ended. Kernels take it where they take a pitched_span.
template <class Type> class pitched_buffer {
  static_assert(std::is_trivially_copyable_v<Type>,
                "a buffer holds what can be copied byte by byte");

public:
  pitched_buffer() = default;
  /// Allocates memory on the current device, not initialised:
  ///     xcc::pitched_buffer<float> volume(64, 64, 32);
  explicit pitched_buffer(std::size_t width, std::size_t height,
                          std::size_t depth = 1) {
    const xcc_extent extent = {detail::size_of_objects<Type>(width), height,
                               depth};
    xcc_pitch pitch;
    void *memory = nullptr;
    detail::check(xcc_memory_alloc_pitched(&extent, &pitch, &memory));
    all_ = {static_cast<Type *>(memory),
            width,
            height,
            depth,
            pitch.row,
            pitch.slice};
  }
  pitched_buffer(pitched_buffer &&other) noexcept
      : all_(std::exchange(other.all_, {})) {}
  pitched_buffer &operator=(pitched_buffer &&other) noexcept {
    std::swap(all_, other.all_);
    return *this;
  }
  ~pitched_buffer() {
    if (all_.data())
      (void)xcc_memory_free(all_.data());
  }

  /// The functions of pitched_span.
  pitched_span<Type> all() const noexcept { return all_; }
  operator pitched_span<Type>() const noexcept { return all_; }
  operator pitched_span<const Type>() const noexcept { return all_; }
  Type *data() const noexcept { return all_.data(); }
  std::size_t width() const noexcept { return all_.width(); }
  std::size_t height() const noexcept { return all_.height(); }
  std::size_t depth() const noexcept { return all_.depth(); }
  std::size_t pitch() const noexcept { return all_.pitch(); }
  std::size_t slice_pitch() const noexcept { return all_.slice_pitch(); }
  pitched_span<Type> part(std::size_t x, std::size_t y, std::size_t width,
                          std::size_t height, std::size_t z = 0,
                          std::size_t depth = 1) const {
    return all_.part(x, y, width, height, z, depth);
  }
  template <class... Arg> void fill(const Type &value, Arg &...on) const {
    all_.fill(value, on...);
  }
  template <class... Arg> void copy_from(Arg &&...args) const {
    all_.copy_from(std::forward<Arg>(args)...);
  }
  template <class... Arg> void copy_to(Arg &&...args) const {
    all_.copy_to(std::forward<Arg>(args)...);
  }

private:
  pitched_span<Type> all_;
};

} // namespace xcc
#endif // XCC_PITCHED_H
