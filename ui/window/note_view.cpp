// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/note_view.h"

#include "ui/presentation.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int mostSteps = 24; ///< more would be too thin for a room

/// How high words are in a width; 0: there are none.
int heightOf(const QString& words, const QFont& font, int width)
{
    if (words.isEmpty())
        return 0;
    const QFontMetrics metrics(font);
    return metrics
               .boundingRect(QRect(0, 0, width, 100'000), Qt::TextWordWrap | Qt::AlignLeft, words)
               .height() +
           metrics.leading();
}

QFont sized(QFont font, double size, bool bold)
{
    font.setPointSizeF(font.pointSizeF() * size);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

constexpr double headingSize = 1.15; ///< of the body's

} // namespace

NoteView::NoteView(std::vector<NoteCard> cards, QWidget* parent)
    : LessonCard(parent, Role::Accent)
    , m_cards(std::move(cards))
    , m_heading(new QLabel(this))
    , m_body(new QLabel(this))
    , m_place(new QLabel(this))
    , m_steps(new LessonSteps(static_cast<int>(m_cards.size()), 0, this))
{
    setObjectName(QStringLiteral("stage-note"));
    const int em = fontMetrics().height();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(em, em / 2, em / 2, em / 2);
    row->setSpacing(em / 2);
    auto* said = new QVBoxLayout;
    said->setSpacing(em / 4);
    row->addLayout(said, 1);
    for (QLabel* label : {m_heading, m_body}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        said->addWidget(label);
    }
    said->addStretch(1);
    said->addWidget(m_steps);
    const auto count = static_cast<int>(m_cards.size());
    m_steps->setVisible(count > 1 && count <= mostSteps);
    auto* way = new QVBoxLayout;
    way->setSpacing(em / 4);
    row->addLayout(way);
    m_place->setAlignment(Qt::AlignRight | Qt::AlignTop);
    setInk(m_place, Role::Secondary);
    way->addWidget(m_place);
    way->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(em / 4);
    buttons->addStretch(1);
    m_back = addWay(QStringLiteral("‹"), tr("The card before (Shift+N)"), -1);
    m_next = addWay(QStringLiteral("›"), tr("The next card (N)"), 1);
    buttons->addWidget(m_back);
    buttons->addWidget(m_next);
    way->addLayout(buttons);
    for (QWidget* one : {static_cast<QWidget*>(m_back), static_cast<QWidget*>(m_next),
                         static_cast<QWidget*>(m_place)})
        one->setVisible(count > 1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showCard(0);
}

QToolButton* NoteView::addWay(const QString& sign, const QString& words, int by)
{
    auto* button = new QToolButton(this);
    button->setText(sign);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus); // keys are the stage's
    button->setMinimumSize(28, 28);
    button->setToolTip(words);
    button->setAccessibleName(words);
    connect(button, &QToolButton::clicked, this, [this, by] { Q_EMIT walkAsked(by); });
    return button;
}

void NoteView::showCard(int card)
{
    const NoteCard& now = m_cards[static_cast<std::size_t>(card)];
    const auto count = static_cast<int>(m_cards.size());
    m_heading->setText(now.heading);
    m_heading->setVisible(!now.heading.isEmpty());
    m_body->setText(now.body);
    m_body->setVisible(!now.body.isEmpty());
    m_place->setText(tr("%1 of %2").arg(card + 1).arg(count));
    m_steps->setNow(card);
    m_back->setEnabled(card > 0);
    m_next->setEnabled(card + 1 < count);
    setAccessibleName(tr("Card %1 of %2").arg(card + 1).arg(count));
    setAccessibleDescription(words());
}

QString NoteView::words() const
{
    return m_heading->text().isEmpty() ? m_body->text()
                                       : m_heading->text() + QLatin1Char('\n') + m_body->text();
}

void NoteView::setRoom(int height)
{
    if (height == m_room)
        return;
    m_room = height;
    fit();
}

/// How high the highest of the cards is with letters of a size.
/// @param width  of the words
int NoteView::heightWith(double size, int width) const
{
    const QFont plain = sized(font(), size, false), bold = sized(font(), size * headingSize, true);
    int most = 0;
    for (const NoteCard& card : m_cards) {
        const int heading = heightOf(card.heading, bold, width);
        const int body = heightOf(card.body, plain, width);
        const int gap = heading > 0 && body > 0 ? layout()->spacing() : 0;
        most = std::max(most, heading + gap + body);
    }
    return most;
}

/// The largest letters that all cards have room with.
void NoteView::fit()
{
    const int em = fontMetrics().height();
    const QMargins margins = layout()->contentsMargins();
    m_width = width();
    const int wide =
        m_width - margins.left() - margins.right() - layout()->spacing() -
        (m_place->isHidden()
             ? 0
             : std::max(m_place->sizeHint().width(),
                        m_back->sizeHint().width() + m_next->sizeHint().width() + em / 4));
    const int around = margins.top() + margins.bottom() +
                       (m_steps->isHidden() ? 0 : m_steps->sizeHint().height() + em / 2);
    double size = 1.35;
    constexpr double least = 0.75, step = 0.05;
    while (size > least && around + heightWith(size, std::max(wide, 10 * em)) > m_room)
        size -= step;
    m_heading->setFont(sized(font(), size * headingSize, true));
    m_body->setFont(sized(font(), size, false));
    setFixedHeight(around + heightWith(size, std::max(wide, 10 * em)) + em / 4);
}

void NoteView::resizeEvent(QResizeEvent* event)
{
    LessonCard::resizeEvent(event);
    if (width() != m_width && m_room > 0)
        fit();
}

} // namespace pw::ui
