// Lua in a kernel: tables, closures, strings, errors that are caught
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
}

static void run(lua_State *lua, const char *program, char *text) {
  if (!luaL_loadstring(lua, program))
    lua_pcall(lua, 0, 1, 0);
  if (const char *result = lua_tostring(lua, -1))
    std::strcat(text, result);
  std::strcat(text, " ");
}
static void work(char *text, unsigned long) {
  *text = 0;
  lua_State *lua = luaL_newstate();
  luaL_requiref(lua, "_G", luaopen_base, 1);
  luaL_requiref(lua, "table", luaopen_table, 1);
  luaL_requiref(lua, "string", luaopen_string, 1);
  luaL_requiref(lua, "math", luaopen_math, 1);
  luaL_requiref(lua, "coroutine", luaopen_coroutine, 1);
  run(lua,
      "local t = {} for i = 1, 10 do t[i] = i * i end "
      "return table.concat(t, ',') .. string.format('%5.2f', math.sqrt(2))",
      text);
  run(lua, "return ('hello world'):gsub('o', '0'):upper()", text);
  run(lua, "error('oops')", text);
  run(lua, "return tostring(select(2, pcall(function() return nil + 1 end)))",
      text);
  run(lua,
      "local c = coroutine.wrap(function() for i = 1, 3 do "
      "coroutine.yield(i) end end) return c() + c() * 10 + c() * 100",
      text);
  lua_close(lua);
}
int main() { return compare<work>(); }
