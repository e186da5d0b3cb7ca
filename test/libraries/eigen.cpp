// Eigen, unmodified: matrices of fixed and of dynamic size, decompositions.
//
// REQUIRES: eigen, simulators
// RUN: %xcc -std=c++20 -O0 -I/usr/include/eigen3 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 -I/usr/include/eigen3 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %two-gpus -I/usr/include/eigen3 %s -o %t && %on-nvidia %t && %on-amd %t
#include "Inputs/both.h"
#include <Eigen/Dense>

int main() {
  std::vector<float> numbers;
  for (int i = 0; i < 36; ++i)
    numbers.push_back(float(i * 7 % 5) + 0.1f * float(i));
  both("fixed size", numbers, [](float *p) {
    Eigen::Matrix4f m = Eigen::Map<Eigen::Matrix4f>(p);
    m.diagonal().array() += 5.0f;
    Eigen::Vector4f v(1, 2, 3, 4), r = m * v;
    Eigen::Map<Eigen::Vector4f>(p + 16) = r;
    p[20] = m.inverse()(1, 2);
    p[21] = v.cross3(r).norm();
    p[22] = m.maxCoeff() + (m * m.transpose()).trace();
  });
  both("double", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 10, 0, 0, 0},
       [](double *p) {
         Eigen::Matrix3d a = Eigen::Map<Eigen::Matrix3d>(p);
         a = (a * a.transpose()).eval();
         a.diagonal().array() += 1;
         p[9] = a.llt().solve(Eigen::Vector3d(1, 2, 3)).norm();
         Eigen::Quaterniond q(
             Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()));
         p[10] = (q * Eigen::Vector3d(1, 2, 3)).x();
         p[11] = a.determinant();
       });
  both("dynamic size", numbers, [](float *p) {
    Eigen::MatrixXf m = Eigen::Map<Eigen::MatrixXf>(p, 6, 6);
    m.diagonal().array() += 10;
    Eigen::VectorXf v = m.col(1), r = m * v + v;
    p[0] = r.norm();
    Eigen::MatrixXd a = (m.transpose() * m).cast<double>();
    p[1] = float(a.ldlt().solve(Eigen::VectorXd::Ones(6)).norm());
    p[2] = float(a.partialPivLu().solve(Eigen::VectorXd::Ones(6)).norm());
    p[3] = float(a.array().exp().sqrt().log().sum() + a.lpNorm<1>());
  });
}
