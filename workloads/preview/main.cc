#include "workloads/preview/preview.h"

int main(int argc, char** argv) {
  tare::preview::Preview preview;
  return tare::sdk::Main(argc, argv, preview);
}
