// Copies to block-shared memory are asynchronous where an arch has that, and loads and stores elsewhere.
// RUN: %ptx -offload-arch=sm_80 %s | FileCheck %s --check-prefix=ASYNC
// RUN: %ptx -offload-arch=sm_70 %s | FileCheck %s --check-prefix=PLAIN
#include <xcc/xcc.h>

struct alignas(16) Four {
  float x, y, z, w;
};

// ASYNC-LABEL: .entry {{.*}}fours
// ASYNC: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// ASYNC: cp.async.commit_group;
// ASYNC: cp.async.wait_group 1;
// ASYNC: bar.sync
// PLAIN-LABEL: .entry {{.*}}fours
// PLAIN-NOT: cp.async
// PLAIN: bar.sync
void fours(const Four *x, float *r) {
  static xcc::block_shared<Four[128]> all;
  const unsigned t = xcc::thread_idx().x;
  xcc::copy_to_shared_async(&all[t], x + t);
  xcc::commit_shared_copies();
  xcc::wait_shared_copies<1>();
  xcc::sync_block();
  r[t] = all[127 - t].y;
}
// ASYNC-LABEL: .entry {{.*}}words
// ASYNC: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4;
// ASYNC-NOT: commit_group
// ASYNC: cp.async.wait_all;
// PLAIN-LABEL: .entry {{.*}}words
// PLAIN-NOT: cp.async
// PLAIN: bar.sync
void words(const float *x, float *r) {
  static xcc::block_shared<float[128]> all;
  const unsigned t = xcc::thread_idx().x;
  xcc::copy_to_shared_async(&all[t], x + t);
  xcc::wait_shared_copies();
  xcc::sync_block();
  r[t] = all[127 - t];
}

void use(const Four *fourOf, const float *from, float *to) {
  xcc::launch({{1}, {128}}, fours, fourOf, to);
  xcc::launch({{1}, {128}}, words, from, to);
}
