// Shortest ways, a spanning tree, strong components, topological order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { Nodes = 40 };
struct edge {
  int from, to, weight;
};
static struct edge *edges;
static int count;

static void add(int from, int to, int weight) {
  edges = realloc(edges, (count + 1) * sizeof *edges);
  edges[count++] = (struct edge){from, to, weight};
}
static int parent[Nodes];
static int root(int n) { return parent[n] == n ? n : (parent[n] = root(parent[n])); }
static int byWeight(const void *a, const void *b) {
  const struct edge *x = a, *y = b;
  return x->weight != y->weight ? x->weight - y->weight : x->from != y->from ? x->from - y->from : x->to - y->to;
}
static int number[Nodes], low[Nodes], stack[Nodes], onStack[Nodes], depth, next, components;
static void visit(int n) {
  number[n] = low[n] = ++next;
  stack[depth++] = n;
  onStack[n] = 1;
  for (int i = 0; i < count; ++i)
    if (edges[i].from == n) {
      int to = edges[i].to;
      if (!number[to])
        visit(to);
      if (onStack[to] && low[to] < low[n])
        low[n] = low[to];
    }
  if (low[n] == number[n]) {
    ++components;
    int member;
    do {
      member = stack[--depth];
      onStack[member] = 0;
    } while (member != n);
  }
}

int main(void) {
  unsigned seed = 5;
  for (int i = 0; i < 110; ++i) {
    seed = seed * 1664525 + 1013904223;
    add(seed >> 8 & 31, (seed >> 16) % Nodes, (int)(seed >> 24) + 1);
  }
  int distance[Nodes], done[Nodes] = {0};
  for (int i = 0; i < Nodes; ++i)
    distance[i] = i ? INT_MAX : 0;
  for (;;) {
    int n = -1;
    for (int i = 0; i < Nodes; ++i)
      if (!done[i] && distance[i] != INT_MAX && (n < 0 || distance[i] < distance[n]))
        n = i;
    if (n < 0)
      break;
    done[n] = 1;
    for (int i = 0; i < count; ++i)
      if (edges[i].from == n && distance[n] + edges[i].weight < distance[edges[i].to])
        distance[edges[i].to] = distance[n] + edges[i].weight;
  }
  for (int i = 0; i < Nodes; ++i)
    printf("%d%c", distance[i] == INT_MAX ? -1 : distance[i], i % 10 == 9 ? '\n' : ' ');
  for (int i = 0; i < Nodes; ++i)
    if (!number[i])
      visit(i);
  qsort(edges, count, sizeof *edges, byWeight);
  int total = 0, trees = Nodes;
  for (int i = 0; i < Nodes; ++i)
    parent[i] = i;
  for (int i = 0; i < count; ++i) {
    int a = root(edges[i].from), b = root(edges[i].to);
    if (a != b) {
      parent[a] = b;
      total += edges[i].weight;
      --trees;
    }
  }
  printf("%d components, %d trees of weight %d\n", components, trees, total);
  free(edges);
  return 0;
}
