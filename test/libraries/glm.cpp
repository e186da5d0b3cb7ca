// GLM, with vectors that are the intrinsics' own.
//
// REQUIRES: glm, simulators
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %gpus %s -o %t && %on-nvidia %t && %on-amd %t
#define GLM_FORCE_INTRINSICS
#define GLM_FORCE_DEFAULT_ALIGNED_GENTYPES
#include "Inputs/both.h"
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

int main() {
  both("matrices", std::vector<float>(16, 0.7f), [](float *p) {
    glm::mat4 m = glm::rotate(glm::mat4(1), p[0], glm::vec3(0, 1, 0));
    m = glm::translate(m, glm::vec3(1, 2, 3));
    glm::vec4 v = m * glm::vec4(1, 2, 3, 1);
    m = glm::inverse(m) * glm::perspective(1.0f, 1.5f, 0.1f, 100.0f);
    for (int i = 0; i < 4; ++i)
      p[i] = v[i], p[4 + i] = m[1][i];
    p[8] = glm::determinant(m);
    glm::ivec4 whole(v);
    whole = whole << 1;
    p[9] = float(whole.y);
    p[10] = glm::mix(v, glm::vec4(2), 0.5f).z + glm::dot(v, v);
    p[11] = glm::floor(v).x + glm::round(v).y + glm::min(v, glm::vec4(1)).x;
  });
  both("quaternions", std::vector<float>(4, 0.3f), [](float *p) {
    glm::quat q = glm::angleAxis(p[0], glm::normalize(glm::vec3(1, 1, 0)));
    glm::vec3 v = q * glm::vec3(1, 2, 3);
    p[1] = v.x, p[2] = v.y, p[3] = v.z;
  });
}
