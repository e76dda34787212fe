// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/hover_card.h"

#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace pw::ui {

namespace {

constexpr int restMs = 250;             ///< that the pointer rests before the card comes
constexpr int widestCard = 380;         ///< pixels of a line
constexpr QPoint besidePointer(16, 18); ///< from the pointer

/// Pixels of `box` that lie in any of `others`.
int coveredPixels(const QRect& box, const std::vector<QRect>& others)
{
    int sum = 0;
    for (const QRect& other : others) {
        const QRect common = box.intersected(other);
        sum += common.isEmpty() ? 0 : common.width() * common.height();
    }
    return sum;
}

} // namespace

HoverCard::HoverCard(TimelineView& view)
    : QFrame(&view)
    , m_view(view)
    , m_life(&view)
    , m_label(new QLabel(this))
{
    setObjectName(QStringLiteral("hover-card"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::NoFocus);
    m_label->setTextFormat(Qt::RichText);
    m_label->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 7, 10, 8);
    layout->addWidget(m_label);
    hide();
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &HoverCard::appear);
    connect(&view, &TimelineView::dragBegun, this, [this] { setNews({}); });
    connect(&view, &TimelineView::lanesChanged, this, [this] { setNews({}); });
    connect(&view.range(), &ViewRange::changed, this, [this] { setNews({}); });
    // The window that it is shown in may live longer than the view.
    connect(&view, &QObject::destroyed, this, [this] {
        m_rest.stop();
        hide();
        deleteLater();
    });
    view.viewport()->installEventFilter(this);
    view.installEventFilter(this);
}

bool HoverCard::viewLives() const
{
    return qobject_cast<TimelineView*>(m_life.data()) != nullptr;
}

bool HoverCard::eventFilter(QObject* watched, QEvent* event)
{
    if (!viewLives())
        return QFrame::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseMove:
        // Before the view says what is there: the card comes to where the pointer is.
        m_pointer = static_cast<QMouseEvent*>(event)->position().toPoint();
        break;
    case QEvent::MouseButtonPress:
    case QEvent::Leave:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::Hide:
    case QEvent::DragEnter:
        if (event->type() != QEvent::Leave || watched == m_view.viewport())
            setNews({});
        break;
    default:
        break;
    }
    return QFrame::eventFilter(watched, event);
}

void HoverCard::setNews(HoverNews news)
{
    const bool same = news.title == m_news.title && news.lines == m_news.lines;
    m_news = std::move(news);
    if (m_news.empty()) {
        vanish();
        return;
    }
    if (isVisible()) {
        // It is read already: the next one comes at once, and stands still over one thing.
        if (!same)
            appear();
    } else {
        m_rest.start();
    }
}

void HoverCard::vanish()
{
    m_rest.stop();
    light(nullptr);
    hide();
}

void HoverCard::light(const HoverNews* news)
{
    if (!viewLives())
        return;
    if (news != nullptr)
        m_view.setLayer(LitLayer{news->lit, news->arrows});
    else if (!m_view.overlay().lit.empty() || !m_view.overlay().litArrows.empty())
        m_view.setLayer(LitLayer{});
}

void HoverCard::write()
{
    QStringList rows{QStringLiteral("<b>%1</b>").arg(m_news.title.toHtmlEscaped())};
    for (const QString& line : m_news.lines)
        rows += line.toHtmlEscaped();
    if (!m_news.wrong.isEmpty())
        rows += QStringLiteral("<span style=\"color:%1\">%2</span>")
                    .arg(color(Role::Refusal).name(), m_news.wrong.toHtmlEscaped());
    m_label->setText(rows.join(QStringLiteral("<br>")));
}

QString HoverCard::words() const
{
    QStringList all{m_news.title};
    all += m_news.lines;
    if (!m_news.wrong.isEmpty())
        all += m_news.wrong;
    return all.join(QLatin1Char('\n'));
}

void HoverCard::appear()
{
    light(&m_news);
    write();
    settle();
}

/// Below the pointer where there is room, and where it hides least of what it speaks of.
QRect HoverCard::placeFor(QSize size) const
{
    const QWidget* room = parentWidget();
    const QPoint at = m_view.viewport()->mapTo(room, m_pointer);
    std::vector<QRect> keep{QRect(at, QSize(1, 1))};
    for (const SpanRef span : m_news.lit) {
        const QRect box = m_view.rectangleOf(span).toAlignedRect();
        keep.push_back(box.intersected(m_view.viewport()->rect())
                           .translated(m_view.viewport()->mapTo(room, QPoint())));
    }
    const int right = at.x() + besidePointer.x(), left = at.x() - besidePointer.x() - size.width();
    const int below = at.y() + besidePointer.y(),
              above = at.y() - besidePointer.y() - size.height();
    QRect best;
    int least = std::numeric_limits<int>::max();
    for (const QPoint corner : std::array<QPoint, 4>{QPoint(right, below), QPoint(left, below),
                                                     QPoint(right, above), QPoint(left, above)}) {
        QRect box(corner, size);
        box.moveLeft(std::clamp(box.left(), 4, std::max(4, room->width() - size.width() - 4)));
        box.moveTop(std::clamp(box.top(), 4, std::max(4, room->height() - size.height() - 4)));
        if (const int hidden = coveredPixels(box, keep); hidden < least) {
            least = hidden;
            best = box;
        }
    }
    return best;
}

void HoverCard::settle()
{
    if (QWidget* window = m_view.window(); parentWidget() != window)
        setParent(window);
    m_label->setMinimumWidth(0);
    m_label->setWordWrap(false);
    const int wanted = m_label->sizeHint().width();
    m_label->setWordWrap(true);
    m_label->setFixedWidth(std::min(wanted, widestCard));
    const int high = m_label->heightForWidth(m_label->width());
    const QMargins margins = layout()->contentsMargins();
    const QSize size(m_label->width() + margins.left() + margins.right() + 2 * frameWidth(),
                     high + margins.top() + margins.bottom() + 2 * frameWidth());
    setGeometry(placeFor(size));
    show();
    raise();
}

void HoverCard::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && isVisible())
        write();
    QFrame::changeEvent(event);
}

} // namespace pw::ui
