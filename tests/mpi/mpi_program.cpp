// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What tst_mpi has mpirun start: the first argument says what to do, rank 0 prints what came out.

#include "core/base/text.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/training.h"
#include "executor/mpi/clock_alignment.h"
#include "executor/mpi/mpi_backend.h"
#include "executor/mpi/mpi_session.h"
#include "tests/support/run_plans.h"

#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <iostream>
#include <map>
#include <unistd.h>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr Ticks limit = 20'000 * ticksPerMs;

Stop& stopOfProcess()
{
    static Stop stop;
    return stop;
}

int failed(const Error& error)
{
    std::cerr << error.message << std::endl;
    return 1;
}

/// Texts go around, of all sizes.
int collective()
{
    const Result<std::unique_ptr<MpiSession>> opened = openMpi();
    if (!opened)
        return failed(opened.error());
    MpiSession& session = **opened;
    const Stop stop;
    const std::string self = "rank " + std::to_string(session.rank());
    const Patience patience{stop, limit, self};
    const std::string large(3'000'000, 'x');
    const Result<std::string> text =
        session.broadcast(session.rank() == 0 ? large + "end" : "", patience);
    if (!text)
        return failed(text.error());
    for (int round = 0; round < 3; ++round) {
        const Result<std::vector<std::string>> all =
            session.gather(std::to_string(session.rank()) + ":" + std::to_string(round) + ":" +
                               std::to_string(text->size()),
                           patience);
        if (!all)
            return failed(all.error());
        for (const std::string& one : *all)
            std::cout << one << "\n";
    }
    if (const Result<void> met = session.barrier(patience); !met)
        return failed(met.error());
    std::cout << (session.rank() == 0 ? "met\n" : "");
    return 0;
}

/// On one host all processes read one clock, so how far off an alignment is can be seen.
int clocks()
{
    const Result<std::unique_ptr<MpiSession>> opened = openMpi();
    if (!opened)
        return failed(opened.error());
    MpiSession& session = **opened;
    const Stop stop;
    const Patience patience{stop, limit, "clocks"};
    const Result<ClockAlignment> alignment = alignToLead(session, patience);
    if (!alignment)
        return failed(alignment.error());
    // The two clocks are not read at one moment: of many readings the closest counts.
    Ticks base = 0;
    Ticks gap = limit;
    for (int i = 0; i < 50; ++i) {
        const Ticks before = session.clock().now();
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const Ticks after = session.clock().now();
        if (after - before >= gap)
            continue;
        gap = after - before;
        base = static_cast<Ticks>(now.tv_sec) * 1'000'000'000 + now.tv_nsec - before - gap / 2 -
               alignment->ahead;
    }
    const Result<std::vector<std::string>> all = session.gather(
        std::to_string(base) + " " + std::to_string(alignment->band + gap), patience);
    if (!all)
        return failed(all.error());
    for (const std::string& one : *all)
        std::cout << one << "\n";
    return 0;
}

/// Mail of one sender comes in its order, whatever its size.
int mail()
{
    const Result<std::unique_ptr<MpiSession>> opened = openMpi();
    if (!opened)
        return failed(opened.error());
    MpiSession& session = **opened;
    const Stop stop;
    const Patience patience{stop, limit, "mail"};
    constexpr int count = 200;
    const auto sizeOf = [](int i) { return static_cast<std::size_t>((i * 7919) % 17 * 20'000); };
    if (session.rank() != 0) {
        for (int i = 0; i < count; ++i)
            session.send(leadRank, {.kind = MailKind::Record, .number = i},
                         std::string(sizeOf(i), static_cast<char>('a' + i % 26)));
    } else {
        std::vector<int> next(static_cast<std::size_t>(session.size()), 0);
        for (int i = 0; i < count * (session.size() - 1); ++i) {
            const Result<Mail> one = session.wait(MailKind::Record, patience);
            if (!one)
                return failed(one.error());
            const int number = next[static_cast<std::size_t>(one->from)]++;
            const std::string text(sizeOf(number), static_cast<char>('a' + number % 26));
            if (one->head.number != number || one->text() != text)
                return failed({ErrorCode::Fault, "mail " + std::to_string(number) + " of rank " +
                                                     std::to_string(one->from) + " is another"});
        }
        std::cout << "in order\n";
    }
    const Result<void> met = session.barrier(patience);
    return met ? 0 : failed(met.error());
}

/// The first thing that is wrong with the passes and messages of a run, or "good".
std::string recordProblem(const RunPlan& plan, const RecordingSink::Record& record)
{
    const Schedule& schedule = plan.schedule;
    if (record.starts != 1 || record.ends != 1)
        return "started and finished are not heard once";
    const auto iterations = static_cast<std::size_t>(plan.warmup + plan.iterations);
    std::size_t counted = 0;
    std::map<std::pair<int, EntryId>, Ticks> starts;
    std::vector<std::pair<int, EntryId>> last(static_cast<std::size_t>(schedule.devices()),
                                              {-plan.warmup, EntryId::none()});
    std::vector<Ticks> free(last.size(), 0);
    for (const RecordedPass& pass : record.passes) {
        if (pass.entry < 0)
            continue;
        ++counted;
        const auto rank = static_cast<std::size_t>(pass.rank);
        const std::pair here(pass.iteration, pass.entry);
        if (here < last[rank] || pass.end < pass.start ||
            (here != last[rank] && pass.start < free[rank]))
            return describe(pass.pass, schedule.spec()) + " is out of order";
        last[rank] = here;
        free[rank] = std::max(free[rank], pass.end);
        starts[here] = pass.start;
    }
    if (counted != iterations * static_cast<std::size_t>(schedule.passCount()))
        return std::to_string(counted) + " passes are recorded";
    std::size_t messages = 0;
    for (const RecordedMessage& message : record.messages) {
        if (message.message < 0)
            continue;
        ++messages;
        const Message& planned = plan.program.messages[static_cast<std::size_t>(message.message)];
        const EntryId user = schedule.entryOf(schedule.table().id(planned.consumer));
        if (message.from != planned.from || message.to != planned.to ||
            message.started < message.posted || message.ended < message.started ||
            message.ended > starts[{message.iteration, user}])
            return "message " + std::to_string(message.message) + " of rank " +
                   std::to_string(message.from) +
                   " has times out of order: " + std::to_string(message.posted) + " " +
                   std::to_string(message.started) + " " + std::to_string(message.ended) + " " +
                   std::to_string(starts[{message.iteration, user}]);
    }
    if (messages != iterations * plan.program.messages.size())
        return std::to_string(messages) + " messages are recorded";
    if (record.environment.devices.size() != last.size() || record.environment.transport != "mpi")
        return "the environment is another";
    return "good";
}

/// How far losses and gradients are from those of one device; below 0: not comparable.
double distance(const RunPlan& plan, const RecordingSink::Record& record,
                const std::vector<StageSnapshot>& snapshots)
{
    RunClock clock;
    const Result<ReferenceRun> truth = trainReference(plan, *makeCpuOps(clock));
    if (!truth || truth->losses.size() != record.losses.size())
        return -1;
    double worst = 0;
    for (const StepLoss& loss : record.losses) {
        const double right = truth->losses[static_cast<std::size_t>(loss.step)];
        worst = std::max(worst, std::abs(loss.loss - right) / std::abs(right));
    }
    const std::size_t routes = plan.schedule.spec().routes.size();
    if (snapshots.size() != truth->snapshots.size() * routes)
        return -2;
    for (const StageSnapshot& one : snapshots) {
        const auto right = std::find_if(
            truth->snapshots.begin(), truth->snapshots.end(), [&](const StageSnapshot& other) {
                return other.update == one.update && other.stage.stage == one.stage.stage;
            });
        if (right == truth->snapshots.end() || right->gradients.size() != one.gradients.size())
            return -3;
        double largest = 1e-30;
        double difference = 0;
        for (std::size_t i = 0; i < one.gradients.size(); ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(right->gradients[i])));
            difference = std::max(
                difference, std::abs(static_cast<double>(right->gradients[i]) - one.gradients[i]));
        }
        worst = std::max(worst, difference / largest);
    }
    return worst;
}

std::vector<std::string> parts(const std::string& text)
{
    std::vector<std::string> all(1);
    for (const char c : text) {
        if (c == ',')
            all.emplace_back();
        else
            all.back() += c;
    }
    return all;
}

/// "backend,family,devices[,word…]" with words early, committed, two (iterations), long (passes),
/// or a fault.
int runOne(MpiRanks& ranks, const std::string& what)
{
    const std::vector<std::string> words = parts(what);
    const int devices = std::stoi(words.at(2));
    const Family& family = test::familyOf(words.at(1));
    UniformCosts uniform;
    MessageRule rule = MessageRule::Early;
    int iterations = 1;
    std::vector<InjectedFault> faults;
    for (std::size_t i = 3; i < words.size(); ++i) {
        if (words[i] == "committed")
            rule = MessageRule::Committed;
        else if (words[i] == "two")
            iterations = 2;
        else if (words[i] == "long")
            uniform.forward = uniform.backward = uniform.weight = 300 * ticksPerMs;
        else if (const Result<InjectedFault> fault = parseFault(words[i]))
            faults.push_back(*fault);
        else
            return failed(fault.error());
    }
    const test::FamilyRun built =
        test::runFamily(family, test::sized(devices, 2 * devices), uniform);
    std::optional<RunPlan> plan = test::planOf(built.schedule, built.costs, rule);
    if (!plan)
        return failed({ErrorCode::Deadlock, what + " cannot be"});
    plan->model.hidden = 16;
    plan->model.heads = 2;
    plan->iterations = iterations;
    plan->faults = std::move(faults);
    constexpr int few = 8; // of more, several wait for one core
    plan->patience = (devices <= few ? 2'000 : 60'000) * ticksPerMs;

    Result<std::unique_ptr<Backend>> backend = ranks.backend(words[0]);
    if (!backend)
        return failed(backend.error());
    std::vector<StageSnapshot> snapshots;
    (*backend)->setSnapshotListener(
        [&](StageSnapshot snapshot) { snapshots.push_back(std::move(snapshot)); });
    RecordingSink sink;
    const Result<RunFigures> figures = (*backend)->run(*plan, sink, stopOfProcess());
    std::cout << what << ": " << name(sink.record().status);
    if (!figures) {
        std::cout << ": " << figures.error().message << std::endl;
        for (const RunFault& fault : sink.record().faults)
            std::cout << "fault: rank " << fault.rank << ", peer " << fault.peer << ", "
                      << fault.pass << ": " << fault.text << std::endl;
        return 1;
    }
    const std::string records = recordProblem(*plan, sink.record());
    bool good = records == "good";
    std::cout << ", records " << records;
    if (words[0] == "cpu") {
        const double off = distance(*plan, sink.record(), snapshots);
        const bool equal = off >= 0 && off <= 1e-5;
        good = good && equal;
        std::cout << ", numbers " << (equal ? "equal" : std::to_string(off));
    }
    if (figures->iterations != iterations || *figures != sink.record().figures) {
        good = false;
        std::cout << ", figures of " << figures->iterations << " iterations";
    }
    std::cout << std::endl;
    return good ? 0 : 1;
}

/// Runs, one after the other; exit code 1 where one failed.
int runs(const std::vector<std::string>& what)
{
    const Result<std::unique_ptr<MpiRanks>> ranks = joinMpi();
    if (!ranks)
        return failed(ranks.error());
    std::cout << "process " + std::to_string((*ranks)->rank()) + " " + std::to_string(getpid()) +
                     "\n"
              << std::flush;
    if (!(*ranks)->leads()) {
        const Result<void> served = (*ranks)->serve(stopOfProcess());
        return served ? 0 : failed(served.error());
    }
    std::cout << (*ranks)->summary() << std::endl;
    int result = 0;
    for (const std::string& one : what)
        result = std::max(result, runOne(**ranks, one));
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    for (const int signal : {SIGTERM, SIGINT})
        std::signal(signal, [](int) { stopOfProcess().request(); });
    const std::string scene = argc > 1 ? argv[1] : "";
    if (scene == "collective")
        return collective();
    if (scene == "clocks")
        return clocks();
    if (scene == "mail")
        return mail();
    if (scene == "runs")
        return runs(std::vector<std::string>(argv + 2, argv + argc));
    return 2;
}
