// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/playback.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// More lanes than these are counted.
constexpr int named = 2;

/// First event after a time (or last before it) in a lane; none where there is none.
std::optional<Ticks> nextEvent(const Lane& lane, double time, int direction)
{
    const std::size_t count = lane.size();
    if (direction > 0) {
        // The span that has not ended yet begins or ends next.
        const auto behind = [](double a, Ticks b) { return a < static_cast<double>(b); };
        std::optional<Ticks> next;
        const auto start = std::upper_bound(lane.start.begin(), lane.start.end(), time, behind);
        const auto end = std::upper_bound(lane.end.begin(), lane.end.end(), time, behind);
        if (start != lane.start.end())
            next = *start;
        if (end != lane.end.end())
            next = next ? std::min(*next, *end) : *end;
        return next;
    }
    if (count == 0)
        return std::nullopt;
    const auto before = [](Ticks a, double b) { return static_cast<double>(a) < b; };
    std::optional<Ticks> last;
    const auto start = std::lower_bound(lane.start.begin(), lane.start.end(), time, before);
    const auto end = std::lower_bound(lane.end.begin(), lane.end.end(), time, before);
    if (start != lane.start.begin())
        last = *(start - 1);
    if (end != lane.end.begin())
        last = last ? std::max(*last, *(end - 1)) : *(end - 1);
    return last;
}

std::optional<Ticks> nextEvent(const Lanes& lanes, double time, int direction)
{
    std::optional<Ticks> best;
    for (const Lane& lane : lanes.lanes()) {
        const std::optional<Ticks> own = nextEvent(lane, time, direction);
        if (own && (!best || (direction > 0 ? *own < *best : *own > *best)))
            best = own;
    }
    return best;
}

/// At most so many clauses, the others as a number.
QString joined(const QStringList& clauses, int others, const QString& rest)
{
    QString words = clauses.join(Playback::tr(", "));
    if (others > 0)
        words += Playback::tr(" and %1").arg(rest.arg(others));
    return words;
}

} // namespace

QString narrate(const Lanes& lanes, Ticks time, const Narration& narration)
{
    QStringList starts, ends, waits;
    int moreStarts = 0, moreEnds = 0, moreWaits = 0;
    const auto put = [](QStringList& list, int& more, const QString& clause) {
        if (list.size() < named)
            list << clause;
        else
            ++more;
    };
    const auto called = [&](SpanRef span) {
        QString words = narration.pass(lanes.pass(span));
        if (lanes.lanes()[static_cast<std::size_t>(span.lane)]
                .look[static_cast<std::size_t>(span.index)]
                .paired)
            words += Playback::tr(" with %1").arg(narration.pass(lanes.pass(span, true)));
        return words;
    };
    for (int number = 0; number < static_cast<int>(lanes.lanes().size()); ++number) {
        const Lane& lane = lanes.lanes()[static_cast<std::size_t>(number)];
        const std::int64_t at = lane.at(time);
        if (at >= 0) {
            if (lane.start[static_cast<std::size_t>(at)] == time)
                put(starts, moreStarts,
                    Playback::tr("%1 starts %2").arg(lane.title, called({number, at})));
            continue;
        }
        const std::size_t next = lane.firstEndingAfter(time);
        if (next > 0 && lane.end[next - 1] == time)
            put(ends, moreEnds,
                Playback::tr("%1 ends %2")
                    .arg(lane.title, called({number, static_cast<std::int64_t>(next) - 1})));
        const QString reason = narration.idle ? narration.idle(number, time) : QString();
        if (!reason.isEmpty())
            put(waits, moreWaits, Playback::tr("%1 %2").arg(lane.title, reason));
    }
    QStringList parts;
    if (!starts.isEmpty())
        parts << joined(starts, moreStarts,
                        moreStarts == 1 ? Playback::tr("%1 more starts")
                                        : Playback::tr("%1 more start"));
    if (!ends.isEmpty() && starts.isEmpty())
        parts << joined(ends, moreEnds,
                        moreEnds == 1 ? Playback::tr("%1 more ends") : Playback::tr("%1 more end"));
    if (!waits.isEmpty())
        parts << joined(waits, moreWaits,
                        moreWaits == 1 ? Playback::tr("%1 more is idle")
                                       : Playback::tr("%1 more are idle"));
    const QString sentence =
        parts.isEmpty() ? Playback::tr("all devices go on") : parts.join(QStringLiteral("; "));
    return sentence.left(1).toUpper() + sentence.mid(1);
}

Playback::Playback(TimelineView& view, ViewRange& range, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_range(range)
    , m_play(new QToolButton(this))
    , m_back(new QToolButton(this))
    , m_forward(new QToolButton(this))
    , m_speeds(new QComboBox(this))
    , m_where(new QLabel(this))
    , m_line(new QLabel(this))
{
    setObjectName(QStringLiteral("playback"));
    m_narration.pass = [](const Pass& pass) {
        const std::string_view kind = name(pass.kind);
        return tr("%1 of micro-batch %2 on stage %3")
            .arg(QString::fromLatin1(kind.data(), static_cast<qsizetype>(kind.size())))
            .arg(pass.microBatch)
            .arg(pass.stage);
    };
    for (QToolButton* button : {m_back, m_play, m_forward}) {
        button->setAutoRaise(true);
    }
    const auto call = [](QToolButton* button, const QString& words) {
        button->setToolTip(words);
        button->setAccessibleName(words);
    };
    call(m_back, tr("Back to the event before (Shift+Left)"));
    call(m_forward, tr("On to the next event (Shift+Right)"));
    connect(m_back, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_play, &QToolButton::clicked, this, &Playback::toggle);
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0, 16.0})
        m_speeds->addItem(tr("%1×").arg(speed), speed);
    m_speeds->setCurrentIndex(2);
    m_speeds->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_speeds->setAccessibleName(tr("Speed"));
    m_speeds->setToolTip(tr("Speed; at 1× about two passes a second"));
    connect(m_speeds, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_speed = m_speeds->itemData(index).toDouble(); });
    m_where->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000.00 ms ")));
    m_where->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_where->setAccessibleName(tr("Time of the cursor"));
    m_line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_line->setTextFormat(Qt::PlainText);
    m_line->setAccessibleName(tr("What happens"));
    auto* done = new QToolButton(this);
    done->setText(QStringLiteral("×"));
    done->setAutoRaise(true);
    done->setMinimumSize(24, 24);
    call(done, tr("Close"));
    connect(done, &QToolButton::clicked, this, &Playback::close);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(m_back);
    layout->addWidget(m_play);
    layout->addWidget(m_forward);
    layout->addWidget(m_speeds);
    layout->addWidget(m_where);
    layout->addSpacing(12);
    layout->addWidget(m_line, 1);
    layout->addStretch(0); // takes the room of the line where that is not shown
    layout->addWidget(done);
    m_timer.setInterval(16);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this,
            [this] { advance(static_cast<double>(m_clock.nsecsElapsed()) / 1e9); });
    connect(&m_view, &TimelineView::lanesChanged, this, [this] {
        // The cursor stays, what happens there may be something else.
        m_told.reset();
        if (m_time)
            place(std::clamp(*m_time, static_cast<double>(m_view.lanes()->begin()),
                             static_cast<double>(m_view.lanes()->end())));
    });
    showPlaying(); // with its icons
    hide();
}

void Playback::setNarration(Narration narration)
{
    m_narration = std::move(narration);
}

/// At usual speed two passes of mean length a second, but no more than two minutes for all.
double Playback::ticksPerSecond() const
{
    const Lanes& lanes = *m_view.lanes();
    const auto whole = static_cast<double>(lanes.end() - lanes.begin());
    const auto spans = static_cast<double>(std::max<std::size_t>(1, lanes.spanCount()));
    const auto count = static_cast<double>(std::max<std::size_t>(1, lanes.lanes().size()));
    return m_speed * std::max(2 * whole * count / spans, whole / 120);
}

void Playback::setSpeed(double speed)
{
    m_speed = speed;
    if (const int known = m_speeds->findData(speed); known >= 0)
        m_speeds->setCurrentIndex(known);
}

void Playback::play()
{
    const auto begin = static_cast<double>(m_view.lanes()->begin());
    if (m_view.lanes()->spanCount() == 0)
        return;
    show();
    if (!m_time || *m_time >= static_cast<double>(m_view.lanes()->end()))
        place(begin);
    m_clock.start();
    m_timer.start();
    showPlaying();
}

void Playback::pause()
{
    m_timer.stop();
    showPlaying();
}

void Playback::toggle()
{
    if (playing())
        pause();
    else
        play();
}

void Playback::advance(double seconds)
{
    m_clock.start();
    if (!m_time)
        return;
    const auto end = static_cast<double>(m_view.lanes()->end());
    const double next = *m_time + seconds * ticksPerSecond();
    place(std::min(next, end));
    if (next >= end)
        pause();
}

void Playback::step(int direction)
{
    if (m_view.lanes()->spanCount() == 0)
        return;
    pause();
    show();
    const auto begin = static_cast<double>(m_view.lanes()->begin());
    if (!m_time) {
        place(begin);
        return;
    }
    if (const std::optional<Ticks> event = nextEvent(*m_view.lanes(), *m_time, direction))
        place(static_cast<double>(*event));
}

void Playback::setTime(double time)
{
    show();
    place(time);
}

void Playback::close()
{
    pause();
    place(std::nullopt);
    hide();
    m_view.setFocus();
}

void Playback::place(std::optional<double> time)
{
    m_time = time;
    m_view.setLayer(CursorLayer{time});
    m_where->setText(time ? durationText(*time) : QString());
    if (time) {
        follow();
        // Of what has happened the last is told.
        const Lanes& lanes = *m_view.lanes();
        const auto now = static_cast<Ticks>(std::floor(*time));
        const std::optional<Ticks> event = nextEvent(lanes, static_cast<double>(now) + 0.5, -1);
        tell(event.value_or(lanes.begin()));
    } else {
        m_told.reset();
        m_line->clear();
    }
    Q_EMIT moved(time);
}

/// Keeps the cursor in sight.
void Playback::follow()
{
    const double length = m_range.length();
    if (*m_time > m_range.end() - 0.02 * length || *m_time < m_range.begin())
        m_range.pan(*m_time - m_range.begin() - 0.1 * length);
}

void Playback::tell(Ticks event)
{
    if (m_told == event)
        return;
    m_told = event;
    m_line->setText(narrate(*m_view.lanes(), event, m_narration));
    m_line->setToolTip(m_line->text());
}

void Playback::setSentenceShown(bool shown)
{
    m_line->setVisible(shown);
    m_where->setVisible(shown);
}

QString Playback::sentence() const
{
    return m_line->text();
}

void Playback::showPlaying()
{
    makeIcons();
    const QString words = playing() ? tr("Pause (Space)") : tr("Play (Space)");
    m_play->setToolTip(words);
    m_play->setAccessibleName(words);
    Q_EMIT playingChanged(playing());
}

void Playback::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        makeIcons();
    QWidget::changeEvent(event);
}

/// Drawn, since fonts do not have them everywhere.
void Playback::makeIcons()
{
    constexpr int usual = 14;
    const int side = TimeAxis::letters(usual);
    for (QToolButton* button : {m_back, m_play, m_forward}) {
        button->setFixedSize(2 * side, 2 * side);
        button->setIconSize({side, side});
    }
    const auto drawn = [this, side](auto draw) {
        const double ratio = devicePixelRatioF();
        QPixmap picture(QSize(side, side) * ratio);
        picture.setDevicePixelRatio(ratio);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(static_cast<double>(side) / usual, static_cast<double>(side) / usual);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(Role::Text));
        draw(painter);
        return QIcon(picture);
    };
    m_back->setIcon(drawn([](QPainter& painter) {
        painter.drawRect(QRectF(2, 2, 2, 10));
        painter.drawPolygon(QPolygonF({{12, 2}, {5, 7}, {12, 12}}));
    }));
    m_forward->setIcon(drawn([](QPainter& painter) {
        painter.drawRect(QRectF(10, 2, 2, 10));
        painter.drawPolygon(QPolygonF({{2, 2}, {9, 7}, {2, 12}}));
    }));
    m_play->setIcon(playing() ? drawn([](QPainter& painter) {
        painter.drawRect(QRectF(3, 2, 3, 10));
        painter.drawRect(QRectF(8, 2, 3, 10));
    })
                              : drawn([](QPainter& painter) {
                                    painter.drawPolygon(QPolygonF({{3, 1}, {12, 7}, {3, 13}}));
                                }));
}

} // namespace pw::ui
