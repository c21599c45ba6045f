// The parts of the terminal report, in the order in which FormatTerminal puts them on the page.
//
// Each adds its lines to the page, or nothing where the report has nothing to say. Not thread-safe.

#ifndef TARE_COORDINATOR_REPORT_SECTIONS_H_
#define TARE_COORDINATOR_REPORT_SECTIONS_H_

#include "coordinator/report/group.h"
#include "coordinator/report/page.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// A line for every comparison: verdict, cell, sentence.
void AddVerdict(const v1::Report& report, Page* page);
// Every refusal with what was measured, the limit and what to do.
void AddRefusals(const v1::Report& report, Page* page);

// Where a threshold, several metrics or looks are asked for: how each comparison stands to it.
void AddGate(const v1::Report& report, Page* page);
// What the processes counted for each operation.
void AddWork(const v1::Report& report, Page* page);

// Where the run is a ladder: what it found of each delay, and what others would have found.
void AddLadder(const v1::Report& report, Page* page);

// Of one group of comparisons.
void AddComparisons(const Group& group, Page* page);
void AddOwnError(const Group& group, Page* page);
void AddOrder(const Group& group, Page* page);
void AddSteps(const Group& group, Page* page);
void AddSpread(const Group& group, Page* page);
// Only where two levels or more can be told apart.
void AddComponents(const Group& group, Page* page);

// Of the run, where it is one by rounds.
void AddRoundSpreads(const v1::Report& report, Page* page);
void AddDecisionScans(const v1::Report& report, Page* page);
void AddWarmUp(const v1::Report& report, Page* page);

// Of the run.
void AddRoundTrips(const v1::Report& report, Page* page);
void AddConditions(const v1::Report& report, Page* page);
void AddChecks(const v1::Report& report, Page* page);
void AddMethod(const v1::Report& report, Page* page);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_SECTIONS_H_
