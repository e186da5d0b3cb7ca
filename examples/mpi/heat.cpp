// Heat in a plate that several processes share, each with a device of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank has a band of rows, and a row above and below it that belongs to
// its neighbours. In every step it computes its first and last row, sends them,
// and computes the rest while they are on their way.
//
//     xcc -O2 heat.cpp $(pkg-config --cflags --libs mpi-cxx) -o heat
//     mpirun -n 4 ./heat [ROWS COLUMNS STEPS]

#include <xcc/xcc.h>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

/// One step for the rows `first` to `first + gridDim.y`: each place becomes the
/// mean of its neighbours. The plate's sides keep their heat.
void step(const float *from, float *to, unsigned columns, unsigned first) {
  const unsigned x = xcc::block_idx().x * xcc::block_dim().x +
                     xcc::thread_idx().x,
                 y = first + xcc::block_idx().y;
  if (x >= columns)
    return;
  const std::size_t i = std::size_t(y) * columns + x;
  if (x == 0 || x == columns - 1)
    to[i] = from[i];
  else
    to[i] = 0.25f * ((from[i - 1] + from[i + 1]) +
                     (from[i - columns] + from[i + columns]));
}

/// The heat at the start: a hot upper edge, and a hot spot.
float start(unsigned y, unsigned x, unsigned rows, unsigned columns) {
  if (y == 0)
    return 100;
  return y > rows / 2 && y < rows / 2 + 4 && x > columns / 3 ? 50.0f : 0.0f;
}

/// The processes of one machine take its GPUs in turn. Where there is none, or
/// XCC_DEVICE names one, all use what they have.
void chooseDevice() {
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &machine);
  int local = 0;
  MPI_Comm_rank(machine, &local);
  MPI_Comm_free(&machine);
  const char *kind = xcc::device::current().kind();
  std::vector<int> same; // devices of the best kind that can run kernels
  for (int i = 0; i < xcc::device::count(); ++i)
    if (std::string(xcc::device::get(i).kind()) == kind)
      same.push_back(i);
  if (!std::getenv("XCC_DEVICE"))
    xcc::device::get(same[std::size_t(local) % same.size()]).set_current();
}

/// The same without devices and other processes.
std::vector<float> onHost(unsigned rows, unsigned columns, unsigned steps) {
  std::vector<float> now(std::size_t(rows) * columns), next;
  for (unsigned y = 0; y < rows; ++y)
    for (unsigned x = 0; x < columns; ++x)
      now[std::size_t(y) * columns + x] = start(y, x, rows, columns);
  next = now;
  for (unsigned s = 0; s < steps; ++s) {
    for (unsigned y = 1; y + 1 < rows; ++y)
      for (unsigned x = 1; x + 1 < columns; ++x) {
        const std::size_t i = std::size_t(y) * columns + x;
        next[i] = 0.25f * ((now[i - 1] + now[i + 1]) +
                           (now[i - columns] + now[i + columns]));
      }
    now.swap(next);
  }
  return now;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  auto given = [&](int i, unsigned other) {
    return argc > i ? unsigned(std::strtoul(argv[i], nullptr, 10)) : other;
  };
  const unsigned rows = given(1, 402), columns = given(2, 500),
                 steps = given(3, 100);
  if (rows < 2 + 2 * unsigned(ranks) || columns < 3) {
    if (rank == 0)
      std::fprintf(stderr, "heat: %u rows are too few for %d processes\n", rows,
                   ranks);
    MPI_Finalize();
    return 1;
  }
  chooseDevice();

  // The ranks divide the rows inside the plate. Above and below its band a rank
  // has a row of a neighbour, or the edge of the plate.
  auto bandOf = [&](int r) { return unsigned((rows - 2) * long(r) / ranks); };
  const unsigned top = bandOf(rank), own = bandOf(rank + 1) - top;
  const std::size_t size = std::size_t(own + 2) * columns;
  const int above = rank ? rank - 1 : MPI_PROC_NULL,
            below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  std::vector<float> band(size);
  for (unsigned y = 0; y < own + 2; ++y)
    for (unsigned x = 0; x < columns; ++x)
      band[std::size_t(y) * columns + x] = start(top + y, x, rows, columns);

  xcc::buffer<float> a(size), b(size);
  a.copy_from(band.data(), size);
  b.copy_from(band.data(), size); // for the edges, which no step writes
  float *now = a.data(), *next = b.data();
  // Rows on their way: first and last row out, then the neighbours' in.
  std::vector<float> halo(4 * std::size_t(columns));
  float *out[] = {&halo[0], &halo[columns]},
        *in[] = {&halo[2 * columns], &halo[3 * columns]};
  xcc::stream edges, inside;
  xcc::event done;
  const unsigned threads = 128, blocks = (columns + threads - 1) / threads;
  auto launch = [&](xcc::stream &on, unsigned first, unsigned count) {
    if (count)
      xcc::launch({{blocks, count}, {threads}, 0, on}, step, now, next, columns,
                  first);
  };

  for (unsigned s = 0; s < steps; ++s) {
    edges.wait(done); // these rows need the inner rows of the last step
    launch(edges, 1, 1);
    if (own > 1)
      launch(edges, own, 1);
    edges.copy(out[0], next + columns, columns);
    edges.copy(out[1], next + std::size_t(own) * columns, columns);
    if (own > 2)
      launch(inside, 2, own - 2);
    edges.synchronize();
    MPI_Request requests[4];
    MPI_Irecv(in[0], int(columns), MPI_FLOAT, above, 0, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Irecv(in[1], int(columns), MPI_FLOAT, below, 1, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Isend(out[0], int(columns), MPI_FLOAT, above, 1, MPI_COMM_WORLD,
              &requests[2]);
    MPI_Isend(out[1], int(columns), MPI_FLOAT, below, 0, MPI_COMM_WORLD,
              &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (above != MPI_PROC_NULL)
      edges.copy(next, in[0], columns);
    if (below != MPI_PROC_NULL)
      edges.copy(next + std::size_t(own + 1) * columns, in[1], columns);
    edges.synchronize(); // before the next step's rows are written
    done.record(inside);
    std::swap(now, next);
  }
  inside.synchronize();
  xcc_memory_copy(band.data(), now, size * sizeof(float));

  // The first process has the plate, and compares.
  std::vector<int> counts, places;
  for (int r = 0; r < ranks; ++r) {
    counts.push_back(int((bandOf(r + 1) - bandOf(r)) * columns));
    places.push_back(int((bandOf(r) + 1) * columns));
  }
  std::vector<float> plate(rank ? 0 : std::size_t(rows) * columns);
  MPI_Gatherv(&band[columns], int(own * columns), MPI_FLOAT, plate.data(),
              counts.data(), places.data(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  int status = 0;
  if (rank == 0) {
    const std::vector<float> right = onHost(rows, columns, steps);
    std::size_t wrong = 0;
    for (std::size_t i = columns; i < plate.size() - columns; ++i)
      wrong += plate[i] != right[i];
    std::printf("heat: %u x %u places, %u steps, %d processes on %s: %s\n",
                rows, columns, steps, ranks, xcc::device::current().name(),
                wrong ? "WRONG" : "correct");
    status = wrong ? 1 : 0;
  }
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
