// Warp operations in loops that lanes leave by exceptions, and in handlers that end a
// loop: who has thrown is missed from then on, and who throws in the same iteration
// handles it together.
// RUN: %xcc -O0 %s -o %t && %t
// RUN: %xcc -O2 %s -o %t && %t
#include <cstdio>
#include <xcc/xcc.h>

static unsigned lanes() {
  return unsigned(__builtin_popcountll(xcc::ballot(true)));
}

static void kernel(unsigned *out, unsigned *handled) {
  const unsigned t = xcc::thread_idx().x;
  unsigned s = 0;
  try {
    for (unsigned i = 0; i < 4; ++i) {
      s = s * 33 + lanes();
      if (t % 5 == i)
        throw i;
    }
  } catch (unsigned n) {
    s += n;
  }
  out[t] = s;
  s = 0;
  for (unsigned i = 0; i < 4; ++i) {
    try {
      s = s * 33 + lanes();
      if (t % 3 == i)
        throw i;
    } catch (unsigned n) {
      handled[t] = lanes();
      break;
    }
    s += i;
  }
  out[32 + t] = s + lanes() * 1000000;
}

int main() {
  xcc::buffer<unsigned> out(64), handled(32);
  unsigned all[64], those[32];
  xcc::launch({{1}, {32}}, kernel, out.data(), handled.data());
  out.copy_to(all, 64);
  handled.copy_to(those, 32);
  auto left = [](unsigned i, unsigned k) {
    unsigned n = 0;
    for (unsigned t = 0; t < 32; ++t)
      n += t % k >= i;
    return n;
  };
  int wrong = 0;
  for (unsigned t = 0; t < 32; ++t) {
    unsigned s = 0;
    for (unsigned i = 0; i < 4; ++i) {
      s = s * 33 + left(i, 5);
      if (t % 5 == i) {
        s += i;
        break;
      }
    }
    unsigned b = 0;
    for (unsigned i = 0; i <= t % 3; ++i)
      b = b * 33 + left(i, 3) + (i < t % 3 ? i : 0);
    b += 32 * 1000000;
    const unsigned h = left(t % 3, 3) - left(t % 3 + 1, 3);
    if (all[t] != s || all[32 + t] != b || those[t] != h) {
      std::printf("thread %u: %u, %u, %u; expected %u, %u, %u\n", t, all[t],
                  all[32 + t], those[t], s, b, h);
      wrong = 1;
    }
  }
  return wrong;
}
