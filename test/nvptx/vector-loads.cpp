// What is aligned so is loaded and stored as a vector: structures, vectors of
// the compiler's, and elements behind an address that is said to be aligned.
// RUN: %xcc -std=c++20 -O2 -S -foffload-device-only -o - -offload-arch=sm_90 %s | FileCheck --check-prefix=PTX %s
// RUN: %xcc -std=c++20 -O2 -S -foffload-device-only -o - -offload-arch=gfx90a %s | FileCheck --check-prefix=GCN %s
#include <memory>
#include <xcc/xcc.h>

struct alignas(16) float4 {
  float x, y, z, w;
};
using vector = float __attribute__((vector_size(16)));

// PTX-LABEL: .entry {{.*}}7structs{{.*}}({{$}}
// PTX: ld.global.v4
// PTX: st.global.v4
// GCN-LABEL: {{7structs.*:$}}
// GCN: global_load_dwordx4
// GCN: global_store_dwordx4
void structs(float4 *out, const float4 *in) {
  float4 v = in[xcc::global_id()];
  v.x *= 2, v.y *= 3, v.z *= 4, v.w *= 5;
  out[xcc::global_id()] = v;
}
// PTX-LABEL: .entry {{.*}}7vectors{{.*}}({{$}}
// PTX: ld.global.v4
// PTX: st.global.v4
// GCN-LABEL: {{7vectors.*:$}}
// GCN: global_load_dwordx4
// GCN: global_store_dwordx4
void vectors(vector *out, const vector *in) {
  out[xcc::global_id()] = in[xcc::global_id()] * 2;
}
// PTX-LABEL: .entry {{.*}}7assumed{{.*}}({{$}}
// PTX: ld.global.v4
// PTX: st.global.v4
// GCN-LABEL: {{7assumed.*:$}}
// GCN: global_load_dwordx4
// GCN: global_store_dwordx4
void assumed(float *out, const float *in) {
  const float *from = std::assume_aligned<16>(in + 4 * xcc::global_id());
  float *to = std::assume_aligned<16>(out + 4 * xcc::global_id());
  const float a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a * 2, to[1] = b * 3, to[2] = c * 4, to[3] = d * 5;
}

void start(float4 *f, vector *v, float *p) {
  xcc::launch({{1}, {32}}, structs, f, f);
  xcc::launch({{1}, {32}}, vectors, v, v);
  xcc::launch({{1}, {32}}, assumed, p, p);
}
