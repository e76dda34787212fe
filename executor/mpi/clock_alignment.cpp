// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/clock_alignment.h"

#include "core/base/try.h"
#include "executor/mpi/told_lines.h"

namespace pw::exec {

namespace {

constexpr int pings = 40;
/// On a busy machine fewer pings do, so that a run starts soon.
constexpr int leastPings = 4;
constexpr Ticks pingTime = 100 * ticksPerMs;

/// Many questions to rank 0; of the answers the one that came fastest counts.
Result<ClockAlignment> askRankZero(MpiSession& session, const Patience& patience)
{
    ClockAlignment best;
    const Ticks begun = session.clock().now();
    for (int i = 0; i < pings; ++i) {
        const Ticks sent = session.clock().now();
        if (i >= leastPings && sent - begun > pingTime)
            break;
        session.send(leadRank, {.kind = MailKind::Ping, .number = i});
        PW_TRY(const Mail answer, session.wait(MailKind::Pong, patience, MpiSession::Haste::Spins));
        const Ticks band = (answer.ended - sent + 1) / 2;
        if (i == 0 || band < best.band)
            best = {answer.head.posted - (sent + band), band};
    }
    session.send(leadRank, {.kind = MailKind::Aligned});
    return best;
}

/// Rank 0 answers while it waits for the last question, and does not sleep meanwhile.
Result<void> answerGuides(MpiSession& session, const Patience& patience)
{
    for (const RankId asking : Ids<RankId>(leadRank + 1, RankId(session.size()))) {
        if (session.guideOf(asking) != asking)
            continue;
        PW_TRY(const Mail one, session.wait(MailKind::Aligned, patience, MpiSession::Haste::Spins));
    }
    return {};
}

} // namespace

Result<ClockAlignment> alignToLead(MpiSession& session, const Patience& patience)
{
    const RankId guide = session.guide();
    ClockAlignment own;
    if (session.rank() == leadRank) {
        PW_DO(answerGuides(session, patience));
    } else if (guide == session.rank()) {
        PW_TRY(const ClockAlignment found, askRankZero(session, patience));
        own = found;
    }
    // What all need to know of the others: nobody else has to ask.
    PW_TRY(const std::vector<std::string> all,
           session.gather(std::to_string(own.ahead) + " " + std::to_string(own.band) + " " +
                              std::to_string(session.clock().base()),
                          patience));
    std::string table;
    for (const std::string& one : all)
        table += one + "\n";
    PW_TRY(const std::string heard, session.broadcast(table, patience));
    if (guide == session.rank())
        return own;
    std::string_view rest = heard;
    for (int before = 0; before < guide; ++before) // a line a rank
        nextLineOf(rest);
    const std::string line = nextLineOf(rest);
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (first == std::string::npos || second == std::string::npos)
        return fail(ErrorCode::Fault, "%1: rank %2 has not said its time", patience.what, guide);
    // The guide's clock and this one count the same time from different moments.
    own.ahead =
        wholeOf(line.substr(0, first)) + session.clock().base() - wholeOf(line.substr(second + 1));
    own.band = wholeOf(line.substr(first + 1, second - first - 1));
    return own;
}

} // namespace pw::exec
