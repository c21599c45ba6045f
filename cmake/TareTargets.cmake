# The only ways in which targets are made here: tare_library, tare_program, tare_test,
# tare_fuzzer, tare_benchmark.
# Include paths are the project's root and the generated tree, so every include names its folder.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
option(TARE_WERROR "Treat warnings as errors (on in the presets, off for packagers)" OFF)
set(TARE_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")

add_library(tare_flags INTERFACE)
target_compile_features(tare_flags INTERFACE cxx_std_20)
target_include_directories(tare_flags INTERFACE "${PROJECT_SOURCE_DIR}"
                                                "${PROJECT_BINARY_DIR}/generated")
target_compile_options(tare_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Wmissing-declarations
  -Wundef $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety -Wunreachable-code>
  $<$<BOOL:${TARE_WERROR}>:-Werror>)
if(TARE_SANITIZE)
  target_compile_options(tare_flags INTERFACE -fsanitize=${TARE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tare_flags INTERFACE -fsanitize=${TARE_SANITIZE})
endif()

# tare_library(NAME SRCS a.cc HDRS a.h DEPS other PRIVATE_DEPS hidden)
# DEPS are seen by those who include this library's headers, PRIVATE_DEPS only by its .cc files.
function(tare_library NAME)
  cmake_parse_arguments(ARG "" "" "SRCS;HDRS;DEPS;PRIVATE_DEPS" ${ARGN})
  if(ARG_SRCS)
    add_library(${NAME} STATIC ${ARG_SRCS} ${ARG_HDRS})
    target_link_libraries(${NAME} PUBLIC ${ARG_DEPS} PRIVATE tare_flags ${ARG_PRIVATE_DEPS})
    target_include_directories(${NAME} PUBLIC "${PROJECT_SOURCE_DIR}")
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
endfunction()

# tare_test(NAME SRCS a_test.cc DEPS library [LABEL unit] [PROGRAMS tare-agent …] [TIMEOUT 60]
#           [PARALLEL])
# One binary per folder, one ctest entry per TEST. LABEL is unit, e2e or calibration. PROGRAMS are
# built first; tests find them in the directory that TARE_BIN names. Those labelled e2e measure, so
# ctest runs nothing beside them, unless they are PARALLEL.
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
  # Half of a test's compile time is optimisation that nobody profits from.
  target_compile_options(${NAME} PRIVATE $<$<CONFIG:Release>:-O0>)
  if(ARG_PROGRAMS)
    add_dependencies(${NAME} ${ARG_PROGRAMS})
  endif()
  if(ARG_LABEL STREQUAL "e2e" AND NOT ARG_PARALLEL)
    set(run_serial TRUE)
  else()
    set(run_serial FALSE)
  endif()
  gtest_discover_tests(${NAME} DISCOVERY_TIMEOUT 30 PROPERTIES LABELS ${ARG_LABEL}
    TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${run_serial}
    # Two properties, since discovery cannot pass on a list of variables.
    ENVIRONMENT "TARE_BIN=${PROJECT_BINARY_DIR}/bin"
    ENVIRONMENT_MODIFICATION "TARE_SOURCE=set:${PROJECT_SOURCE_DIR}")
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
endfunction()
