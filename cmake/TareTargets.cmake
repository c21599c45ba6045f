# The only ways in which targets are made here: tare_library, tare_program, tare_test,
# tare_fuzzer, tare_benchmark.
# Include paths are the project's root and the generated tree, so every include names its folder.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
option(TARE_WERROR "Treat warnings as errors (on in the presets, off for packagers)" OFF)
# Half of a test's compile time is optimisation that nobody profits from.
set(TARE_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)
set(TARE_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")

add_library(tare_flags INTERFACE)
target_compile_features(tare_flags INTERFACE cxx_std_20)
target_include_directories(tare_flags INTERFACE "${PROJECT_SOURCE_DIR}"
                                                "${PROJECT_BINARY_DIR}/generated")
# -pthread for all, since precompiled headers serve only files with the same macros.
target_compile_options(tare_flags INTERFACE
  -pthread -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  -Wmissing-declarations -Wundef $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety -Wunreachable-code>
  $<$<BOOL:${TARE_WERROR}>:-Werror>)
if(TARE_SANITIZE)
  target_compile_options(tare_flags INTERFACE -fsanitize=${TARE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tare_flags INTERFACE -fsanitize=${TARE_SANITIZE})
endif()

# Three quarters of a file's compile time went to reading the headers of protobuf and Abseil, so
# these are read once for code and once for tests. Files still name all that they use: the release
# preset, and clang, build without this.
function(tare_precompile NAME)
  # A target needs a source; this one says nothing.
  set(source "${PROJECT_BINARY_DIR}/generated/${NAME}.cc")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// ${NAME}\n" @ONLY)
  add_library(${NAME} OBJECT "${source}")
  target_link_libraries(${NAME} PRIVATE tare_flags tare_proto absl::statusor absl::strings
                                        absl::str_format absl::synchronization absl::time)
  target_precompile_headers(${NAME} PRIVATE
    <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <set> <span>
    <string> <thread> <utility> <vector>
    <absl/status/statusor.h> <absl/strings/str_cat.h> <absl/strings/str_format.h>
    <absl/strings/str_join.h> <absl/strings/str_replace.h> <absl/strings/str_split.h>
    <absl/synchronization/mutex.h> <absl/time/time.h>
    <tare/v1/report.pb.h> <tare/v1/session.pb.h>
    ${ARGN})
endfunction()
set(TARE_PRECOMPILED FALSE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(TARE_PRECOMPILED TRUE)
  tare_precompile(tare_precompiled)
  if(BUILD_TESTING)
    tare_precompile(tare_precompiled_tests <gmock/gmock.h> <gtest/gtest.h>)
    target_link_libraries(tare_precompiled_tests PRIVATE GTest::gtest GTest::gmock)
    target_compile_options(tare_precompiled_tests PRIVATE ${TARE_TEST_OPTIONS})
  endif()
endif()
function(tare_use_precompiled NAME FROM)
  if(TARE_PRECOMPILED)
    target_precompile_headers(${NAME} REUSE_FROM ${FROM})
  endif()
endfunction()

# tare_library(NAME SRCS a.cc HDRS a.h DEPS other PRIVATE_DEPS hidden)
# DEPS are seen by those who include this library's headers, PRIVATE_DEPS only by its .cc files.
function(tare_library NAME)
  cmake_parse_arguments(ARG "" "" "SRCS;HDRS;DEPS;PRIVATE_DEPS" ${ARGN})
  if(ARG_SRCS)
    add_library(${NAME} STATIC ${ARG_SRCS} ${ARG_HDRS})
    target_link_libraries(${NAME} PUBLIC ${ARG_DEPS} PRIVATE tare_flags ${ARG_PRIVATE_DEPS})
    target_include_directories(${NAME} PUBLIC "${PROJECT_SOURCE_DIR}")
    tare_use_precompiled(${NAME} tare_precompiled)
  else()
    add_library(${NAME} INTERFACE)
    target_link_libraries(${NAME} INTERFACE ${ARG_DEPS})
    target_include_directories(${NAME} INTERFACE "${PROJECT_SOURCE_DIR}")
  endif()
endfunction()

# tare_program(NAME SRCS main.cc DEPS library): a program in build/bin.
function(tare_program NAME)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_executable(${NAME} ${ARG_SRCS})
  target_link_libraries(${NAME} PRIVATE tare_flags ${ARG_DEPS})
  tare_use_precompiled(${NAME} tare_precompiled)
endfunction()

# tare_test(NAME SRCS a_test.cc DEPS library [LABEL unit] [PROGRAMS tare-agent …] [TIMEOUT 60]
#           [PARALLEL])
# One binary per folder. LABEL is unit, e2e or calibration. Unit tests are one ctest entry a binary,
# since starting a process costs more than most of them; of the others every TEST is one. PROGRAMS
# are built first; tests find them in the directory that TARE_BIN names. Those labelled e2e measure,
# so ctest runs nothing beside them, unless they are PARALLEL.
function(tare_test NAME)
  cmake_parse_arguments(ARG "PARALLEL" "LABEL;TIMEOUT" "SRCS;DEPS;PROGRAMS" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${NAME} ${ARG_SRCS})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${NAME} PRIVATE tare_flags ${ARG_DEPS} GTest::gtest_main GTest::gmock)
  target_compile_options(${NAME} PRIVATE ${TARE_TEST_OPTIONS})
  tare_use_precompiled(${NAME} tare_precompiled_tests)
  if(ARG_PROGRAMS)
    add_dependencies(${NAME} ${ARG_PROGRAMS})
  endif()
  if(ARG_LABEL STREQUAL "e2e" AND NOT ARG_PARALLEL)
    set(run_serial TRUE)
  else()
    set(run_serial FALSE)
  endif()
  # Two properties of the environment, since discovery cannot pass on a list of variables.
  set(properties LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${run_serial}
    ENVIRONMENT "TARE_BIN=${PROJECT_BINARY_DIR}/bin"
    ENVIRONMENT_MODIFICATION "TARE_SOURCE=set:${PROJECT_SOURCE_DIR}")
  if(ARG_LABEL STREQUAL "unit")
    add_test(NAME ${NAME} COMMAND ${NAME})
    set_tests_properties(${NAME} PROPERTIES ${properties})
  else()
    gtest_discover_tests(${NAME} DISCOVERY_TIMEOUT 30 PROPERTIES ${properties})
  endif()
endfunction()

# tare_fuzzer(NAME SRCS a_fuzzer.cc DEPS library): a libFuzzer program in build-fuzz/fuzz, which
# `./dev fuzz` runs. Only clang has libFuzzer, so it is made where TARE_FUZZ is on: preset fuzz.
option(TARE_FUZZ "Build the fuzzers (needs clang)" OFF)
function(tare_fuzzer NAME)
  if(NOT TARE_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_executable(${NAME} ${ARG_SRCS})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  target_link_libraries(${NAME} PRIVATE tare_flags ${ARG_DEPS})
  target_link_options(${NAME} PRIVATE -fsanitize=fuzzer)
endfunction()

# tare_benchmark(NAME SRCS a_benchmark.cc DEPS library): a Google Benchmark program in build/bench,
# which `./dev bench` runs.
function(tare_benchmark NAME)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_executable(${NAME} ${ARG_SRCS})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  target_link_libraries(${NAME} PRIVATE tare_flags ${ARG_DEPS} benchmark::benchmark_main)
  tare_use_precompiled(${NAME} tare_precompiled)
endfunction()
