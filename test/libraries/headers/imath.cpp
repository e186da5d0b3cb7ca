// Imath, without half's table in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <Imath/ImathBox.h>
#include <Imath/ImathFrame.h>
#include <Imath/ImathMatrix.h>
#include <Imath/ImathMatrixAlgo.h>
#include <Imath/ImathQuat.h>
#include <Imath/ImathVec.h>
int main() {
  both("matrices", std::vector<float>{.1f, .2f, .3f, .5f, 0, 0, 0},
       [](float *p) {
         IMATH_NAMESPACE::M44f m;
         m.rotate(IMATH_NAMESPACE::V3f(p[0], p[1], p[2]));
         m.translate(IMATH_NAMESPACE::V3f(1, 2, 3));
         IMATH_NAMESPACE::V3f v;
         m.multVecMatrix(IMATH_NAMESPACE::V3f(4, 5, 6), v);
         p[0] = v.x;
         p[1] = v.y;
         p[2] = v.length();
         auto i = m.inverse();
         p[3] = i[3][1];
         p[4] = i.determinant();
         IMATH_NAMESPACE::Quatf q;
         q.setAxisAngle(IMATH_NAMESPACE::V3f(0, 0, 1), p[3]);
         p[5] = q.rotateVector(IMATH_NAMESPACE::V3f(1, 0, 0)).y;
         IMATH_NAMESPACE::Box3f b;
         b.extendBy(v);
         b.extendBy(IMATH_NAMESPACE::V3f(0));
         p[6] = b.size().x;
       });
}
