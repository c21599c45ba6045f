#include "coordinator/store/received_chunk.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {
namespace {

absl::Status Malformed(absl::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument, what);
}

absl::Status CheckEnvelope(const v1::Chunk& chunk) {
  const int64_t bytes = static_cast<int64_t>(chunk.payload().size());
  if (bytes > kChunkBytesMax) {
    return Malformed(
        absl::StrCat("has ", bytes, " bytes, the limit is ", FormatBytes(kChunkBytesMax)));
  }
  if (chunk.sequence() < 0 || chunk.count() < 0) {
    return Malformed(absl::StrCat("has sequence ", chunk.sequence(), " and count ", chunk.count(),
                                  ", neither may be negative"));
  }
  const uint32_t crc = Crc32c(chunk.payload());
  if (crc != chunk.crc32c()) {
    return MakeError(absl::StatusCode::kDataLoss, "was altered on its way")
        .Detail(absl::StrFormat("crc32c of the payload is %08x, the chunk says %08x", crc,
                                chunk.crc32c()));
  }
  return absl::OkStatus();
}

absl::StatusOr<ReceivedChunk> ReadPayload(const v1::Chunk& chunk) {
  ReceivedChunk received;
  switch (chunk.kind()) {
    case v1::CHUNK_KIND_SAMPLES: {
      v1::SampleBlock block;
      if (!block.ParseFromString(chunk.payload())) return Malformed("is not a sample block");
      RETURN_IF_ERROR(CheckColumns(block, chunk.count()));
      received.columns = SplitBlock(&block);
      received.message = block.SerializeAsString();
      return received;
    }
    case v1::CHUNK_KIND_RECORD:
      if (!v1::TrialRecord().ParseFromString(chunk.payload())) {
        return Malformed("is not a trial record");
      }
      break;
    case v1::CHUNK_KIND_MANIFEST:
      if (!received.manifest.ParseFromString(chunk.payload()))
        return Malformed("is not a manifest");
      break;
    default:
      return Malformed(absl::StrCat("has kind ", chunk.kind(), ", which this tare does not know"));
  }
  if (chunk.count() != 0) {
    return Malformed(
        absl::StrCat("says that it has ", chunk.count(), " samples, but can have none"));
  }
  received.message = chunk.payload();
  return received;
}

}  // namespace

absl::StatusOr<ReceivedChunk> CheckChunk(const v1::Chunk& chunk) {
  absl::Status status = CheckEnvelope(chunk);
  if (!status.ok()) return Annotate(status, ChunkName(chunk));
  absl::StatusOr<ReceivedChunk> received = ReadPayload(chunk);
  if (!received.ok()) return Annotate(received.status(), ChunkName(chunk));
  return received;
}

std::string AttemptName(const std::string& run, int32_t trial, int32_t attempt) {
  return absl::StrCat("run '", run, "' trial ", trial, " attempt ", attempt);
}

std::string ChunkName(const v1::Chunk& chunk) {
  const v1::AttemptKey& key = chunk.key();
  return absl::StrCat(AttemptName(key.run(), key.trial(), key.attempt()), " role '", chunk.role(),
                      "' chunk ", chunk.sequence());
}

}  // namespace tare::coordinator
