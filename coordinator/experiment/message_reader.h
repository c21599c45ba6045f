// A YAML tree read into a message by reflection, following the rules of rule.proto.
//
// Checks form alone: keys, types, units, bounds, what is required. Whether the values make sense
// together is for validate.h. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_MESSAGE_READER_H_
#define TARE_COORDINATOR_EXPERIMENT_MESSAGE_READER_H_

#include "coordinator/experiment/positions.h"
#include "coordinator/experiment/violations.h"
#include "coordinator/experiment/yaml_tree.h"
#include "google/protobuf/message.h"

namespace tare::coordinator {

// Reads all that can be read; the rest are violations.
void ReadMessage(const YamlNode& root, google::protobuf::Message* message, PositionMap* positions,
                 Violations* violations);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_MESSAGE_READER_H_
