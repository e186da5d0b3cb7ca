// Mandelbrot to a file, which is read again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run image.pgm --run /nowhere/image.pgm
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --run image.pgm --run /nowhere/image.pgm
#include <stdio.h>
#include <stdlib.h>

enum { Width = 96, Height = 64 };

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "wb") : 0;
  if (!file) {
    perror("mandelbrot");
    return 2;
  }
  fprintf(file, "P5\n%d %d\n255\n", Width, Height);
  unsigned char *row = malloc(Width);
  for (int y = 0; y < Height; ++y) {
    for (int x = 0; x < Width; ++x) {
      double cr = (x - 64) / 32.0, ci = (y - 32) / 26.0, zr = 0, zi = 0;
      int n = 0;
      while (n < 255 && zr * zr + zi * zi < 4) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        ++n;
      }
      row[x] = (unsigned char)n;
    }
    if (fwrite(row, 1, Width, file) != Width)
      return 3;
  }
  free(row);
  if (fclose(file))
    return 4;
  unsigned long sum = 0;
  int c;
  file = fopen(argv[1], "rb");
  while ((c = fgetc(file)) != EOF)
    sum = sum * 31 + (unsigned)c;
  printf("%ld bytes, %lx\n", ftell(file), sum);
  fclose(file);
  return 0;
}
