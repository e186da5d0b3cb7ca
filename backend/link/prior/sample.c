// What bitcode of C looks like: the records that PackedBitcode begins with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next, *previous;
  char *name;
  int kind;
  unsigned flags;
  double weight;
};

struct list {
  struct node *first, *last;
  size_t count, room;
  uint64_t hash;
  const struct methods *methods;
};

struct methods {
  int (*open)(struct list *, const char *, int);
  void (*close)(struct list *);
  int (*compare)(const void *, const void *);
};

struct stream {
  unsigned char *data;
  size_t size, at;
  uint32_t bits;
  int left, error;
};

static const char *const words[] = {"and", "break", "else", "false", "for",
                                    "if",  "int",   "not",  "true",  "while"};
static const unsigned char classes[64] = {0, 1, 2, 3, 8, 8, 8, 4, 16, 32, 5};
static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
const double factors[] = {1.0, 0.5, 1e-3, 2.718281828459045};
int last_error;

static unsigned hash_of(const char *text) {
  unsigned hash = 5381;
  while (*text)
    hash = hash * 33 ^ (unsigned char)*text++;
  return hash;
}

struct node *find(const struct list *list, const char *name) {
  for (struct node *at = list->first; at; at = at->next)
    if (at->name && strcmp(at->name, name) == 0)
      return at;
  return NULL;
}

int insert(struct list *list, const char *name, int kind) {
  size_t length = strlen(name);
  struct node *made = malloc(sizeof *made);
  if (!made)
    return -1;
  made->name = malloc(length + 1);
  if (made->name == NULL) {
    free(made);
    last_error = 12;
    return -1;
  }
  memcpy(made->name, name, length + 1);
  made->kind = kind;
  made->next = NULL;
  made->previous = list->last;
  if (list->last)
    list->last->next = made;
  else
    list->first = made;
  list->last = made;
  list->count++;
  list->hash += hash_of(name);
  return 0;
}

void clear(struct list *list) {
  struct node *at = list->first;
  while (at) {
    struct node *next = at->next;
    free(at->name);
    free(at);
    at = next;
  }
  memset(list, 0, sizeof *list);
  if (list->methods && list->methods->close)
    list->methods->close(list);
}

static int by_name(const void *a, const void *b) {
  const struct node *const *left = a, *const *right = b;
  int order = strcmp((*left)->name, (*right)->name);
  return order ? order : (*left)->kind - (*right)->kind;
}

struct node **sorted(const struct list *list) {
  struct node **table = calloc(list->count, sizeof *table);
  size_t i = 0;
  for (struct node *at = list->first; at; at = at->next)
    table[i++] = at;
  qsort(table, list->count, sizeof *table, by_name);
  return table;
}

uint32_t take(struct stream *in, int count) {
  while (in->left < count) {
    if (in->at >= in->size) {
      in->error = 1;
      return 0;
    }
    in->bits |= (uint32_t)in->data[in->at++] << in->left;
    in->left += 8;
  }
  uint32_t value = in->bits & ((1u << count) - 1);
  in->bits >>= count;
  in->left -= count;
  return value;
}

int token(const char **text, double *number) {
  const char *at = *text;
  while (*at == ' ' || *at == '\t' || *at == '\n')
    ++at;
  switch (*at) {
  case 0:
    return 0;
  case '+':
  case '-':
  case '*':
  case '/':
    *text = at + 1;
    return *at;
  case '<':
    *text = at + (at[1] == '=' ? 2 : 1);
    return at[1] == '=' ? 257 : '<';
  case '"':
    for (++at; *at && *at != '"'; ++at)
      if (*at == '\\')
        ++at;
    *text = at;
    return 258;
  default:
    break;
  }
  if (isdigit((unsigned char)*at)) {
    char *end;
    *number = strtod(at, &end);
    *text = end;
    return 256;
  }
  for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
    size_t length = strlen(words[i]);
    if (strncmp(at, words[i], length) == 0) {
      *text = at + length;
      return 300 + i;
    }
  }
  return -1;
}

double evaluate(const unsigned char *code, double *stack,
                const double *values) {
  double *top = stack;
  for (;;) {
    int i = code[1] << 8 | code[2];
    switch (*code) {
    case 0:
      return top[-1];
    case 1:
      *top++ = values[i];
      break;
    case 2:
      top--;
      top[-1] += *top;
      break;
    case 3:
      top--;
      top[-1] *= *top;
      break;
    case 4:
      top[-1] = sqrt(fabs(top[-1])) + pow(top[-2], 2.0);
      break;
    case 5:
      if (top[-1] > 0.0 && top[-2] < 1.0) {
        code += i;
        continue;
      }
      break;
    case 6:
      top[-1] = floor(top[-1]) / 3;
      break;
    default:
      fprintf(stderr, "unknown code %d at %p\n", *code, (const void *)code);
      abort();
    }
    code += 3;
  }
}

int print(char *buffer, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, size, format, list);
  va_end(list);
  return length < 0 || (size_t)length >= size ? -1 : length;
}

bool digits(uint64_t value, char *out, int *count) {
  int n = 0;
  do {
    out[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    char kept = out[i];
    out[i] = out[j];
    out[j] = kept;
  }
  *count = n;
  return n < 7 ? powers[n] > 100 : classes[n & 63] != 0;
}

int read_all(const char *path, struct stream *in) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return -2;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  unsigned char *data = realloc(in->data, (size_t)size);
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
    fclose(file);
    return -3;
  }
  in->data = data;
  in->size = (size_t)size;
  in->at = 0;
  return fclose(file);
}
