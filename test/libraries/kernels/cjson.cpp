// cJSON in a kernel: a text is read, changed and printed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <cJSON.h>

static void work(char *text, unsigned long size) {
  cJSON *all = cJSON_Parse("{\"name\": \"d\\u00e9j\\u00e0\", \"list\": [1, 2.5, -3e10, true, "
                           "null, {\"x\": []}], \"empty\": {}}");
  cJSON *list = cJSON_GetObjectItemCaseSensitive(all, "list");
  double sum = 0;
  const cJSON *each;
  cJSON_ArrayForEach(each, list) sum += cJSON_IsNumber(each) ? each->valuedouble : 0;
  cJSON_AddNumberToObject(all, "sum", sum);
  cJSON_AddItemToArray(list, cJSON_CreateString("a \"quote\"\n"));
  cJSON_DeleteItemFromObject(all, "empty");
  char *printed = cJSON_Print(all), *plain = cJSON_PrintUnformatted(all);
  const bool wrong = cJSON_Parse("[1, 2") == nullptr;
  std::snprintf(text, size, "%s %s %d %d", printed, plain, wrong,
                cJSON_GetArraySize(list));
  cJSON_free(printed);
  cJSON_free(plain);
  cJSON_Delete(all);
}
int main() { return compare<work>(); }
