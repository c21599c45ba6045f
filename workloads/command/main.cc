#include "workloads/command/command.h"

int main(int argc, char** argv) {
  tare::command::Command command;
  return tare::sdk::Main(argc, argv, command);
}
