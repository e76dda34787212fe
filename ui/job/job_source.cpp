// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/job_source.h"

#include "core/base/medians.h"
#include "core/trace/waits.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::ui {

namespace {

/// What the same pass of a device takes in the replicas of a step, in the median; 0: nowhere known.
/// @complexity  O(passes of the device) for each replica
Ticks usualTime(const ShownStep& step, DeviceId device, const Pass& pass)
{
    std::vector<Ticks> times;
    const Job& job = *step.withPasses.job;
    const RankId rank(device.value);
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const std::int32_t at = job.steps[step.withPasses.step].iteration[r];
        if (at < 0)
            continue;
        const std::vector<RecordedPass>& passes =
            job.replicas[r]->iterations[static_cast<std::size_t>(at)].passes;
        const auto first =
            std::partition_point(passes.begin(), passes.end(),
                                 [rank](const RecordedPass& one) { return one.rank < rank; });
        const auto same = std::find_if(first, passes.end(), [&](const RecordedPass& one) {
            return one.rank != rank || one.pass == pass;
        });
        if (same != passes.end() && same->rank == rank)
            times.push_back(same->end - same->start);
    }
    return static_cast<Ticks>(medianOf(std::move(times)));
}

} // namespace

void JobSource::setStep(const ShownStepPtr& step)
{
    m_step = step;
    Q_EMIT lanesChanged();
}

LanesPtr JobSource::lanes() const
{
    return m_step != nullptr ? m_step->lanes : noLanes();
}

Ticks JobSource::room() const
{
    return m_step != nullptr ? m_step->window.last - m_step->window.first : 0;
}

const PipelineSpec& JobSource::spec() const
{
    return m_step != nullptr ? m_step->job->replica(0).schedule->spec() : TimelineSource::spec();
}

void JobSource::paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const
{
    painter.fillRect(QRect(QPoint(), pixels), color(Role::Lane));
    if (m_step == nullptr)
        return;
    // Forward below, then what goes back; the rest is waiting.
    constexpr std::array<PassKind, passKindCount> order = {PassKind::F, PassKind::BW, PassKind::B,
                                                           PassKind::W, PassKind::R,  PassKind::U};
    const auto all = static_cast<double>(m_step->job->job().workers().size());
    const auto length = static_cast<double>(room());
    const auto columns = static_cast<double>(m_step->busy.size());
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int x = 0; x < pixels.width(); ++x) {
        const double time = scale.time(x);
        if (time < 0 || time >= length)
            continue;
        const BusyByKind& busy =
            m_step->busy[static_cast<std::size_t>(std::min(columns - 1, time / length * columns))];
        double top = pixels.height();
        for (const PassKind kind : order) {
            const double high =
                static_cast<double>(busy[static_cast<std::size_t>(kind)]) / all * pixels.height();
            if (high <= 0)
                continue;
            painter.fillRect(QRectF(x, top - high, 1, high), color(roleOf(kind, false)));
            top -= high;
        }
    }
}

HoverNews JobSource::describe(SpanRef span, int lane, double time) const
{
    if (lane < 0 || m_step == nullptr)
        return {};
    if (m_step->lanes->holds(span))
        return passNews(span);
    if (const std::optional<Gap> gap = m_step->gapAt(lane, static_cast<Ticks>(time)))
        return gapNews(*gap, lane);
    return {};
}

HoverNews JobSource::passNews(SpanRef span) const
{
    const ShownReplica& own = *m_step->replicaOf(span.lane);
    const Lane& lane = m_step->lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const Pass pass = m_step->lanes->pass(span);
    const Ticks took = lane.end[index] - lane.start[index];
    HoverNews news;
    news.title =
        tr("%1 · replica %2").arg(passText(pass, m_step->schedule(own).spec())).arg(own.replica);
    news.lines +=
        spanText(static_cast<double>(lane.start[index]), static_cast<double>(lane.end[index]));
    const QString length = durationText(static_cast<double>(took));
    const Ticks usual = m_step->job->job().replicas.size() > 1
                            ? usualTime(*m_step, m_step->workerOf(span.lane)->device, pass)
                            : 0;
    const QString beside =
        usual > 0 ? tr("took %1; %2 in the median replica (%3)")
                        .arg(length, durationText(static_cast<double>(usual)), offText(took, usual))
                  : tr("took %1").arg(length);
    news.lines += beside;
    news.sentence = QStringLiteral("%1: %2").arg(news.title, beside);
    news.lit = linked(span, -1);
    for (const SpanRef from : news.lit)
        if (from.lane != span.lane)
            news.arrows.push_back({from, span});
    return news;
}

HoverNews JobSource::gapNews(const Gap& gap, int lane) const
{
    const ShownReplica& own = *m_step->replicaOf(lane);
    HoverNews news;
    news.title = tr("%1 of replica %2 idles for %3")
                     .arg(m_step->lanes->lanes()[static_cast<std::size_t>(lane)].title)
                     .arg(own.replica)
                     .arg(durationText(static_cast<double>(gap.end - gap.start)));
    if (gap.reason != WaitReason::Finished)
        news.lines += coreSentence(gap.text);
    news.sentence = news.lines.isEmpty()
                        ? news.title
                        : QStringLiteral("%1: %2").arg(news.title, news.lines.constFirst());
    const Schedule& schedule = m_step->schedule(own);
    const SpanRef next = spanOf(*own.lanes, schedule, gap.next);
    const SpanRef cause =
        spanOf(*own.lanes, schedule, schedule.entryOf(schedule.table().id(gap.cause)));
    const std::vector<SpanRef> waited = linkedSpans(*own.lanes, schedule, next, -1);
    if (std::find(waited.begin(), waited.end(), cause) != waited.end()) {
        news.lit = {m_step->pictureSpan(own, cause)};
        news.arrows.push_back({news.lit.front(), m_step->pictureSpan(own, next)});
    }
    return news;
}

std::optional<IdleStretch> JobSource::idle(int lane, Ticks time) const
{
    const std::optional<Gap> gap =
        m_step != nullptr ? m_step->gapAt(lane, time) : std::optional<Gap>();
    if (!gap)
        return std::nullopt;
    return IdleStretch{gap->start, gap->end,
                       gap->reason == WaitReason::Finished ? QString() : coreSentence(gap->text)};
}

std::vector<SpanRef> JobSource::linked(SpanRef span, int direction) const
{
    const ShownReplica* own = m_step != nullptr ? m_step->replicaOf(span.lane) : nullptr;
    if (own == nullptr)
        return {};
    std::vector<SpanRef> spans =
        linkedSpans(*own->lanes, m_step->schedule(*own), m_step->ownSpan(*own, span), direction);
    for (SpanRef& one : spans)
        one = m_step->pictureSpan(*own, one);
    return spans;
}

std::vector<Arrow> JobSource::arrows(SpanRef span) const
{
    const ShownReplica* own = m_step != nullptr ? m_step->replicaOf(span.lane) : nullptr;
    if (own == nullptr)
        return {};
    std::vector<Arrow> all =
        messageArrows(*own->lanes, m_step->schedule(*own), m_step->ownSpan(*own, span));
    for (Arrow& arrow : all)
        arrow = {m_step->pictureSpan(*own, arrow.from), m_step->pictureSpan(*own, arrow.to)};
    return all;
}

std::vector<SpanRef> JobSource::strand(SpanRef span) const
{
    std::vector<SpanRef> spans;
    const ShownReplica* own = m_step != nullptr ? m_step->replicaOf(span.lane) : nullptr;
    if (own == nullptr || m_step->lanes->pass(span).kind == PassKind::U)
        return spans;
    const Schedule& schedule = m_step->schedule(*own);
    for (const EntryId entry :
         strandOf(schedule, own->measured, m_step->lanes->pass(span).microBatch))
        if (const SpanRef found = spanOf(*own->lanes, schedule, entry); found.valid())
            spans.push_back(m_step->pictureSpan(*own, found));
    return spans;
}

std::vector<SpanRef> JobSource::critical() const
{
    std::vector<SpanRef> spans;
    if (m_step == nullptr || m_step->replicas.empty())
        return spans;
    const ShownReplica& own = m_step->replicas.front();
    const Schedule& schedule = m_step->schedule(own);
    for (const ChainLink& link : decidingChain(schedule, own.measured, {}))
        spans.push_back(
            m_step->pictureSpan(own, spanOf(*own.lanes, schedule, EntryId(link.entry))));
    return spans;
}

} // namespace pw::ui
