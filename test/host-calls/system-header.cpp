// -foffload-host-calls: libraries in the system's include directories are no
// other than those elsewhere; only the standard library is the device's own.
// RUN: %xcc -std=c++20 -O0 -foffload-host-calls %s -lz -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -foffload-host-calls %s -lz -o %t 2>&1 && %t | FileCheck %s
// RUN: not %xcc -std=c++20 %s -lz -o %t 2>&1 | FileCheck %s --check-prefix=WITHOUT
// DEVICES: host, because functions that it calls give addresses of the host
// REMARK: zlib.h:{{.*}} remark: device code calls 'compress2' on the host
// REMARK-NOT: 'strlen'
// REMARK-NOT: 'getpid'
// WITHOUT: error: device code uses 'compress2'
// WITHOUT: note: '{{.*}}libz.so' defines it for the host: {{.*}} compile this with -foffload-host-calls
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <xcc/xcc.h>
#include <zlib.h>

static void pack(int *out, unsigned char *packed, const char *text,
                 unsigned long n) {
  auto *bytes = reinterpret_cast<const unsigned char *>(text);
  unsigned long size = 1000;
  out[0] = compress2(packed, &size, bytes, n, 9);
  unsigned char back[1000];
  unsigned long n_back = sizeof back;
  out[1] = uncompress(back, &n_back, packed, size);
  out[2] = n_back == n && !std::memcmp(back, text, n);
  out[3] = crc32(0, bytes, n) == 0x3610a686u;
  // A structure full of pointers, and addresses that come back.
  z_stream stream;
  std::memset(&stream, 0, sizeof stream);
  out[4] = deflateInit(&stream, 6);
  stream.next_in = const_cast<unsigned char *>(bytes);
  stream.avail_in = n;
  stream.next_out = back;
  stream.avail_out = sizeof back;
  out[5] = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  deflateEnd(&stream);
  out[6] = zlibVersion()[0] == '1';
  out[7] = getpid() > 0 && std::strlen(text) == n;
}
int main() {
  int out[8];
  unsigned char packed[1000];
  xcc::launch({{1}, {1}}, pack, out, packed, "hello", 5ul);
  xcc::synchronize();
  for (int o : out)
    std::printf("%d ", o);
}
// CHECK: 0 0 1 1 0 1 1 1
