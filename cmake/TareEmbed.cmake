# tare_embed(LIBRARY FUNCTION Name FILE path HEADER a/b.h [DEPENDS target]): compiles a file into
# the library. The header declares `absl::string_view Name();` in namespace tare::coordinator.
# Run as a script (cmake -P) this same file writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes
         "${bytes}")
  file(WRITE "${OUTPUT}" "// Generated from ${INPUT} at build.
#include \"${HEADER}\"
namespace tare::coordinator {
namespace {
constexpr unsigned char kBytes[] = {
${bytes}};
}
absl::string_view ${FUNCTION}() {
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};
}
}  // namespace tare::coordinator
")
  return()
endif()

function(tare_embed LIBRARY)
  cmake_parse_arguments(ARG "" "FUNCTION;FILE;HEADER;DEPENDS" "" ${ARGN})
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${ARG_FUNCTION}.cc")
  set(script "${PROJECT_SOURCE_DIR}/cmake/TareEmbed.cmake")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} -DINPUT=${ARG_FILE} -DOUTPUT=${output} -DHEADER=${ARG_HEADER}
            -DFUNCTION=${ARG_FUNCTION} -P "${script}"
    DEPENDS "${ARG_FILE}" "${script}" ${ARG_DEPENDS}
    VERBATIM)
  target_sources(${LIBRARY} PRIVATE "${output}")
endfunction()
