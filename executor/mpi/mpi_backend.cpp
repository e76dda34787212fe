// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_backend.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "executor/api/runner.h"
#include "executor/backends/backends.h"
#include "executor/mpi/mpi_launcher.h"
#include "executor/mpi/mpi_run.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace pw::exec {

bool startedByMpi()
{
    return mpiLauncher().has_value();
}

namespace {

/// Runs plans on all processes; the one of rank 0.
class MpiBackend final : public Backend
{
public:
    MpiBackend(MpiSession& session, std::int32_t& runs, BackendInfo info)
        : m_session(session)
        , m_runs(runs)
        , m_info(std::move(info))
    {
    }

    BackendInfo info() const override { return m_info; }

    Result<RunFigures> run(const RunPlan& plan, RunSink& sink, const Stop& stop) override
    {
        const bool listens = static_cast<bool>(snapshotListener());
        return leadRun(m_session, {++m_runs, m_info.name, listens}, plan, sink, snapshotListener(),
                       stop);
    }

private:
    MpiSession& m_session;
    std::int32_t& m_runs;
    BackendInfo m_info;
};

class OtherRanks final : public MpiRanks
{
public:
    explicit OtherRanks(std::unique_ptr<MpiSession> session)
        : m_session(std::move(session))
    {
    }
    ~OtherRanks() override
    {
        const bool led = leads();
        for (const RankId to : Ids<RankId>(leadRank + 1, RankId(led ? size() : 0)))
            m_session->send(to, {.kind = MailKind::Plan});
        m_session.reset();
        // A thread that hangs would outlive what it uses. Rank 0 still has to say how the run
        // ended.
        if (!led && ranksLeftBehind())
            std::exit(0);
    }

    int size() const override { return m_session->size(); }
    RankId rank() const override { return m_session->rank(); }

    std::string summary() const override
    {
        std::vector<std::string> hosts;
        for (const std::string& host : m_session->hosts()) {
            if (std::find(hosts.begin(), hosts.end(), host) == hosts.end())
                hosts.push_back(host);
        }
        std::string text = countText(size(), "process", "processes") + " on ";
        constexpr std::size_t named = 4;
        for (std::size_t i = 0; i < hosts.size() && i < named; ++i) {
            const bool last = i + 1 == hosts.size();
            text += (i == 0 ? "" : last ? " and " : ", ") + hosts[i];
        }
        if (hosts.size() > named)
            text += " and " + std::to_string(hosts.size() - named) + " more hosts";
        return text + ", " + m_session->library();
    }

    Result<std::unique_ptr<Backend>> backend(std::string_view name, std::string* reason) override
    {
        const std::string_view taken = name == "auto" ? "cpu" : name;
        PW_TRY(std::unique_ptr<Backend> inner, openBackend(taken, size()));
        BackendInfo info = inner->info();
        info.summary += "; " + summary();
        if (reason != nullptr)
            *reason = std::string(taken) +
                      (name == "auto" ? ", as every process computes on the host that it is on"
                                      : ", as asked for");
        return std::make_unique<MpiBackend>(*m_session, m_runs, std::move(info));
    }

    Result<void> serve(const Stop& stop) override
    {
        for (Backoff backoff(m_session->crowd());; backoff.pause()) {
            if (const std::optional<Mail> mail = m_session->take(MailKind::Plan)) {
                if (mail->text().empty())
                    return {};
                followRun(*m_session, *mail, stop);
                backoff = Backoff(m_session->crowd());
            }
            if (stop.requested())
                return {};
            PW_DO(m_session->health());
            if (m_session->silentRank()) {
                m_session->giveUp();
                return fail(ErrorCode::Fault, "rank %1: rank 0 does not answer", rank());
            }
        }
    }

private:
    std::unique_ptr<MpiSession> m_session;
    std::int32_t m_runs = 0;
};

} // namespace

Result<std::unique_ptr<MpiRanks>> joinMpi()
{
    PW_TRY(std::unique_ptr<MpiSession> session, openMpi());
    return std::make_unique<OtherRanks>(std::move(session));
}

} // namespace pw::exec
