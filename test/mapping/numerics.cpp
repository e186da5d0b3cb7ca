// Numerics as one writes them on a CPU: matrices, sparse matrices, grids and
// particles, in classes of the program's own.
// RUN: %everywhere
#include "Inputs/check.h"

#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <span>
#include <utility>
#include <valarray>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

static void matricesOfRows() {
  const std::size_t n = 12;
  Matrix a(n, std::vector<double>(n)), b = a, c = a, expected = a;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      a[i][j] = double(i + j);
      b[i][j] = double(i) - double(j);
    }
  xcc::parallel_for(n * n, [&](std::size_t at) {
    std::size_t i = at / n, j = at % n;
    double sum = 0;
    for (std::size_t k = 0; k < a[i].size(); ++k)
      sum += a[i][k] * b[k][j];
    c[i][j] = sum;
  });
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        expected[i][j] += a[i][k] * b[k][j];
  xcc::synchronize();
  CHECK(c == expected);
}

/// Compressed rows, all of it private.
template <class T> class SparseMatrix {
public:
  explicit SparseMatrix(std::size_t rows) : rows(rows) { first.push_back(0); }
  void addRow(std::vector<std::pair<int, T>> entries) {
    for (auto [column, value] : entries) {
      columns.push_back(column);
      values.push_back(value);
    }
    first.push_back(values.size());
  }
  T row(std::size_t i, const std::vector<T> &x) const {
    T sum{};
    for (std::size_t k = first[i]; k != first[i + 1]; ++k)
      sum += values[k] * x[std::size_t(columns[k])];
    return sum;
  }
  void multiply(const std::vector<T> &x, std::vector<T> &y) const {
    xcc::parallel_for(rows, [&, this](std::size_t i) { y[i] = row(i, x); });
  }
  void scale(T by) {
    xcc::parallel_for(values.size(),
                      [=, this](std::size_t i) { values[i] *= by; });
  }

private:
  std::size_t rows;
  std::vector<std::size_t> first;
  std::vector<int> columns;
  std::vector<T> values;
};

static void sparse() {
  const int n = 40;
  SparseMatrix<float> m(n);
  for (int i = 0; i < n; ++i) {
    std::vector<std::pair<int, float>> row;
    for (int j : {i - 1, i, i + 1})
      if (j >= 0 && j < n)
        row.push_back({j, j == i ? 2.f : -1.f});
    m.addRow(row);
  }
  std::vector<float> x(n, 1), y(n, -7);
  m.scale(3);
  m.multiply(x, y);
  xcc::synchronize();
  for (int i = 0; i < n; ++i)
    CHECK(y[std::size_t(i)] == (i == 0 || i == n - 1 ? 3 : 0));
  const SparseMatrix<float> &same = m;
  same.multiply(y, x);
  xcc::synchronize();
  CHECK(x[0] == 18 && x[1] == -9 && x[5] == 0);
}

/// Conjugate gradients, every step a launch; sums by the host in between.
static void conjugateGradients() {
  const std::size_t n = 16;
  SparseMatrix<double> a(n);
  for (int i = 0; i < int(n); ++i) {
    std::vector<std::pair<int, double>> row;
    for (int j : {i - 1, i, i + 1})
      if (j >= 0 && j < int(n))
        row.push_back({j, j == i ? 4. : -1.});
    a.addRow(row);
  }
  std::vector<double> x(n, 0), r(n, 1), p = r, q(n);
  auto dot = [](const std::vector<double> &u, const std::vector<double> &v) {
    xcc::synchronize();
    return std::inner_product(u.begin(), u.end(), v.begin(), 0.);
  };
  double rr = dot(r, r);
  for (int step = 0; step < 30 && rr > 1e-20; ++step) {
    a.multiply(p, q);
    const double alpha = rr / dot(p, q);
    xcc::parallel_for(n, [&](std::size_t i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    });
    const double next = dot(r, r), beta = next / rr;
    rr = next;
    xcc::parallel_for(n, [&](std::size_t i) { p[i] = r[i] + beta * p[i]; });
  }
  a.multiply(x, q);
  xcc::synchronize();
  for (double v : q)
    CHECK(std::abs(v - 1) < 1e-8);
}

/// A view of rows, that owns nothing.
template <class T> class View2 {
public:
  View2(T *data, std::size_t rows, std::size_t columns)
      : data(data, rows * columns), columns(columns) {}
  T &operator()(std::size_t i, std::size_t j) const {
    return data[i * columns + j];
  }
  std::size_t rows() const { return data.size() / columns; }

private:
  std::span<T> data;
  std::size_t columns;
};

static void stencil() {
  const std::size_t n = 10;
  std::vector<float> now(n * n, 0), next(n * n, 0), host, hostNext;
  now[5 * n + 5] = 100;
  host = hostNext = now;
  auto step = [n](View2<const float> from, View2<float> to, std::size_t at) {
    std::size_t i = at / n, j = at % n;
    if (i && j && i + 1 < n && j + 1 < n)
      to(i, j) =
          (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) /
          4;
  };
  for (int turn = 0; turn < 6; ++turn) {
    View2<const float> from(now.data(), n, n);
    View2<float> to(next.data(), n, n);
    xcc::parallel_for(n * n, [=](std::size_t at) { step(from, to, at); });
    std::swap(now, next);
    for (std::size_t at = 0; at != n * n; ++at)
      step({host.data(), n, n}, {hostNext.data(), n, n}, at);
    std::swap(host, hostNext);
  }
  xcc::synchronize();
  CHECK(now == host);
  CHECK(next == hostNext);
}

/// A structure of arrays, with methods that launch.
struct Particles {
  std::vector<float> x, y, vx, vy;
  std::array<float, 2> gravity{0, -1};
  int steps = 0;

  explicit Particles(std::size_t n) : x(n), y(n), vx(n, 1), vy(n, 0) {}
  void move(std::size_t i, float dt) {
    vx[i] += gravity[0] * dt;
    vy[i] += gravity[1] * dt;
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
  }
  void step(float dt) {
    xcc::parallel_for(x.size(), [this, dt](std::size_t i) { move(i, dt); });
    ++steps;
  }
};

static void structureOfArrays() {
  Particles p(33), host(33);
  for (int turn = 0; turn < 5; ++turn) {
    p.step(.5f);
    xcc::synchronize();
  }
  for (int turn = 0; turn < 5; ++turn)
    for (std::size_t i = 0; i < 33; ++i)
      host.move(i, .5f);
  CHECK(p.x == host.x && p.y == host.y && p.vy == host.vy && p.steps == 5);
}

/// An array of structures of fixed arrays.
struct Body {
  double at[3], speed[3];
  double mass;
};
static void bodies() {
  std::vector<Body> all(20), host;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {{double(i), double(i * i % 7), 1}, {}, double(i % 3 + 1)};
  host = all;
  auto pull = [](std::vector<Body> &in, std::size_t i) {
    for (const Body &other : in) {
      double d2 = 1;
      for (int k = 0; k < 3; ++k)
        d2 += (other.at[k] - in[i].at[k]) * (other.at[k] - in[i].at[k]);
      for (int k = 0; k < 3; ++k)
        in[i].speed[k] += other.mass * (other.at[k] - in[i].at[k]) / d2;
    }
  };
  xcc::parallel_for(all.size(), [&](std::size_t i) { pull(all, i); });
  for (std::size_t i = 0; i < host.size(); ++i)
    pull(host, i);
  xcc::synchronize();
  for (std::size_t i = 0; i < host.size(); ++i)
    for (int k = 0; k < 3; ++k)
      CHECK(std::abs(all[i].speed[k] - host[i].speed[k]) < 1e-12);
}

static void transform() {
  const std::size_t n = 16;
  std::vector<std::complex<double>> in(n), out(n);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = {double(i % 4), 0};
  std::vector<std::complex<double>> roots(n);
  for (std::size_t i = 0; i < n; ++i)
    roots[i] =
        std::polar(1., -2 * 3.14159265358979323846 * double(i) / double(n));
  xcc::parallel_for(n, [&](std::size_t k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      sum += in[i] * roots[i * k % n];
    out[k] = sum;
  });
  xcc::synchronize();
  CHECK(std::abs(out[0] - 24.) < 1e-9 && std::abs(out[1]) < 1e-9);
  CHECK(std::abs(out[4] - std::complex<double>(-8, 8)) < 1e-9);
}

static void valarrays() {
  std::valarray<double> a(2., 30), b(3., 30);
  std::vector<std::valarray<int>> several{
      std::valarray<int>(1, 4), std::valarray<int>(2, 8), {}};
  xcc::parallel_for(30, [&](std::size_t i) {
    a[i] = a[i] * b[i] + double(a.size());
    if (i < several.size())
      for (std::size_t k = 0; k < several[i].size(); ++k)
        several[i][k] += int(k);
  });
  xcc::synchronize();
  CHECK(a.min() == 36 && a.max() == 36 && b.sum() == 90);
  CHECK(several[0].sum() == 10 && several[1].sum() == 44 && !several[2].size());
}

/// A table that each row of a triangle is as long as it must be.
static void pascal() {
  std::vector<std::vector<unsigned>> rows;
  for (std::size_t i = 0; i < 12; ++i)
    rows.emplace_back(i + 1, 1u);
  for (std::size_t i = 2; i < rows.size(); ++i)
    xcc::parallel_for(i - 1, [&rows, i](std::size_t j) {
      rows[i][j + 1] = rows[i - 1][j] + rows[i - 1][j + 1];
    });
  xcc::synchronize();
  CHECK(rows[11][5] == 462 &&
        std::accumulate(rows[11].begin(), rows[11].end(), 0u) == 2048);
}

static void histogram() {
  std::vector<int> values(200);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = int(i * i % 17);
  std::array<unsigned, 17> bins{}, host{};
  xcc::parallel_for(values.size(), [&](std::size_t i) {
    __atomic_fetch_add(&bins[std::size_t(values[i])], 1u, __ATOMIC_RELAXED);
  });
  for (int v : values)
    ++host[std::size_t(v)];
  xcc::synchronize();
  CHECK(bins == host);
}

int main() {
  matricesOfRows();
  sparse();
  conjugateGradients();
  stencil();
  structureOfArrays();
  bodies();
  transform();
  valarrays();
  pascal();
  histogram();
}
