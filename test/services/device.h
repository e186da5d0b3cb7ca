// The device's side under its other names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SERVICES_DEVICE_H
#define XCC_TEST_SERVICES_DEVICE_H

#include "rpc/services/image.h"
#include "xcc/abi.h"

#include <cstdarg>
#include <cstddef>
#include <ctime>

extern "C" {
#define PRINTS(format, first) __attribute__((format(printf, format, first)))
int dev_printf(const char *, ...);
int dev_fprintf(void *, const char *, ...);
int dev_dprintf(int, const char *, ...);
int dev_snprintf(char *, size_t, const char *, ...);
int dev_sprintf(char *, const char *, ...);
int dev_vsnprintf(char *, size_t, const char *, va_list);
int dev_printf_chk(int, const char *, ...);
int dev_fprintf_chk(void *, int, const char *, ...);
int dev_snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int dev_sprintf_chk(char *, int, size_t, const char *, ...);
size_t dev_fwrite(const void *, size_t, size_t, void *);
int dev_fputs(const char *, void *);
int dev_puts(const char *);
int dev_putchar(int);
int dev_fputc(int, void *);
void dev_perror(const char *);
extern void *dev_stdin, *dev_stdout, *dev_stderr;
void *dev_fopen(const char *, const char *);
int dev_fclose(void *);
size_t dev_fread(void *, size_t, size_t, void *);
char *dev_fgets(char *, int, void *);
int dev_fgetc(void *);
int dev_ungetc(int, void *);
int dev_fseek(void *, long, int);
long dev_ftell(void *);
void dev_rewind(void *);
int dev_fflush(void *);
int dev_feof(void *);
int dev_ferror(void *);
void dev_clearerr(void *);
int dev_remove(const char *);
int dev_rename(const char *, const char *);
[[noreturn]] void dev_exit(int) noexcept;
int dev_system(const char *);
int dev_gethostname(char *, size_t);
int dev_clock_gettime(int, timespec *);
long dev_time(long *);
long dev_clock();
char *dev_getenv(const char *);
void *dev_malloc(size_t);
void dev_free(void *);
void *dev_calloc(size_t, size_t);
void *dev_realloc(void *, size_t);
void *dev_aligned_alloc(size_t, size_t);
int dev_posix_memalign(void **, size_t, size_t);
size_t dev_malloc_usable_size(void *);
char *dev_strdup(const char *);
char *dev_strndup(const char *, size_t);
int *dev_errno_location() noexcept;
void __xcc_printf_noreply(const char *, ...);
void __xcc_puts_noreply(const char *);
void __xcc_host_call(uint64_t, xcc_segment *, uint32_t);
extern volatile xcc_rpc_image __xcc_rpc;
}

#endif // XCC_TEST_SERVICES_DEVICE_H
