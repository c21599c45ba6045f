#include "workloads/spin/spin.h"

int main(int argc, char** argv) {
  tare::Spin spin;
  return tare::sdk::Main(argc, argv, spin);
}
