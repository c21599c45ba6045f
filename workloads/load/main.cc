#include "workloads/load/load.h"

int main(int argc, char** argv) {
  tare::load::Load load;
  return tare::sdk::Main(argc, argv, load);
}
