// Goal: what a person gets wrong is answered with code 64 or 69, position, reason and what to do.

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

class BadInput : public E2eTest {
 protected:
  Outcome RunYaml(const std::string& yaml) { return Tare({"run", Write("x.yaml", yaml)}); }
};

TEST_F(BadInput, AllViolationsAreSaidAtOnceWithTheirPositions) {
  const Outcome run = RunYaml(
      "name: x\nworkload: { command: tare-spin, timeot: 5s }\narms:\n  a: {}\n"
      "design: { processes: many, pin: nowhere }\n");
  EXPECT_EQ(run.code, 64);
  EXPECT_THAT(run.err, HasSubstr("x.yaml:2:33: "));
  EXPECT_THAT(run.err, HasSubstr("'timeout'"));
  EXPECT_THAT(run.err, HasSubstr("x.yaml:5:"));
  EXPECT_THAT(run.err, HasSubstr("many"));
}

TEST_F(BadInput, AWrongUnitSaysWhatIsAccepted) {
  SmallExperiment experiment;
  experiment.checks = "{ known_delay: 5 }";
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_EQ(run.code, 64);
  EXPECT_THAT(run.err, HasSubstr("'5' is not a duration"));
}

TEST_F(BadInput, AMissingArmIsNamed) {
  SmallExperiment experiment;
  experiment.rest = "compare: [ { baseline: a, candidate: c } ]";
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_EQ(run.code, 64);
  EXPECT_THAT(run.err, HasSubstr("'c'"));
}

TEST_F(BadInput, AMissingFileSaysHowToGetOne) {
  const Outcome run = Tare({"run", Path("absent.yaml")});
  EXPECT_EQ(run.code, 64);
  EXPECT_THAT(run.err, HasSubstr("tare init"));
}

TEST_F(BadInput, AProgramThatIsNotThereIsCode64) {
  SmallExperiment experiment;
  experiment.workload = "no-such-program";
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_EQ(run.code, 64) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("no-such-program"));
}

TEST_F(BadInput, AProgramThatCannotBeExecutedIsCode64) {
  SmallExperiment experiment;
  experiment.workload = Write("plain-file", "not a program");
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_EQ(run.code, 64) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("plain-file"));
}

TEST_F(BadInput, AServerThatWillNotStartIsCode69WithItsOwnWords) {
  SmallExperiment experiment;
  experiment.rest = "services:\n  db: { postgres: { settings: { shared_buffers: no-size } } }";
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_EQ(run.code, 69) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("shared_buffers"));
}

TEST_F(BadInput, APasswordInADsnIsNowhere) {
  SmallExperiment experiment;
  experiment.rest =
      "services:\n  db: { postgres: { dsn: 'host=127.0.0.1 port=1 user=u password=s3cretword' } }";
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_EQ(run.code, 69);
  EXPECT_THAT(run.out + run.err, testing::Not(HasSubstr("s3cretword")));
  std::ifstream store(store_, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(store)), {});
  EXPECT_GT(bytes.size(), 0u);
  EXPECT_THAT(bytes, testing::Not(HasSubstr("s3cretword")));
}

TEST_F(BadInput, AForeignStoreIsNotTouched) {
  store_ = Write("notes.txt", "these are my notes, not a database, and they are long enough");
  SmallExperiment experiment;
  const Outcome run = RunYaml(experiment.Yaml());
  EXPECT_NE(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("notes.txt"));
  EXPECT_EQ(std::filesystem::file_size(store_), 60u);
}

TEST_F(BadInput, UnknownOptionsAndCommandsAreCode64) {
  EXPECT_EQ(Tare({"rnu"}).code, 64);
  EXPECT_EQ(Tare({"run"}).code, 64);
  EXPECT_EQ(Tare({"list", "--sotre", "x"}).code, 64);
  EXPECT_EQ(Tare({"show", "no-such-run"}).code, 64);
  EXPECT_EQ(Tare({"explain", "no-such-code"}).code, 64);
  EXPECT_EQ(Tare({"--help"}).code, 0);
}

}  // namespace
}  // namespace tare
