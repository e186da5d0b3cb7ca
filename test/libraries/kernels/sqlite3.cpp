// SQLite in a kernel: a database in memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <sqlite3.h>

static int append(void *text, int columns, char **values, char **) {
  for (int i = 0; i < columns; ++i) {
    std::strcat(static_cast<char *>(text), values[i] ? values[i] : "null");
    std::strcat(static_cast<char *>(text), " ");
  }
  return 0;
}
static void work(char *text, unsigned long) {
  *text = 0;
  sqlite3 *database;
  char *problem = nullptr;
  if (sqlite3_open(":memory:", &database))
    return;
  sqlite3_exec(database,
               "create table t(a int, b text); create index i on t(b);"
               "with recursive c(x) as (select 1 union all select x + 1 from c"
               "  where x < 200) insert into t select x, 'name' || x from c;",
               nullptr, nullptr, &problem);
  sqlite3_exec(database,
               "select count(*), sum(a), avg(a), max(b), group_concat(b) "
               "from t where b like '%7_' order by b;"
               "select printf('%.6f', a * 1.5) from t where b = 'name33';",
               append, text, &problem);
  if (problem)
    std::strcpy(text, problem);
  sqlite3_close(database);
}
int main() { return compare<work>(); }
