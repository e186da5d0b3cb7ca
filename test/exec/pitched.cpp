// Images and volumes: rows that lie apart, parts of them, copies and fills in
// both directions, in kernels; what does not fit is refused.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <cstdint>
#include <string>
#include <vector>

struct rgb {
  unsigned char r, g, b;
};

static xcc::dim3 position() {
  const auto block = xcc::block_idx(), dim = xcc::block_dim(),
             thread = xcc::thread_idx();
  return {block.x * dim.x + thread.x, block.y * dim.y + thread.y,
          block.z * dim.z + thread.z};
}

static void add(xcc::pitched_span<const int> in, xcc::pitched_span<int> out) {
  const auto [x, y, z] = position();
  if (x < out.width() && y < out.height() && z < out.depth())
    out.row(y, z)[x] = in.row(y, z)[x] + 1;
}

static void swap_ends(xcc::pitched_span<rgb> image) {
  const auto [x, y, z] = position();
  if (x < image.width() && y < image.height()) {
    rgb &p = image[y][x];
    p = {p.b, p.g, p.r};
  }
}

template <class Fn> static void refused(const char *what, Fn call) {
  try {
    call();
    std::printf("%s: not refused\n", what);
  } catch (const xcc::error &e) {
    std::printf("%s: %d: %s\n", what, int(e.status()), e.what());
  }
}

int main() {
  constexpr std::size_t w = 37, h = 11, d = 5;
  // There, through a kernel, and back; a volume, and an image of odd elements.
  {
    std::vector<int> host(w * h * d), back(w * h * d);
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = int(i * 7);
    xcc::pitched_buffer<int> a(w, h, d), b(w, h, d);
    a.copy_from(host);
    b.fill(0);
    xcc::launch({{2, 3, 5}, {32, 4, 1}}, add, a, b);
    b.copy_to(back);
    int wrong = 0;
    for (std::size_t i = 0; i < host.size(); ++i)
      wrong += back[i] != host[i] + 1;
    std::printf("volume: %d wrong, rows %d\n", wrong,
                int(a.pitch() % 64 + (a.pitch() < w * sizeof(int)) +
                    (a.slice_pitch() != h * a.pitch())));
    // CHECK: volume: 0 wrong, rows 0
  }
  {
    std::vector<rgb> host(w * h), back(w * h);
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = {(unsigned char)i, 1, 2};
    xcc::pitched_buffer<rgb> image(w, h);
    xcc::stream s;
    image.copy_from(host, s);
    xcc::launch({{2, 2}, {32, 8}, 0, s}, swap_ends, image);
    image.copy_to(back, s);
    s.synchronize();
    int wrong = 0;
    for (std::size_t i = 0; i < host.size(); ++i)
      wrong += back[i].r != 2 || back[i].g != 1 || back[i].b != host[i].r;
    std::printf("image: %d wrong\n", wrong);
    // CHECK: image: 0 wrong
  }
  // Parts: nothing but what is named changes. Host rows longer than the part's.
  {
    xcc::pitched_buffer<short> image(w, h, 2);
    std::vector<short> host(100 * 100), back(w * h * 2);
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = short(i);
    xcc::stream s;
    image.fill(-1);
    image.part(3, 2, 9, 4, 1).copy_from(host.data() + 5, 100);
    image.part(20, 0, 4, h, 0, 2).fill(7, s);
    image.part(25, 5, 9, 4).copy_from(image.part(3, 2, 9, 4, 1), s);
    s.synchronize();
    image.copy_to(back.data());
    int wrong = 0;
    for (std::size_t z = 0; z < 2; ++z)
      for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x) {
          int expected = -1;
          if (z == 1 && x >= 3 && x < 12 && y >= 2 && y < 6)
            expected = int((y - 2) * 100 + x - 3 + 5);
          if (z == 0 && x >= 25 && x < 34 && y >= 5 && y < 9)
            expected = int((y - 5) * 100 + x - 25 + 5);
          if (x >= 20 && x < 24)
            expected = 7;
          wrong += back[(z * h + y) * w + x] != expected;
        }
    std::printf("parts: %d wrong\n", wrong);
    // CHECK: parts: 0 wrong
    // To the middle of a host's image, whose other pixels stay; page-locked too.
    std::vector<short> large(60 * 20, short(9));
    xcc::host_buffer<short> pinned(60 * 20);
    std::fill(pinned.begin(), pinned.end(), short(9));
    const auto from = image.part(0, 0, w, h);
    from.copy_to(large.data() + 60 + 1, 60);
    from.copy_to(pinned.data() + 60 + 2, 60, s);
    s.synchronize();
    wrong = 0;
    for (std::size_t y = 0; y < 20; ++y)
      for (std::size_t x = 0; x < 60; ++x) {
        auto at = [&](std::size_t left) {
          return y > 0 && y <= h && x >= left && x < left + w
                     ? back[(y - 1) * w + x - left]
                     : short(9);
        };
        wrong += large[y * 60 + x] != at(1);
        wrong += pinned[y * 60 + x] != at(2);
      }
    std::printf("host images: %d wrong\n", wrong);
    // CHECK: host images: 0 wrong
  }
  // Elements of more than 64 bytes; rows without a gap between; from pinned to
  // ordinary memory of the host.
  {
    struct block {
      int values[24];
    } one;
    for (int i = 0; i < 24; ++i)
      one.values[i] = i;
    xcc::pitched_buffer<block> many(5, 4);
    many.fill(one);
    std::vector<block> back(20);
    many.copy_to(back.data());
    int wrong = 0;
    for (const block &b : back)
      for (int i = 0; i < 24; ++i)
        wrong += b.values[i] != i;
    xcc::pitched_buffer<int> whole(16, 8, 4);
    std::vector<int> host(16 * 8 * 4, 3), other(1000, 0);
    whole.copy_from(host.data());
    whole.fill(5);
    whole.copy_to(host.data());
    for (int v : host)
      wrong += v != 5;
    const xcc_extent extent = {8, 4, 2};
    const xcc_pitch close = {8, 40}, far = {100, 0};
    xcc::detail::check(xcc_memory_copy_pitched(other.data(), &far, host.data(), &close,
                                        &extent));
    int fives = 0;
    for (int v : other)
      fives += v == 5;
    std::printf("others: %d wrong, %d\n", wrong, fives);
    // CHECK: others: 0 wrong, 16
  }
  // None.
  {
    xcc::pitched_buffer<int> none(0, 10), empty;
    none.fill(1);
    std::printf("none: %d\n", int(!none.data() && !empty.data()));
    // CHECK: none: 1
  }
  // Wrong use.
  xcc::pitched_buffer<int> image(w, h);
  std::vector<int> host(w * h * 2);
  const xcc_extent wide = {400, 4, 1}, odd = {10, 4, 1}, deep = {40, 4, 3};
  const xcc_pitch pitch = {256, 0}, low = {256, 300};
  const int one = 1;
  refused("narrow pitch", [&] {
    xcc::detail::check(
        xcc_memory_copy_pitched(image.data(), &pitch, host.data(), &pitch, &wide));
  });
  // CHECK: narrow pitch: 1: xcc_memory_copy_pitched: rows of 400 bytes do not fit the destination's pitch, which is 256 bytes
  refused("narrow slice", [&] {
    xcc::detail::check(
        xcc_memory_copy_pitched(image.data(), &pitch, host.data(), &low, &deep));
  });
  // CHECK: narrow slice: 1: xcc_memory_copy_pitched: slices of 4 rows, 256 bytes apart, do not fit the source's pitch, whose slices are 300 bytes apart
  refused("parts of elements", [&] {
    xcc::detail::check(xcc_memory_fill_pitched(image.data(), &pitch, &one, 4, &odd));
  });
  // CHECK: parts of elements: 1: xcc_memory_fill_pitched: rows of 10 bytes are not whole elements of 4
  refused("too many rows", [&] {
    const xcc_extent tall = {4, 100000, 1};
    xcc::detail::check(xcc_memory_fill_pitched(image.data(), &pitch, &one, 4, &tall));
  });
  // CHECK: too many rows: 1: {{.*}}reach past the end of an allocation
  refused("more than all", [&] {
    const xcc_extent tall = {4, SIZE_MAX / 2, 1};
    xcc::detail::check(xcc_memory_fill_pitched(image.data(), &pitch, &one, 4, &tall));
  });
  // CHECK: more than all: 1: xcc_memory_fill_pitched: 1 slices of {{.*}} more than an address space holds
  refused("overlap", [&] {
    image.part(0, 0, 10, 4).copy_from(image.part(5, 1, 10, 4));
  });
  // CHECK: overlap: 1: xcc_memory_copy_pitched: rows of the source and the destination overlap
  image.fill(4);
  image.part(0, 0, 10, 4).copy_from(image.part(10, 1, 10, 4)); // beside it
  refused("no such part", [&] { image.part(30, 0, 8, 1); });
  // CHECK: no such part: 1: 8 objects are more than there is room for: 7
  refused("other size", [&] {
    xcc::pitched_buffer<int> other(w, h + 1);
    image.copy_from(other);
  });
  // CHECK: other size: 1: an image or volume of 12 columns, rows or slices is copied to or from one of 11
  refused("fewer objects", [&] { image.copy_from(std::vector<int>(9)); });
  // CHECK: fewer objects: 1: 407 objects are more than there is room for: 9
  refused("more objects", [&] { image.copy_from(host); });
  // CHECK: more objects: 1: 814 objects are more than there is room for: 407
  int rows[h][w];
  std::vector<int> few(3);
  image.copy_to(rows);
  image.copy_to(host); // its first half
  std::printf("rows: %d %d\n", rows[h - 1][w - 1], host[w * h - 1]);
  // CHECK: rows: 4 4
  refused("no room", [&] { image.copy_to(few); });
  // CHECK: no room: 1: 407 objects are more than there is room for: 3
  refused("huge", [] { xcc::pitched_buffer<int> b(SIZE_MAX / 8, SIZE_MAX / 8); });
  // CHECK: huge: 7: out of memory
  refused("no pitch", [&] {
    xcc::detail::check(
        xcc_memory_copy_pitched(image.data(), nullptr, host.data(), &pitch, &odd));
  });
  // CHECK: no pitch: 1: {{.*}}the destination's pitch
}
