// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/activity_page.h"

#include "core/base/text.h"
#include "ui/document/background.h"
#include "ui/text.h"
#include "ui/timeline/time_ruler.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QVBoxLayout>

namespace pw::ui {

ActivityPage::ActivityPage(ShownActivityPtr activity, QString title, QWidget* parent)
    : Page(parent)
    , m_activity(std::move(activity))
    , m_title(std::move(title))
    , m_view(new ActivityView(m_range, this))
    , m_table(new ActivityTable(this))
    , m_search(new QLineEdit(this))
    , m_wanted(std::make_shared<std::atomic<int>>(0))
{
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Search names; /pattern/ for an expression; Enter: the next"));
    m_search->setClearButtonEnabled(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->addWidget(m_search, 1);
    bar->addStretch(1);
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(bar);
    rows->addWidget(new TimeRuler(m_range, this));
    rows->addWidget(m_view, 1);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(top);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 1);
    parts->setSizes({600, 240});
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    setFocusProxy(m_view);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_view->setActivity(m_activity);

    connect(m_view, &ActivityView::stretchChanged, this, &ActivityPage::sumUp);
    connect(m_view, &ActivityView::chosenChanged, this, &Page::selectionChanged);
    connect(m_view, &ActivityView::told, this, &Page::told);
    connect(m_search, &QLineEdit::textChanged, this,
            [this](const QString& words) { Q_EMIT told(m_view->search(words)); });
    connect(m_search, &QLineEdit::returnPressed, this, &ActivityPage::showNext);
    sumUp();
}

ActivityPage::~ActivityPage()
{
    ++*m_wanted;
}

QString ActivityPage::detail() const
{
    QStringList files;
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < m_activity->trace.files.size() && i < most; ++i)
        files += text(m_activity->trace.files[i]);
    return files.join(QLatin1Char('\n'));
}

QString ActivityPage::figures() const
{
    return m_table->sentence();
}

void ActivityPage::showNext()
{
    if (!m_search->text().isEmpty() && !m_view->showNext())
        Q_EMIT told(tr("Nothing is called %1.").arg(m_search->text()));
}

void ActivityPage::sumUp()
{
    const int wanted = ++*m_wanted;
    const auto stretch = m_view->stretch();
    const Ticks from = stretch ? stretch->first : 0,
                to = stretch ? stretch->second : m_activity->end;
    m_table->say(tr("Summing up…"));
    inBackground(this,
                 [this, wanted, from, to, whole = !stretch, activity = m_activity,
                  now = m_wanted]() -> std::function<void()> {
                     auto sums = std::make_shared<Result<ActivitySums>>(activitySums(
                         activity->source, from, to, [wanted, &now] { return *now == wanted; }));
                     return [this, wanted, whole, activity, now, sums] {
                         if (*now != wanted)
                             return;
                         if (*sums)
                             m_table->setSums(activity, **sums, whole);
                         else
                             m_table->say(text(sums->error().message));
                         Q_EMIT figuresChanged();
                     };
                 });
}

/// The time of a slice without what is nested directly in it.
Ticks ActivityPage::selfTime(const ChosenSlice& chosen) const
{
    std::vector<ActivitySlice> inside;
    Ticks self = chosen.slice.end - chosen.slice.start;
    if (!m_activity->source.slices(static_cast<std::size_t>(chosen.lane), chosen.slice.start,
                                   chosen.slice.end, 0, inside))
        return self;
    for (const ActivitySlice& slice : inside)
        if (slice.depth == chosen.slice.depth + 1)
            self -=
                std::min(slice.end, chosen.slice.end) - std::max(slice.start, chosen.slice.start);
    return self;
}

PageDetails ActivityPage::details() const
{
    PageDetails details;
    details.kind = tr("Trace");
    const Trace& trace = m_activity->trace;
    DetailsPart about;
    about.heading = tr("Trace");
    about.rows = {{tr("from"), text(trace.origin)},
                  {tr("ranks"), QString::number(trace.ranks.size())},
                  {tr("events"), text(groupedNumber(trace.events))},
                  {tr("span"), durationText(static_cast<double>(m_activity->end))}};
    details.parts.push_back(about);
    DetailsPart part;
    part.heading = tr("Selected");
    if (const std::optional<ChosenSlice>& chosen = m_view->chosen()) {
        const ActivitySlice& slice = chosen->slice;
        const ActivityLane& lane =
            m_activity->source.lanes()[static_cast<std::size_t>(chosen->lane)];
        part.rows = {{tr("name"), m_view->nameOf(slice)},
                     {tr("kind"), activityText(slice.kind)},
                     {tr("on"), text(lane.name)},
                     {tr("from – to"),
                      spanText(static_cast<double>(slice.start), static_cast<double>(slice.end))},
                     {tr("time"), durationText(static_cast<double>(slice.end - slice.start))}};
        if (slice.count == 1)
            part.rows.push_back({tr("self"), durationText(static_cast<double>(selfTime(*chosen)))});
    } else {
        part.none = tr("Nothing is selected: click a slice, or drag over a stretch of time.");
    }
    details.parts.push_back(part);
    return details;
}

} // namespace pw::ui
