-- Results, append-only. Rows are inserted and never changed, except runs.state and
-- attempts.is_counted. Every blob has a crc32c beside it, checked when it is read.

CREATE TABLE runs (
  run_id            INTEGER PRIMARY KEY,
  run               TEXT    NOT NULL UNIQUE,
  name              TEXT    NOT NULL,            -- of the experiment
  created_unix_ns   INTEGER NOT NULL,
  state             TEXT    NOT NULL
                    CHECK (state IN ('running', 'complete', 'cancelled', 'failed')),
  trials_planned    INTEGER NOT NULL,
  experiment        BLOB    NOT NULL,            -- tare.v1.Experiment
  experiment_crc32c INTEGER NOT NULL,
  plan              BLOB    NOT NULL,            -- tare.v1.Plan
  plan_crc32c       INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  attempt_id INTEGER PRIMARY KEY,
  run_id     INTEGER NOT NULL REFERENCES runs,
  trial      INTEGER NOT NULL,
  attempt    INTEGER NOT NULL,                   -- from 1
  agent      TEXT    NOT NULL,
  epoch      INTEGER NOT NULL,
  is_counted INTEGER NOT NULL DEFAULT 0 CHECK (is_counted IN (0, 1)),
  UNIQUE (run_id, trial, attempt)
) STRICT;

CREATE UNIQUE INDEX one_attempt_counts ON attempts (run_id, trial) WHERE is_counted = 1;

-- Records that the coordinator wrote for attempts whose agent went away. A record that the agent
-- delivers after all is a chunk and takes precedence.
CREATE TABLE closings (
  attempt_id    INTEGER PRIMARY KEY REFERENCES attempts,
  record        BLOB    NOT NULL,                -- tare.v1.TrialRecord
  record_crc32c INTEGER NOT NULL
) STRICT;

-- What agents delivered. `message` is the payload: a tare.v1.SampleBlock without its columns, a
-- tare.v1.TrialRecord or a tare.v1.Manifest.
CREATE TABLE chunks (
  chunk_id       INTEGER PRIMARY KEY,
  attempt_id     INTEGER NOT NULL REFERENCES attempts,
  role           TEXT    NOT NULL,               -- '' for what is of the whole attempt
  sequence       INTEGER NOT NULL,               -- from 0 in each role
  kind           TEXT    NOT NULL CHECK (kind IN ('samples', 'record', 'manifest')),
  incarnation    INTEGER NOT NULL,               -- of the agent process that sent it
  samples_count  INTEGER NOT NULL,
  crc32c         INTEGER NOT NULL,               -- of the payload as it arrived
  message        BLOB    NOT NULL,
  message_crc32c INTEGER NOT NULL,
  UNIQUE (attempt_id, role, sequence)
) STRICT;

CREATE UNIQUE INDEX one_record_and_manifest ON chunks (attempt_id, kind) WHERE kind <> 'samples';

-- The columns of a chunk's SampleBlock, each samples_count values: 64-bit little-endian integers,
-- bytes transposed (all first bytes, then all second bytes, …), one zstd frame.
CREATE TABLE sample_columns (
  chunk_id INTEGER NOT NULL REFERENCES chunks,
  position INTEGER NOT NULL,                     -- 0 arm, 1 start_ns, 2 value_ns, 3 applied_ns, 4… steps
  name     TEXT    NOT NULL,                     -- of a step: its own
  data     BLOB    NOT NULL,
  crc32c   INTEGER NOT NULL,                     -- of data
  PRIMARY KEY (chunk_id, position)
) STRICT;
