# SPDX-License-Identifier: GPL-2.0-or-later
# Cross build for arm64. The compiler and the C library are this machine's cross packages; the other libraries
# come from ARM64_ROOT, a folder with Debian's arm64 packages unpacked into it (a cache or environment variable; by
# default build/arm64-root). What was built runs under qemu-user with the libraries of that folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

if(NOT ARM64_ROOT)
  set(ARM64_ROOT "$ENV{ARM64_ROOT}")
endif()
if(NOT ARM64_ROOT)
  set(ARM64_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../build/arm64-root")
endif()
get_filename_component(ARM64_ROOT "${ARM64_ROOT}" ABSOLUTE)
set(ARM64_ROOT "${ARM64_ROOT}" CACHE PATH "Debian's arm64 packages, unpacked")
# CMake's own trial builds read this file too, in a folder of their own.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARM64_ROOT)
set(libraries "${ARM64_ROOT}/usr/lib/aarch64-linux-gnu")
if(NOT EXISTS "${libraries}")
  message(FATAL_ERROR "no arm64 libraries in ${ARM64_ROOT}: unpack Debian's arm64 packages there, or set ARM64_ROOT")
endif()

set(CMAKE_FIND_ROOT_PATH "${ARM64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${ARM64_ROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${libraries}/pkgconfig:${ARM64_ROOT}/usr/share/pkgconfig")
unset(ENV{PKG_CONFIG_PATH})

# Libraries that the named ones need are found there too. No -L for all of it: the C library is the compiler's.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${libraries}:${ARM64_ROOT}/lib/aarch64-linux-gnu")

# A CPU whose DC ZVA block is 64 bytes, as on real ones; qemu's "max" has a larger one and would leave that path out.
# By the tree's own loader and not by -L, which would have "/" mean the tree, without /proc and /sys.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu neoverse-n1 "${ARM64_ROOT}/lib/ld-linux-aarch64.so.1"
    --library-path "${libraries}:${ARM64_ROOT}/lib/aarch64-linux-gnu")
