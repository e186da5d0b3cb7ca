// The device's C library beside the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before each file of device-runtime/rpc, when it is compiled for the
// host, to be tested in the process that serves it.

#define printf dev_printf
#define fprintf dev_fprintf
#define dprintf dev_dprintf
#define vprintf dev_vprintf
#define vfprintf dev_vfprintf
#define vdprintf dev_vdprintf
#define snprintf dev_snprintf
#define sprintf dev_sprintf
#define vsnprintf dev_vsnprintf
#define vsprintf dev_vsprintf
#define __printf_chk dev_printf_chk
#define __fprintf_chk dev_fprintf_chk
#define __dprintf_chk dev_dprintf_chk
#define __vprintf_chk dev_vprintf_chk
#define __vfprintf_chk dev_vfprintf_chk
#define __vdprintf_chk dev_vdprintf_chk
#define __snprintf_chk dev_snprintf_chk
#define __sprintf_chk dev_sprintf_chk
#define __vsnprintf_chk dev_vsnprintf_chk
#define __vsprintf_chk dev_vsprintf_chk
#define fwrite dev_fwrite
#define fputs dev_fputs
#define puts dev_puts
#define putchar dev_putchar
#define fputc dev_fputc
#define putc dev_putc
#define perror dev_perror
#define stdin dev_stdin
#define stdout dev_stdout
#define stderr dev_stderr
#define fopen dev_fopen
#define fopen64 dev_fopen64
#define fclose dev_fclose
#define fread dev_fread
#define fgets dev_fgets
#define fgetc dev_fgetc
#define getc dev_getc
#define getchar dev_getchar
#define ungetc dev_ungetc
#define fseek dev_fseek
#define fseeko dev_fseeko
#define ftell dev_ftell
#define ftello dev_ftello
#define rewind dev_rewind
#define fflush dev_fflush
#define feof dev_feof
#define ferror dev_ferror
#define clearerr dev_clearerr
#define remove dev_remove
#define rename dev_rename
#define exit dev_exit
#define _Exit dev_Exit
#define _exit dev__exit
#define quick_exit dev_quick_exit
#define system dev_system
#define gethostname dev_gethostname
#define clock_gettime dev_clock_gettime
#define time dev_time
#define gettimeofday dev_gettimeofday
#define clock dev_clock
#define getenv dev_getenv
#define malloc dev_malloc
#define free dev_free
#define calloc dev_calloc
#define realloc dev_realloc
#define reallocarray dev_reallocarray
#define aligned_alloc dev_aligned_alloc
#define memalign dev_memalign
#define posix_memalign dev_posix_memalign
#define free_sized dev_free_sized
#define free_aligned_sized dev_free_aligned_sized
#define malloc_usable_size dev_malloc_usable_size
#define strdup dev_strdup
#define strndup dev_strndup
#define __errno_location dev_errno_location
