// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/timeline_workspace.h"

#include "ui/timeline/find_bar.h"
#include "ui/timeline/kind_legend.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/phase_bands.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/stretch_line.h"

#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

TimelineWorkspace::TimelineWorkspace(TimelineSource* source, QWidget* parent)
    : TimelineWorkspace(source, nullptr, parent)
{
}

TimelineWorkspace::TimelineWorkspace(TimelineSource* source, ViewRange& shared, QWidget* parent)
    : TimelineWorkspace(source, &shared, parent)
{
}

TimelineWorkspace::TimelineWorkspace(TimelineSource* source, ViewRange* shared, QWidget* parent)
    : QWidget(parent)
    , m_source(source)
    , m_ownRange(shared == nullptr ? std::make_unique<ViewRange>() : nullptr)
    , m_range(shared == nullptr ? *m_ownRange : *shared)
    , m_view(source->makeView(m_range, this))
    , m_timeline(qobject_cast<TimelineView*>(m_view))
    , m_layout(new QVBoxLayout(this))
{
    m_source->setParent(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    if (shared == nullptr)
        assemble();
    else
        m_layout->addWidget(m_view, 1);
    if (m_timeline != nullptr) {
        m_stretch = new StretchLine(*m_timeline, this);
        m_layout->addWidget(m_stretch);
    }
    setFocusProxy(m_view);
    connect(m_view, &LaneView::stretchChanged, this, &TimelineWorkspace::stretchChanged);
    if (m_timeline != nullptr) {
        m_timeline->setRangeIsOurs(shared == nullptr);
        connectParts();
    } else {
        connect(m_view, &LaneView::selectionChanged, this, &TimelineWorkspace::selectionChanged);
    }
    connectSource();
    showLanes();
}

TimelineWorkspace::~TimelineWorkspace()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void TimelineWorkspace::assemble()
{
    m_overview = new Overview(m_range, this);
    m_layout->addWidget(m_overview);
    m_layout->addWidget(new TimeRuler(m_range, this));
    if (m_timeline != nullptr)
        assembleTools();
    else
        m_layout->addWidget(m_view, 1);
}

/// What knows passes.
void TimelineWorkspace::assembleTools()
{
    m_phases = new PhaseBands(m_range, this);
    m_phases->hide();
    m_charts = new ChartStack(m_range, m_timeline, this);
    m_layout->addWidget(m_phases);
    m_layout->addWidget(m_charts, 1);
    m_legend = new KindLegend(*m_timeline, this);
    m_layout->addWidget(m_legend);
    m_layout->addWidget(makeFindBar(this));
    m_layout->addWidget(makePlayback(this));
    connect(m_charts, &ChartStack::stale, this, &TimelineWorkspace::showCharts);
    connect(m_charts, &ChartStack::hovered, this, &TimelineWorkspace::showPointer);
    connect(m_playback, &Playback::moved, m_charts, &ChartStack::setPointer);
}

void TimelineWorkspace::connectSource()
{
    connect(m_source, &TimelineSource::lanesChanged, this, &TimelineWorkspace::showLanes);
    if (m_timeline == nullptr)
        return;
    connect(m_source, &TimelineSource::moreKnown, this, &TimelineWorkspace::showSelection);
    connect(m_source, &TimelineSource::heatChanged, this, [this] {
        HeatShown shown = m_source->heat();
        m_timeline->setHeat(std::move(shown.heat), shown.most);
    });
}

void TimelineWorkspace::connectParts()
{
    m_card = new HoverCard(*m_timeline);
    connect(m_timeline, &TimelineView::selectionChanged, this, &TimelineWorkspace::showSelection);
    connect(m_timeline, &TimelineView::hovered, this, &TimelineWorkspace::tell);
    connect(m_timeline, &TimelineView::walkAsked, this, &TimelineWorkspace::walk);
    connect(m_timeline, &TimelineView::siblingAsked, this, &TimelineWorkspace::walkAside);
}

void TimelineWorkspace::addBelowAxis(QWidget* line)
{
    m_layout->insertWidget(m_layout->indexOf(m_charts), line);
}

FindBar* TimelineWorkspace::findBar()
{
    return m_find;
}

Playback* TimelineWorkspace::playback()
{
    return m_playback;
}

FindBar* TimelineWorkspace::makeFindBar(QWidget* parent)
{
    delete m_find;
    m_find = new FindBar(*m_timeline, parent);
    m_find->setSpec(m_source->spec());
    return m_find;
}

Playback* TimelineWorkspace::makePlayback(QWidget* parent)
{
    delete m_playback;
    m_playback = new Playback(*m_timeline, m_range, parent);
    m_playback->setNarration({[this](const Pass& pass) { return m_source->passWords(pass); },
                              [this](int lane, Ticks time) {
                                  const std::optional<IdleStretch> idle =
                                      m_source->idle(lane, time);
                                  return idle ? idle->why : QString();
                              }});
    return m_playback;
}

void TimelineWorkspace::setPhasesShown(bool shown)
{
    m_phases->setVisible(shown);
}

void TimelineWorkspace::setStrandShown(bool shown)
{
    m_strandShown = shown;
    showSelection();
}

void TimelineWorkspace::setCriticalShown(bool shown)
{
    if (shown == m_criticalShown)
        return;
    m_criticalShown = shown;
    showSelection();
    Q_EMIT criticalShownChanged(shown);
}

void TimelineWorkspace::showLanes()
{
    m_walkedTo.clear();
    if (m_timeline != nullptr)
        m_timeline->setLanes(m_source->lanes(), m_source->room());
    if (m_overview != nullptr)
        m_overview->setPainter([this](QPainter& painter, QSize pixels, const TimeScale& scale) {
            m_source->paintOverview(painter, pixels, scale);
        });
    if (m_timeline == nullptr)
        return;
    if (m_find != nullptr)
        m_find->setSpec(m_source->spec());
    if (m_stretch != nullptr)
        m_stretch->refresh();
    showSelection();
}

void TimelineWorkspace::showSelection()
{
    const SpanRef span = m_timeline->current();
    const bool held = m_source->lanes()->holds(span);
    const bool alone = m_timeline->overlay().selected.size() == 1;
    LinkLayer links;
    if (held)
        links.arrows = m_source->arrows(span);
    if (m_criticalShown)
        links.critical = m_source->critical();
    if (m_strandShown && held && alone)
        links.strand = m_source->strand(span);
    m_timeline->setLayer(std::move(links));
    m_timeline->setLayer(m_source->wrong());
    showPhases(span);
    showCharts();
    Q_EMIT selectionChanged();
}

void TimelineWorkspace::showCharts()
{
    if (m_charts != nullptr)
        m_charts->show(*m_source);
}

void TimelineWorkspace::showPhases(SpanRef current)
{
    if (m_phases == nullptr)
        return;
    const std::optional<PhasesOf> phases = m_source->phases();
    if (!phases)
        m_phases->setPhases(std::nullopt);
    else if (current.valid() && static_cast<std::size_t>(current.lane) < phases->devices.size())
        m_phases->setPhases(phases->devices[static_cast<std::size_t>(current.lane)],
                            tr("device %1").arg(current.lane));
    else
        m_phases->setPhases(phases->all, tr("all devices"), true);
}

/// The line of the charts goes through the lanes, too; the cursor of playback stays where it is.
void TimelineWorkspace::showPointer(std::optional<double> time)
{
    if (m_playback != nullptr && m_playback->time())
        return;
    m_timeline->setLayer(PointerLayer{time});
}

/// The card says it beside the pointer, the status line for those who do not look there.
void TimelineWorkspace::tell(SpanRef span, int lane, double time)
{
    HoverNews news = m_source->describe(span, lane, time);
    const QString sentence = news.sentence;
    m_card->setNews(std::move(news));
    Q_EMIT told(sentence);
}

void TimelineWorkspace::walk(int direction)
{
    const SpanRef span = m_timeline->current();
    if (!m_source->lanes()->holds(span))
        return;
    std::vector<SpanRef> ends = m_source->linked(span, direction);
    if (ends.empty())
        return;
    m_walkedTo = std::move(ends);
    m_timeline->select(m_walkedTo.front());
}

void TimelineWorkspace::walkAside(int direction)
{
    const auto here = std::find(m_walkedTo.begin(), m_walkedTo.end(), m_timeline->current());
    if (here == m_walkedTo.end())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_walkedTo.size());
    const auto next = (here - m_walkedTo.begin() + direction + count) % count;
    m_timeline->select(m_walkedTo[static_cast<std::size_t>(next)]);
}

} // namespace pw::ui
