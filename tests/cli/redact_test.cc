#include "coordinator/cli/redact.h"

#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

std::string Redacted(const std::string& dsn) {
  v1::Experiment experiment;
  v1::Service* service = experiment.add_services();
  service->mutable_postgres()->set_dsn(dsn);
  return RedactedExperiment(experiment).services(0).postgres().dsn();
}

TEST(Redact, HidesThePasswordInEveryFormOfADsn) {
  EXPECT_EQ(Redacted("host=h user=u password=secret dbname=d"),
            "host=h user=u password=*** dbname=d");
  EXPECT_EQ(Redacted("host=h password='a \\' secret' dbname=d"), "host=h password=*** dbname=d");
  EXPECT_EQ(Redacted("PASSWORD = secret"), "PASSWORD = ***");
  EXPECT_EQ(Redacted("postgresql://u:secret@h:5432/d"), "postgresql://u:***@h:5432/d");
  EXPECT_EQ(Redacted("postgres://h/d?user=u&password=secret&x=y"),
            "postgres://h/d?user=u&password=***&x=y");
  EXPECT_EQ(Redacted("host=h user=u"), "host=h user=u");
}

TEST(Redact, ARunWhosePasswordWasHiddenIsNotResumed) {
  v1::Experiment experiment;
  experiment.add_services()->mutable_postgres()->set_dsn("host=h password=secret");
  EXPECT_TRUE(CheckResumable(experiment).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(CheckResumable(RedactedExperiment(experiment))));
}

}  // namespace
}  // namespace tare::coordinator
