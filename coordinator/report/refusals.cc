#include "coordinator/report/refusals.h"

#include <span>

namespace tare::coordinator {
namespace {

constexpr Explanation kRefusals[] = {
    {"carry-over", "what one sample does to the next would change the answer",
     "A sample of the candidate leaves the machine or a server in another state than a sample of "
     "the baseline, so the sample that follows it is not what it would be in a steady use of "
     "either. "
     "The estimate that is free of this effect leads to another verdict than the paired one.",
     "Named when the 99 % interval over processes of the carry-over, or of the difference between "
     "the free and the paired estimate, excludes 0. Refused only when the free estimate decides "
     "otherwise; else the verdict stands and `carry-over` is a flag.",
     "Set 'washout: 1' (one untimed operation before each timed one) or 'order: balanced'."},
    {"clock-too-coarse", "the clock's tick is too large for this difference",
     "The clock moves in steps that are not small beside the scatter of the samples, or all "
     "samples "
     "are equal, so a median cannot be placed between two steps.",
     "Refused when the measured tick exceeds 0.7 of the robust standard deviation of the "
     "differences, or when that deviation is 0.",
     "Raise 'iterations', so that one sample times several operations, or use a finer clock "
     "source."},
    {"config-not-applied", "the workload did not take over a setting",
     "The workload process says back, when it is ready, which settings it will run with. They are "
     "not those that the experiment asked for, so an arm would not be what its name says.",
     "Every setting of every arm must come back with the asked value before a trial is measured.",
     "Check the spelling of the key under 'config', and that the workload knows it."},
    {"control-differs", "two identical arms differ",
     "The control arm is the baseline again. This run calls it different from the baseline, so it "
     "would call other things different that are not.",
     "Refused when the two-sided 99 % interval of control against baseline excludes 0, adjusted by "
     "Holm over the cells of the run. Tested once, when the run ends.",
     "Run again on a quieter machine; if it comes back, look for state that survives a sample, and "
     "try 'washout: 1', 'pin: same-core' or more processes."},
    {"delay-not-applied", "a delay was not as long as asked",
     "The known-delay arm waits for a chosen time to see whether this run can measure it, and a "
     "proxy holds bytes back to put a distance between workload and service. The delay itself, "
     "which is timed, was not what was asked.",
     "Refused when the median applied delay misses the asked one by more than 1 us or 1 %, "
     "whichever is larger: of a known-delay arm in one process, of a proxy the median over the "
     "trials of a cell. A proxy refuses the whole run.",
     "Free a CPU for the workload or the proxy, remove CPU limits, or choose a longer delay."},
    {"different-work", "the arms did not do the same work",
     "Each arm gives proof of its result, such as a checksum or its number of records. The proofs "
     "of two compared arms differ, so one may be fast because it does something else.",
     "Checksums and records of baseline and candidate must be equal in every trial.",
     "Make both arms compute the same result, or leave out of the checksum what may differ."},
    {"generator-behind", "the load generator could not keep its schedule",
     "Requests were sent later than the schedule said, so the latencies measure the generator.",
     "Decided by the load generator for every trial, from the rate that it reached and the lag "
     "between intended and true sending; the report gives both with their limits. One trial "
     "refuses the run.",
     "Ask for a lower rate, give the generator a CPU of its own ('pin'), or let it spin."},
    {"identity-missing", "it is not known what was measured",
     "A measured program, service or machine could not be identified, so the numbers could not be "
     "compared with anything later.",
     "Every process needs a program digest and its own hello, every service a version.",
     "Make the program's file readable for the agent, and the service answer its version query."},
    {"incomplete", "samples are missing",
     "A trial that counts lacks samples, or a measured program failed: it died, hung or broke the "
     "protocol. Failures are seldom random, so what is left over would be biased.",
     "Every planned trial must have all its samples. Rounds cut short by Ctrl-C or a lost host are "
     "left out whole and said; they are not incomplete.",
     "Read the program's message and log in the report, cure the cause, then run again; "
     "'tare run --resume RUN' measures only what is missing."},
    {"known-delay-not-seen", "a delay as large as the threshold was not seen",
     "The known-delay arm is the baseline and a wait of the threshold's size. This run could not "
     "tell it from the baseline, so it could not have told a regression either.",
     "With a threshold: refused when the 95 % interval of the known delay's effect includes 0. "
     "Without one it is only stated.",
     "Use more processes or sets, a quieter machine, or a larger threshold."},
    {"more-than-one-variable", "the arms differ in more than what is compared",
     "Between baseline and candidate more changed than the experiment says: another program, "
     "library, service or machine. The difference could come from any of them.",
     "With servers: the load must come from the same program in both arms, and the server of an "
     "arm must stay the same program in all rounds. Without a server it is not run.",
     "Do not upgrade or rebuild anything while a run goes on; run both arms on the same machine."},
    {"no-work", "an arm did nothing",
     "An arm reports no operations or gives no proof of work, so its time is the time of nothing.",
     "Every arm must report at least one operation for each timed sample; for commands the proof "
     "is "
     "exit status 0.",
     "Make the workload count its operations and return a checksum of its result."},
    {"not-comparable", "programs or machine changed while the run was stopped",
     "A run that goes on must measure the same things on the same machine, or its halves are two "
     "runs and their spread means nothing.",
     "On 'tare run --resume': every program's digest and the machine must be as in the trials that "
     "the run already has.",
     "Put the old programs back, or start a new run."},
    {"not-idle", "the machine was busy with something else",
     "Other programs, other guests of the host or a shortage of memory took time from the measured "
     "processes.",
     "Under 'gates: strict': the busiest CPU at most 3 % busy over one second with our own share "
     "taken off, and no steal, swapping or pressure above the limits that 'tare check' prints. "
     "Under 'gates: normal' it warns.",
     "Run 'tare check': it names the culprit and the cure of each finding."},
    {"not-repeatable", "the same thing does not give the same result twice",
     "The proof of work of one arm changes from trial to trial although inputs and seeds are the "
     "same, so it cannot prove that two arms do the same work.",
     "The checksum of an arm must be the same in all trials with the same seed and cell.",
     "Seed every random choice of the workload with the seed that it is given, and keep times and "
     "addresses out of the checksum."},
    {"not-steady", "the program was still warming up",
     "The difference between the arms was still moving while samples were taken.",
     "In rounds: the median of each block of samples behind the warm-up, as log(candidate) - "
     "log(baseline), averaged over the rounds. Refused when less than 40 % of the blocks have "
     "settled, or the last third of these lies more than 1 % from the first with 95 % confidence; "
     "warned when that cannot be told, such as from fewer than 20 blocks. Not run where a process "
     "takes fewer than 20 samples.",
     "Raise 'warmup' ('--skip' of tare analyze) or measure longer, until the blocks of the warm-up "
     "table stay level."},
    {"order-confounded", "the arms cannot be told from their place in the order",
     "One arm always came first, or nearly so. What going second does is then part of the "
     "difference, and no arithmetic can take it out again.",
     "In sets: each arm needs at least 5 sets in each position in every process. In rounds: no arm "
     "may be first in every round. Not refused when 'study' names that order.",
     "Use 'order: random' and enough sets."},
    {"throttled", "the CPUs were slowed down or taken away",
     "A CPU limit of the container, the clock governor, turbo or heat changed the speed of the "
     "CPUs.",
     "Under 'gates: strict': no throttled time, governor 'performance', turbo off, no thermal "
     "events. Under 'gates: normal' it warns.",
     "Run 'tare check': it names the cure of each finding."},
    {"too-few-processes", "too few units for an interval",
     "The unit of inference is the fresh process, or the round, never the single sample. Fewer "
     "than "
     "3 give no interval worth the name.",
     "Fewer than 3 units: refused. 3 or 4: an interval marked provisional and at most "
     "inconclusive. "
     "From 5: a verdict.",
     "Raise 'processes' (in-process) or 'rounds'; 10 is the default."},
    {"too-few-samples", "a quantile rests on a handful of samples",
     "A tail quantile is made by the samples beyond it. With few of them it is the luck of single "
     "operations, and no number of digits makes it repeatable.",
     "A quantile q above the median needs n (1 - q) of at least 20 in every process: 400 samples "
     "for p95, 2000 for p99.",
     "Raise 'sets', or compare a quantile nearer to the median."},
};

constexpr Explanation kFlags[] = {
    {"closed-loop", "the load waited for the server",
     "A request was sent only when an earlier one had been answered. A server that stops is then "
     "seen by few requests, and what it makes the others wait is in no latency.",
     "The load says 'loop: closed'.", "Set 'loop: open' and a 'rate' to see what users see."},
    {"confirmed", "a regression that came again",
     "The run measured again what another run had called a regression, in a second session with "
     "new processes and a new order, and decided alone.",
     "The same rule as in the first session.", "Exit code 1."},
    {"odd-process", "one process is far from the others",
     "One process's estimate lies far outside the others. It stays in the estimate, since such "
     "processes are part of what users will meet; the interval is then wide or too optimistic.",
     "More than 5 robust standard deviations of the others away. With 10 processes this fires in "
     "about 1 of 8 clean runs.",
     "Compare with the Hodges-Lehmann estimate in the report, and look at that process's "
     "placement."},
    {"placement", "where processes ran explains much of their spread",
     "Processes that shared a CPU with the server and processes that did not fall into groups with "
     "different times.",
     "At least half of the variance of the baseline's process medians lies between the groups.",
     "Set 'pin: same-core' or 'pin: other-core' for a narrower interval that holds for that "
     "placement only."},
    {"provisional", "an interval from 3 or 4 units",
     "The interval is right as far as it goes, but so few units hide an odd one easily.",
     "3 or 4 units; the verdict is then at most inconclusive.",
     "Use at least 5 processes or rounds."},
    {"unconfirmed", "a regression that did not come again",
     "The run measured again what another run had called a regression, and it was not one this "
     "time.",
     "The same rule as in the first session; the verdict is then inconclusive.",
     "Measure more rounds, or find what was different in the first session."},
};

constexpr Explanation kVerdicts[] = {
    {"equivalent", "the same within the threshold",
     "The candidate is neither slower nor faster than the baseline by the threshold.",
     "Both one-sided 95 % bounds lie inside the threshold. Never given without a threshold: 'not "
     "significant' is not 'the same'.",
     "Exit code 0."},
    {"faster", "the candidate takes less time",
     "The same as improvement, where the purpose is to estimate.",
     "The 95 % interval of candidate - baseline lies below 0, adjusted by Holm over the run.",
     "Exit code 0."},
    {"improvement", "the candidate takes less time",
     "The same as faster, where the purpose is a gate.",
     "The 95 % interval of candidate - baseline lies below 0, adjusted by Holm over the run.",
     "Exit code 0."},
    {"inconclusive", "this run cannot tell",
     "The interval includes 0 or, with a threshold, neither rule holds; or there are too few "
     "units. It does not mean that there is no "
     "difference: the report says which differences are excluded.",
     "None of the other rules holds.",
     "Exit code 2 for a gate, 0 for an estimate. Use more processes to see smaller differences."},
    {"pass", "not slower by the threshold",
     "The candidate is not slower than the baseline by the threshold; it may be faster.",
     "The one-sided 95 % upper bound lies below the threshold.", "Exit code 0."},
    {"refused", "tare does not stand behind these numbers",
     "A check of the run itself did not hold. The report gives the code, what was measured, the "
     "limit and what to do; numbers are shown to find the cause.",
     "By the rules of the refusal codes.", "Exit code 3. Read 'tare explain CODE'."},
    {"regression", "the candidate takes more time",
     "The same as slower, where the purpose is a gate.",
     "Without a threshold: the 95 % interval of candidate - baseline lies above 0, adjusted by "
     "Holm "
     "over the run. With one: worse with 99 % confidence and by the threshold on average; strict: "
     "worse by more than the threshold with 99 % confidence.",
     "Exit code 1."},
    {"slower", "the candidate takes more time",
     "The same as regression, where the purpose is to estimate.",
     "The 95 % interval of candidate - baseline lies above 0, adjusted by Holm over the run.",
     "Exit code 0."},
    {"stated", "numbers without a verdict",
     "A ladder measures delays whose size is known. There is nothing to decide: the report states "
     "what was found of each and how far off other methods would have been.",
     "No rule of refusal holds.", "Exit code 0."},
};

}  // namespace

std::span<const Explanation> Refusals() { return kRefusals; }

std::span<const Explanation> Flags() { return kFlags; }

std::span<const Explanation> Verdicts() { return kVerdicts; }

}  // namespace tare::coordinator
