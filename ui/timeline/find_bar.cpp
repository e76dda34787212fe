// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/find_bar.h"

#include "ui/core_sentences.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/timeline/find_keys.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

/// Spans that are looked at in one go; some ten milliseconds.
constexpr std::size_t slice = 200'000;

} // namespace

FindBar::FindBar(TimelineView& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_typed(new QLineEdit(this))
    , m_state(new QLabel(this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_slice(new QTimer(this))
{
    setObjectName(QStringLiteral("find-bar"));
    auto* label = new QLabel(tr("Find"), this);
    label->setBuddy(m_typed);
    m_typed->setPlaceholderText(tr("F3, BW2.1, mb 3, stage 2, device 1"));
    m_typed->setAccessibleName(tr("Find passes"));
    m_typed->setClearButtonEnabled(true);
    m_typed->setMaximumWidth(40 * fontMetrics().averageCharWidth());
    m_typed->installEventFilter(this);
    m_state->setObjectName(QStringLiteral("find-state"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    const auto button = [this](QToolButton* made, Qt::ArrowType arrow, const QString& name,
                               int direction) {
        made->setArrowType(arrow);
        made->setAutoRaise(true);
        made->setMinimumSize(24, 24);
        made->setToolTip(name);
        made->setAccessibleName(name);
        connect(made, &QToolButton::clicked, this, [this, direction] { go(direction); });
    };
    button(m_previous, Qt::LeftArrow, tr("Previous hit (Shift+Enter)"), -1);
    button(m_next, Qt::RightArrow, tr("Next hit (Enter)"), 1);
    auto* done = new QToolButton(this);
    done->setText(QStringLiteral("×"));
    done->setAutoRaise(true);
    done->setMinimumSize(24, 24);
    done->setToolTip(tr("Close (Esc)"));
    done->setAccessibleName(tr("Close"));
    connect(done, &QToolButton::clicked, this, &FindBar::close);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 4, 8, 4);
    layout->addWidget(label);
    layout->addWidget(m_typed, 2);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(m_state, 3);
    layout->addWidget(done);
    m_slice->setInterval(0);
    connect(m_slice, &QTimer::timeout, this, &FindBar::searchSlice);
    connect(m_typed, &QLineEdit::textChanged, this, &FindBar::search);
    connect(&m_view, &TimelineView::lanesChanged, this, [this] {
        if (isVisible())
            search();
    });
    connect(&m_view, &TimelineView::selectionChanged, this, &FindBar::showState);
    hide();
}

void FindBar::setSpec(const PipelineSpec& spec)
{
    if (spec == m_spec)
        return;
    m_spec = spec;
    if (isVisible())
        search();
}

void FindBar::setPlaces(Places places, const QString& example)
{
    m_places = std::move(places);
    m_typed->setPlaceholderText(m_typed->placeholderText() + QStringLiteral(", ") + example);
}

void FindBar::open()
{
    show();
    m_typed->setFocus();
    m_typed->selectAll();
    search();
}

void FindBar::close()
{
    m_slice->stop();
    m_found.clear();
    m_count = 0;
    m_query.reset();
    mark();
    hide();
    m_view.setFocus();
}

void FindBar::search()
{
    m_found.assign(m_view.lanes()->lanes().size(), {});
    m_count = 0;
    m_lane = m_index = 0;
    m_query.reset();
    m_problem.clear();
    m_slice->stop();
    m_place = m_places ? m_places(m_typed->text(), false) : QString();
    if (m_place.isEmpty() && !m_typed->text().trimmed().isEmpty()) {
        Result<PassQuery> query = PassQuery::parse(m_typed->text(), m_spec);
        if (query)
            m_query = *std::move(query);
        else
            m_problem = coreSentence(query.error().message);
    }
    if (m_query)
        searchSlice();
    else
        mark();
    showState();
}

void FindBar::searchSlice()
{
    const LanesPtr lanes = m_view.lanes();
    std::size_t left = slice;
    while (m_lane < lanes->lanes().size() && left > 0) {
        const Lane& lane = lanes->lanes()[m_lane];
        const DeviceId device(m_lane);
        for (; m_index < lane.size() && left > 0; ++m_index, --left) {
            const SpanRef span{device, static_cast<std::int64_t>(m_index)};
            const bool hit =
                m_query->matches(lanes->pass(span), device) ||
                (lane.look[m_index].paired && m_query->matches(lanes->pass(span, true), device));
            if (!hit)
                continue;
            m_found[m_lane].push_back(span.index);
            ++m_count;
        }
        if (m_index == lane.size()) {
            ++m_lane;
            m_index = 0;
        }
    }
    const bool more = m_lane < lanes->lanes().size();
    if (more && !m_slice->isActive())
        m_slice->start();
    else if (!more)
        m_slice->stop();
    if (!more)
        mark();
    showState();
}

void FindBar::mark()
{
    m_view.setLayer(
        FoundLayer{m_count > 0 ? std::make_shared<const FoundSpans>(m_found) : nullptr});
}

std::int64_t FindBar::placeOfCurrent() const
{
    const SpanRef span = m_view.current();
    if (!m_view.lanes()->holds(span) || static_cast<std::size_t>(span.lane) >= m_found.size())
        return -1;
    const auto& own = m_found[static_cast<std::size_t>(span.lane)];
    if (!std::binary_search(own.begin(), own.end(), span.index))
        return -1;
    // How many hits of all lanes start before it, or with it in a lane above.
    const std::vector<Lane>& lanes = m_view.lanes()->lanes();
    const Ticks start =
        lanes[static_cast<std::size_t>(span.lane)].start[static_cast<std::size_t>(span.index)];
    std::int64_t before = 0;
    for (std::size_t lane = 0; lane < m_found.size(); ++lane) {
        const bool above = static_cast<std::int32_t>(lane) < span.lane;
        const auto first = std::partition_point(
            m_found[lane].begin(), m_found[lane].end(), [&](std::int64_t index) {
                const Ticks its = lanes[lane].start[static_cast<std::size_t>(index)];
                return its < start || (above && its == start);
            });
        before += first - m_found[lane].begin();
    }
    return before;
}

void FindBar::go(int direction)
{
    if (!m_place.isEmpty()) {
        m_places(m_typed->text(), true);
        return;
    }
    if (m_count == 0)
        return;
    const std::vector<Lane>& lanes = m_view.lanes()->lanes();
    // By start, then by lane; from the current pass on, else from the left edge of the view.
    const SpanRef current = m_view.current();
    std::pair<Ticks, std::int32_t> from{-1, direction > 0 ? -1 : 0};
    if (m_view.lanes()->holds(current))
        from = {lanes[static_cast<std::size_t>(current.lane)]
                    .start[static_cast<std::size_t>(current.index)],
                current.lane};
    else if (direction < 0)
        from = {m_view.lanes()->begin(), -1};
    const auto keyOf = [&](std::size_t lane, std::int64_t index) {
        return std::pair<Ticks, std::int32_t>(lanes[lane].start[static_cast<std::size_t>(index)],
                                              static_cast<std::int32_t>(lane));
    };
    SpanRef best, around;
    std::pair<Ticks, std::int32_t> bestKey, aroundKey;
    for (std::size_t lane = 0; lane < m_found.size(); ++lane) {
        const std::vector<std::int64_t>& hits = m_found[lane];
        if (hits.empty())
            continue;
        const auto consider = [&](SpanRef& chosen, std::pair<Ticks, std::int32_t>& key,
                                  std::int64_t index) {
            const auto own = keyOf(lane, index);
            if (!chosen.valid() || (direction > 0 ? own < key : own > key)) {
                chosen = {static_cast<std::int32_t>(lane), index};
                key = own;
            }
        };
        const auto behind = std::partition_point(hits.begin(), hits.end(), [&](std::int64_t index) {
            return direction > 0 ? keyOf(lane, index) <= from : keyOf(lane, index) < from;
        });
        if (direction > 0 && behind != hits.end())
            consider(best, bestKey, *behind);
        if (direction < 0 && behind != hits.begin())
            consider(best, bestKey, *(behind - 1));
        consider(around, aroundKey, direction > 0 ? hits.front() : hits.back());
    }
    m_view.select(best.valid() ? best : around);
}

void FindBar::showState()
{
    if (!isVisible())
        return;
    const QLocale plain = QLocale::c();
    QString words;
    if (!m_problem.isEmpty())
        words = m_problem;
    else if (!m_place.isEmpty())
        words = m_place;
    else if (!m_query)
        words = QString();
    else if (m_slice->isActive())
        words = tr("%1 so far…").arg(plain.toString(static_cast<qlonglong>(m_count)));
    else if (m_count == 0)
        words = tr("no pass");
    else if (const std::int64_t place = placeOfCurrent(); place >= 0)
        words = tr("%1 of %2")
                    .arg(plain.toString(static_cast<qlonglong>(place) + 1),
                         plain.toString(static_cast<qlonglong>(m_count)));
    else
        words = plural(static_cast<qint64>(m_count), Noun::Pass);
    setInk(m_state, m_problem.isEmpty() ? Role::Secondary : Role::Refusal);
    m_state->setText(words);
    m_state->setToolTip(m_problem);
    m_previous->setEnabled(m_count > 0);
    m_next->setEnabled(m_count > 0 || !m_place.isEmpty());
}

bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_typed || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (findKeyOf(*static_cast<QKeyEvent*>(event))) {
    case FindKey::Next:
        go(1);
        return true;
    case FindKey::Previous:
        go(-1);
        return true;
    case FindKey::Leave:
        close();
        return true;
    case FindKey::None:
        break;
    }
    return false;
}

} // namespace pw::ui
