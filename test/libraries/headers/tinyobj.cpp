// tinyobjloader in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
int main() {
  both("object", std::vector<int>(16, 0), [](int *p) {
    tinyobj::ObjReader r;
    r.ParseFromString("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "");
    p[0] = r.Valid();
    p[1] = (int)r.GetShapes().size();
    p[2] = (int)r.GetAttrib().vertices.size();
  });
}
