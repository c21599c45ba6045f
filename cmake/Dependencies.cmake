# Every package that tare builds with. All come from Debian main; `./dev setup` installs them.
# Protobuf goes through module mode, and before gRPC, or gRPC's config finds a second definition.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(absl CONFIG REQUIRED)
find_package(Protobuf REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(OpenSSL REQUIRED)  # libcrypto only; libgrpc++-dev depends on libssl-dev
find_package(PkgConfig REQUIRED)
pkg_check_modules(PQXX REQUIRED IMPORTED_TARGET libpqxx)  # libpqxx ships no usable CMake config
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
find_package(SQLite3 REQUIRED)
find_package(yaml-cpp CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_path(BOOST_INCLUDE_DIR boost/beast/version.hpp REQUIRED)  # headers only: Math, Asio, Beast
if(BUILD_TESTING)
  find_package(GTest CONFIG REQUIRED)
  include(GoogleTest)
endif()
find_package(benchmark CONFIG REQUIRED)
