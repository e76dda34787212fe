// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_run.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/sim/simulator.h"
#include "executor/api/plan_text.h"
#include "executor/api/runner.h"
#include "executor/mpi/clock_alignment.h"
#include "executor/mpi/mpi_rank.h"
#include "executor/mpi/mpi_records.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <thread>

namespace pw::exec {

namespace {

/// For steps that all processes take together, between runs.
constexpr Ticks stepLimit = 60 * ticksPerSecond;
/// How long the ends of the other parts may take once a run has failed; a rank that hangs is given
/// up by its own process after a second and a half.
constexpr Ticks endLimit = 2'500 * ticksPerMs;
/// The same after a stop: a launcher that ends its processes leaves them about a second.
constexpr Ticks stopLimit = 600 * ticksPerMs;
constexpr auto watchPause = std::chrono::milliseconds(2);

/// Between the processes of one run nobody else's mail counts.
bool isOf(std::int32_t run, const std::optional<Mail>& mail)
{
    return mail->head.run == run;
}

/// Ends this process's part when another one fails or somebody stops the run, and on rank 0 takes
/// in what the others send. A thread of its own.
class RunWatch
{
public:
    RunWatch(MpiSession& session, std::int32_t run, const Stop& stop, RecordMerger* merger)
        : m_session(session)
        , m_run(run)
        , m_stop(stop)
        , m_merger(merger)
        , m_thread([this] { watchOn(); })
    {
    }
    ~RunWatch()
    {
        m_done.store(true);
        m_thread.join();
    }
    RunWatch(const RunWatch&) = delete;
    RunWatch& operator=(const RunWatch&) = delete;

    /// For this process's part of the run.
    const Stop& ended() const { return m_ended; }
    /// A rank that does not answer, or none.
    RankId lost() const { return m_lost.load(); }

private:
    /// An exception in this thread would end the process without a word.
    void watchOn()
    {
        try {
            watch();
        } catch (const std::exception&) {
            m_ended.request();
        }
    }

    void watch()
    {
        bool last = false;
        for (;;) {
            while (const std::optional<Mail> mail = m_session.take(MailKind::Failed)) {
                if (isOf(m_run, mail))
                    m_ended.request();
            }
            while (std::optional<Mail> mail = m_session.take(MailKind::Record)) {
                if (m_merger != nullptr && isOf(m_run, mail))
                    m_merger->take(std::move(*mail));
            }
            if (m_stop.requested())
                m_ended.request();
            if (const std::optional<RankId> rank = m_session.silentRank()) {
                m_lost.store(*rank);
                m_ended.request();
            }
            if (last)
                return;
            last = m_done.load();
            if (!last)
                std::this_thread::sleep_for(watchPause * m_session.crowd());
        }
    }

    MpiSession& m_session;
    const std::int32_t m_run;
    const Stop& m_stop;
    RecordMerger* const m_merger;
    Stop m_ended;
    std::atomic<RankId> m_lost{RankId::none()};
    std::atomic<bool> m_done{false};
    std::thread m_thread;
};

/// What the processes agree on before a run.
struct Agreement
{
    RunClock clock;
    Ticks band = 0;                 ///< of this process's clock
    std::vector<RunDevice> devices; ///< rank 0: by rank
};

std::string nextLine(std::string_view& rest)
{
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

Ticks numberOf(const std::string& text)
{
    Ticks number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// All processes say whether they can take part; then their clocks are set to that of rank 0.
///
/// @param own    device of this process; a process without a rank in the run has one too
/// @error        of the first rank that cannot, the same on all
Result<Agreement> agree(MpiSession& session, const Result<RunDevice>& own, const Stop& stop)
{
    const Patience patience{stop, stepLimit, "the start of the run"};
    const bool leads = session.rank() == leadRank;
    const std::string said =
        own ? "+\n" + std::to_string(own->memory) + "\n" + own->name : "!\n" + own.error().message;
    PW_TRY(const std::vector<std::string> all, session.gather(said, patience));
    Agreement agreement;
    std::string verdict;
    for (const RankId rank : Ids<RankId>(all.size())) {
        std::string_view rest = all[rank.index()];
        const bool able = nextLine(rest) == "+";
        if (!able) {
            verdict = (rank == leadRank ? std::string()
                                        : "rank " + std::to_string(rank) + " on " +
                                              session.hosts()[rank.index()] + ": ") +
                      std::string(rest);
            break;
        }
        const Ticks memory = numberOf(nextLine(rest));
        agreement.devices.push_back({std::string(rest), memory});
    }
    if (leads && verdict.empty())
        verdict = "+\n" + std::to_string(agreement.clock.base() - session.clock().base());
    PW_TRY(const std::string heard, session.broadcast(verdict, patience));
    std::string_view rest = heard;
    if (nextLine(rest) != "+" || rest.empty())
        return fail(ErrorCode::BadValue, heard);
    PW_TRY(const ClockAlignment alignment, alignToLead(session, patience));
    agreement.band = alignment.band;
    if (!leads) {
        // Where rank 0's run clock stood at 0, as this process can tell it. Not one reading less
        // another: on a busy machine there is time between the two.
        const Ticks there = session.clock().base() - alignment.ahead + numberOf(std::string(rest));
        agreement.clock.shift(there - agreement.clock.base());
    }
    return agreement;
}

/// This process's part, once all agree.
Result<RunFigures> runPart(MpiSession& session, const MpiRunOrder& order,
                           std::shared_ptr<const RunPlan> plan, RunClock& clock,
                           const SnapshotListener& listener, RunSink& sink, const Stop& ended)
{
    PW_TRY(std::unique_ptr<RankParts> made,
           makeMpiRank(order.backend, *plan, session, order.run, clock, ended, listener));
    std::unique_ptr<RankParts> parts = std::move(made);
    Result<RunFigures> result = runRanks(*plan, parts->workers(), parts->transport(), clock,
                                         environmentOf(order.backend), sink, ended, parts->notes());
    if (ranksLeftBehind()) {
        // A thread that hangs uses all this until the process ends.
        new std::shared_ptr<const RunPlan>(std::move(plan));
        static_cast<void>(parts.release());
    }
    return result;
}

/// Waits for the ends of the other parts.
void awaitEnds(MpiSession& session, std::int32_t run, const RecordMerger& merger,
               const RunWatch& watch, bool failed, const Stop& stop)
{
    const Ticks begun = session.clock().now();
    bool told = failed;
    for (;;) {
        const std::vector<RankId> missing = merger.missing();
        if (missing.empty() || watch.lost().valid())
            return;
        const Ticks waited = session.clock().now() - begun;
        if (stop.requested() && !std::exchange(told, true)) {
            for (const RankId rank : missing)
                session.send(rank, {.kind = MailKind::Failed, .run = run});
        }
        if (waited > endLimit && (failed || watch.ended().requested()))
            return;
        if (waited > stopLimit && stop.requested())
            return;
        std::this_thread::sleep_for(watchPause);
    }
}

/// On a crowded host all wait longer before they give a rank up.
RunPlan patient(RunPlan plan, const MpiSession& session)
{
    if (plan.patience > 0 || session.crowd() < 2)
        return plan;
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    plan.patience = defaultPatience(simulated ? simulated->makespan : 0) * session.crowd();
    return plan;
}

Result<MpiRunOrder> readOrder(std::string_view& rest, std::int32_t run)
{
    MpiRunOrder order;
    order.run = run;
    order.backend = nextLine(rest);
    order.snapshots = nextLine(rest) == "snapshots";
    return order;
}

} // namespace

Result<RunFigures> leadRun(MpiSession& session, const MpiRunOrder& order, const RunPlan& plan,
                           RunSink& sink, const SnapshotListener& listener, const Stop& stop)
{
    const int devices = plan.schedule.devices();
    if (devices > session.size())
        return fail(ErrorCode::BadValue,
                    "the plan has %1 devices, but %2 processes were started; one process a device",
                    devices, session.size());
    PW_TRY(const std::string text, writePlan(patient(plan, session)));
    const std::string body =
        order.backend + "\n" + (order.snapshots ? "snapshots" : "") + "\n" + text;
    for (const RankId rank : Ids<RankId>(leadRank + 1, RankId(session.size())))
        session.send(rank, {.kind = MailKind::Plan, .run = order.run}, body);

    Result<Agreement> agreement = agree(session, deviceOf(order.backend, plan, session), stop);
    if (!agreement) {
        // The same on all, unless somebody is gone.
        if (agreement.error().code != ErrorCode::BadValue)
            session.giveUp();
        return fail(agreement.error());
    }
    RunEnvironment environment = environmentOf(order.backend);
    environment.devices.assign(agreement->devices.begin(), agreement->devices.begin() + devices);
    RecordMerger merger(plan, agreement->clock, std::move(environment), sink, listener);
    RunWatch watch(session, order.run, stop, &merger);
    SnapshotListener own;
    if (order.snapshots)
        own = [&merger](StageSnapshot snapshot) { merger.snapshot(std::move(snapshot)); };
    const Result<RunFigures> result =
        runPart(session, order, std::make_shared<const RunPlan>(patient(plan, session)),
                agreement->clock, own, merger, watch.ended());
    merger.end(result);
    awaitEnds(session, order.run, merger, watch, !result, stop);
    if (!merger.missing().empty())
        session.giveUp();
    return merger.close();
}

void followRun(MpiSession& session, const Mail& mail, const Stop& stop)
{
    std::string_view rest = mail.text();
    const Result<MpiRunOrder> order = readOrder(rest, mail.head.run);
    const Result<RunPlan> plan = readPlan(rest);
    Result<RunDevice> device =
        plan ? deviceOf(order->backend, *plan, session) : Result<RunDevice>(fail(plan.error()));
    Result<Agreement> agreement = agree(session, device, stop);
    if (!agreement && agreement.error().code != ErrorCode::BadValue)
        session.giveUp();
    if (!agreement || session.rank() >= plan->schedule.devices())
        return;
    RecordMailer mailer(session, order->run, agreement->clock);
    SnapshotListener listener;
    if (order->snapshots)
        listener = [&mailer](const StageSnapshot& snapshot) { mailer.snapshot(snapshot); };
    RunWatch watch(session, order->run, stop, nullptr);
    mailer.log({agreement->clock.now(), session.rank(), LogLevel::Info,
                "runs on " + session.hosts()[session.rank().index()] +
                    (agreement->band == 0 ? "; it reads the same clock as rank 0"
                                          : "; its clock agrees with rank 0's within " +
                                                timeText(agreement->band))});
    mailer.end(runPart(session, *order, std::make_shared<const RunPlan>(*plan), agreement->clock,
                       listener, mailer, watch.ended()));
}

} // namespace pw::exec
