// An expression on each line of standard input
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/expressions.txt
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/Inputs/expressions.txt
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static const char *wrong;
static double variables[26];
static double sum(void);

static void skip(void) {
  while (*at == ' ')
    ++at;
}
static double atom(void) {
  skip();
  if (*at == '(') {
    ++at;
    double value = sum();
    skip();
    if (*at == ')')
      ++at;
    else
      wrong = "a bracket is missing";
    return value;
  }
  if (*at == '-') {
    ++at;
    return -atom();
  }
  if (*at >= 'a' && *at <= 'z') {
    if (!strncmp(at, "sqrt", 4)) {
      at += 4;
      return sqrt(atom());
    }
    return variables[*at++ - 'a'];
  }
  double value = 0, scale = 1;
  int digits = 0;
  for (; *at >= '0' && *at <= '9'; ++at, ++digits)
    value = value * 10 + (*at - '0');
  if (*at == '.')
    for (++at; *at >= '0' && *at <= '9'; ++at, ++digits)
      value += (*at - '0') * (scale /= 10);
  if (!digits)
    wrong = "a number is missing";
  return value;
}
static double product(void) {
  double value = atom();
  for (;;) {
    skip();
    if (*at == '*') {
      ++at;
      value *= atom();
    } else if (*at == '/') {
      ++at;
      value /= atom();
    } else {
      return value;
    }
  }
}
static double sum(void) {
  double value = product();
  for (;;) {
    skip();
    if (*at == '+') {
      ++at;
      value += product();
    } else if (*at == '-') {
      ++at;
      value -= product();
    } else {
      return value;
    }
  }
}

int main(void) {
  char line[200];
  int errors = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    at = line;
    wrong = 0;
    int variable = line[0] >= 'a' && line[0] <= 'z' && line[1] == '=' ? line[0] - 'a' : -1;
    if (variable >= 0)
      at += 2;
    double value = sum();
    skip();
    if (!wrong && *at)
      wrong = "something is left";
    if (wrong) {
      fprintf(stderr, "%s: %s at %d\n", line, wrong, (int)(at - line));
      ++errors;
      continue;
    }
    if (variable >= 0)
      variables[variable] = value;
    printf("%.10g\n", value);
  }
  return errors;
}
