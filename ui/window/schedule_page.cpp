// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/schedule_page.h"

#include "core/sim/explain.h"
#include "core/sim/metrics.h"
#include "ui/document/composing_room.h"
#include "ui/panels/against_rows.h"
#include "ui/plain_text.h"
#include "ui/presentation.h"
#include "ui/timeline/drag_controller.h"
#include "ui/timeline/hover_card.h"
#include "ui/timeline/kind_legend.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/time_ruler.h"
#include "ui/window/chart_stack.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace pw::ui {

namespace {

QString number(double value, int digits)
{
    return QLocale::c().toString(value, 'f', digits);
}

QString percent(const Bubble& bubble)
{
    return QStringLiteral("%1 %").arg(number(100 * bubble.rate(), 1));
}

/// A number's change in brackets: " (−1.00 ms)"; `written` has no sign.
QString changed(double by, const QString& written)
{
    if (by == 0)
        return QStringLiteral(" (±0)");
    return QStringLiteral(" (%1%2)").arg(by > 0 ? QStringLiteral("+") : QStringLiteral("−"),
                                         written);
}

/// The numbers of a trial, each with what it differs by from the present.
QString trialFigures(const SimResult& trial, const SimResult& now)
{
    const auto time = static_cast<double>(trial.makespan - now.makespan);
    const auto points = [](const Bubble& a, const Bubble& b) {
        const double by = std::round(1000 * (a.rate() - b.rate())) / 10;
        return percent(a) + changed(by, QStringLiteral("%1 %").arg(number(std::abs(by), 1)));
    };
    const double peak = peakMicroBatches(trial);
    const double peakBy = peak - peakMicroBatches(now);
    return SchedulePage::tr("makespan %1     span bubble %2     wall bubble %3     peak %4 "
                            "micro-batches")
        .arg(durationText(static_cast<double>(trial.makespan)) +
                 changed(time, durationText(std::abs(time))),
             points(spanBubble(trial), spanBubble(now)), points(wallBubble(trial), wallBubble(now)),
             QLocale::c().toString(peak, 'g', 4) +
                 changed(peakBy, QLocale::c().toString(std::abs(peakBy), 'g', 4)));
}

/// Costs of a project for another shape; none where its tables are not of that shape.
std::optional<Costs> costsFor(const ScheduleDocument& document, const PipelineSpec& spec)
{
    if (spec == document.draft().spec)
        return document.costs();
    if (const auto* uniform = std::get_if<UniformCosts>(&document.project().costs))
        return expand(*uniform, spec);
    return std::nullopt;
}

} // namespace

SchedulePage::SchedulePage(QWidget* parent)
    : Page(parent)
    , m_overview(new Overview(m_range, this))
    , m_ruler(new TimeRuler(m_range, this))
    , m_timeline(new TimelineView(m_range, this))
    , m_charts(new ChartStack(m_range, m_timeline, this))
    , m_drag(new DragController(m_document, *m_timeline, this))
    , m_hover(m_document)
    , m_card(new HoverCard(*m_timeline))
    , m_notice(new QLabel(this))
{
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::RichText);
    m_notice->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_notice->setContentsMargins(14, 6, 14, 6);
    m_notice->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_ruler);
    layout->addWidget(m_notice);
    layout->addWidget(m_charts, 1);
    layout->addWidget(new KindLegend(*m_timeline, this));
    setFocusProxy(m_timeline);

    connect(&m_document, &ScheduleDocument::resultChanged, this, &SchedulePage::showResult);
    connect(&m_document, &ScheduleDocument::titleChanged, this, &Page::titleChanged);
    connect(m_timeline, &TimelineView::selectionChanged, this, &SchedulePage::showSelection);
    connect(m_timeline, &TimelineView::hovered, this, &SchedulePage::tell);
    connect(m_timeline, &TimelineView::walkAsked, this, &SchedulePage::walk);
    connect(m_timeline, &TimelineView::siblingAsked, this, &SchedulePage::walkAside);
    connect(m_charts, &ChartStack::stale, this, &SchedulePage::showCharts);
    connect(&m_document, &ScheduleDocument::freeEditChanged, this, &SchedulePage::showNotice);
    connect(&m_document, &ScheduleDocument::computingChanged, this, &SchedulePage::showComputing);
    m_noticeDelay.setSingleShot(true);
    m_noticeDelay.setInterval(200);
    connect(&m_noticeDelay, &QTimer::timeout, this, &SchedulePage::showNotice);
    connect(m_notice, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == QLatin1String("rules"))
            m_document.setFreeEdit(false);
        else if (link == QLatin1String("cancel"))
            m_document.cancelComputing();
        else if (link == QLatin1String("compute"))
            m_document.compute();
        else
            Q_EMIT problemsAsked();
    });
    connect(m_drag, &DragController::trialChanged, this, &SchedulePage::showDrag);
}

void SchedulePage::setCriticalPathShown(bool shown)
{
    m_criticalShown = shown;
    showSelection();
}

void SchedulePage::showResult()
{
    m_walkedTo.clear();
    m_room = composingRoom(m_document, m_room);
    m_timeline->setLanes(m_document.lanes(), m_room);
    m_overview->setLanes(m_document.lanes());
    showNotice();
    showSelection();
    Q_EMIT figuresChanged();
}

/// One line while the draft is not a schedule, or may stop being one.
void SchedulePage::showNotice()
{
    QStringList parts;
    if (m_document.freeEdit())
        parts += tr("<b>Free edit</b>: rules may be broken. <a href=\"rules\">Keep the rules</a>");
    if (m_document.computing()) {
        if (!m_noticeDelay.isActive())
            parts += tr("Computing %1 … <a href=\"cancel\">Cancel</a>")
                         .arg(m_document.computed().toHtmlEscaped());
    } else if (m_document.unmade()) {
        parts +=
            tr("%1. <a href=\"compute\">Compute it</a>").arg(m_document.problem().toHtmlEscaped());
    } else if (!m_document.problem().isEmpty()) {
        QString first = m_document.problem().toHtmlEscaped();
        if (const std::int64_t more = m_document.problems().count - 1;
            more > 0 && m_document.problems().list.front().code != ProblemCode::Missing)
            first += tr(", and %1 more").arg(more);
        parts += tr("%1. <a href=\"problems\">Show problems</a>").arg(first);
    }
    m_notice->setText(parts.join(QStringLiteral("&nbsp;&nbsp;&nbsp; ")));
    m_notice->setVisible(!parts.isEmpty());
}

void SchedulePage::showComputing()
{
    if (!m_document.computing())
        m_noticeDelay.stop();
    else if (!m_noticeDelay.isActive() && !m_notice->text().contains(QLatin1String("\"cancel\"")))
        m_noticeDelay.start();
    showNotice();
    Q_EMIT figuresChanged();
}

void SchedulePage::showTrial(const Draft& draft, const DraftTimes& times, std::vector<Ghost> ghosts,
                             const QString& hint, bool refusal, const Schedule* schedule)
{
    m_trialShown = true;
    Overlay overlay = m_timeline->overlay();
    overlay.ghosts = std::move(ghosts);
    m_timeline->setOverlay(std::move(overlay));
    m_timeline->setHint(hint, refusal);
    if (draft.spec == m_document.draft().spec)
        m_charts->showTrial({draft, times, m_document.costs(), schedule});
    else if (const std::optional<Costs> costs = costsFor(m_document, draft.spec))
        m_charts->showTrial({draft, times, *costs, schedule});
    Q_EMIT figuresTried(trialFigures(times.times, m_document.result()));
}

void SchedulePage::clearTrial()
{
    if (!std::exchange(m_trialShown, false))
        return;
    Overlay overlay = m_timeline->overlay();
    overlay.ghosts.clear();
    m_timeline->setOverlay(std::move(overlay));
    m_timeline->setHint({}, false);
    m_charts->clearTrial();
    Q_EMIT figuresTried(figures());
}

void SchedulePage::showDrag()
{
    if (const Drag* trial = m_drag->trial(); trial != nullptr)
        showTrial(trial->draft(), trial->times(), m_drag->ghosts(), m_drag->hint(),
                  m_drag->refusal(), trial->schedule());
    else
        clearTrial();
}

QString SchedulePage::figures() const
{
    return figuresText(m_document);
}

bool SchedulePage::save(bool ask)
{
    QString path = m_document.path();
    if (ask || path.isEmpty())
        path = QFileDialog::getSaveFileName(this, tr("Save"), path,
                                            tr("Pipewright projects (*.pipewright.json *.json)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".pipewright.json");
    if (const Result<void> done = m_document.save(path); !done) {
        const std::unique_ptr<QMessageBox> box(
            plainBox(this, tr("Not saved"), text(done.error().message)));
        box->setIcon(QMessageBox::Warning);
        box->exec();
        return false;
    }
    Q_EMIT saved();
    return true;
}

void SchedulePage::showCharts()
{
    if (m_document.draft().orders.empty())
        m_charts->clear();
    else
        m_charts->show({m_document.draft(), m_document.times(), m_document.costs(),
                        m_document.schedule().get()});
}

void SchedulePage::showSelection()
{
    Overlay overlay = m_timeline->overlay();
    overlay.arrows.clear();
    overlay.critical.clear();
    markProblems(m_document, overlay);
    if (const SpanRef span = m_timeline->current(); m_document.lanes()->holds(span)) {
        for (const SpanRef from : linkedSpans(m_document, span, false))
            if (from.lane != span.lane)
                overlay.arrows.push_back({from, span});
        for (const SpanRef to : linkedSpans(m_document, span, true))
            if (to.lane != span.lane)
                overlay.arrows.push_back({span, to});
    }
    if (m_criticalShown && m_document.schedule())
        for (const CriticalEntry& entry :
             criticalPath(*m_document.schedule(), m_document.costs(), m_document.result()))
            overlay.critical.push_back(spanOf(m_document, entry.entry));
    m_timeline->setOverlay(std::move(overlay));
    showCharts();
    Q_EMIT selectionChanged();
}

/// The card says it beside the pointer, the status line for those who do not look there.
void SchedulePage::tell(SpanRef span, int lane, double time)
{
    HoverNews news = m_hover.newsOf(span, lane, time);
    const QString sentence = news.sentence;
    m_card->setNews(std::move(news));
    Q_EMIT told(sentence);
}

void SchedulePage::walk(int direction)
{
    const SpanRef span = m_timeline->current();
    if (!m_document.lanes()->holds(span))
        return;
    // Of several first those on other devices, as arrows are drawn.
    std::vector<SpanRef> ends = linkedSpans(m_document, span, direction > 0);
    std::stable_partition(ends.begin(), ends.end(),
                          [&](SpanRef end) { return end.lane != span.lane; });
    if (ends.empty())
        return;
    m_walkedTo = std::move(ends);
    m_timeline->select(m_walkedTo.front());
}

void SchedulePage::walkAside(int direction)
{
    const auto here = std::find(m_walkedTo.begin(), m_walkedTo.end(), m_timeline->current());
    if (here == m_walkedTo.end())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_walkedTo.size());
    const auto next = (here - m_walkedTo.begin() + direction + count) % count;
    m_timeline->select(m_walkedTo[static_cast<std::size_t>(next)]);
}

SchedulePage::~SchedulePage()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

} // namespace pw::ui
