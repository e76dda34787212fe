// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_cards.h"

#include "core/lesson/standing.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

void bringIntoSight(QScrollArea& area, QWidget& part)
{
    constexpr int soon = 30; // milliseconds: layouts give it its place in the next turns
    QTimer::singleShot(soon, &part, [area = QPointer<QScrollArea>(&area), &part] {
        if (area && area->widget() != nullptr && area->widget()->isAncestorOf(&part))
            area->ensureWidgetVisible(&part, 0, part.fontMetrics().height());
    });
}

LessonCard::LessonCard(QWidget* parent, Role line)
    : QWidget(parent)
    , m_line(line)
{
}

void LessonCard::setLine(Role line)
{
    m_line = line;
    update();
}

void LessonCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(m_line), 1));
    painter.setBrush(color(Role::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

MedalCard::MedalCard(const QString& name, const MedalStanding& medal, QWidget* parent)
    : LessonCard(parent)
    , m_par(text(medal.par).replace(QStringLiteral(" · "), QStringLiteral("\n")))
    , m_mark(new QLabel(this))
    , m_parLabel(new QLabel(tr("par %1").arg(m_par), this))
    , m_now(new QLabel(this))
    , m_best(new QLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(1);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    auto* what = new QLabel(name, this);
    QFont bold = what->font();
    bold.setWeight(QFont::DemiBold);
    what->setFont(bold);
    head->addWidget(m_mark);
    head->addWidget(what, 1);
    layout->addLayout(head);
    m_best->hide();
    for (QLabel* label : {m_parLabel, m_best, m_now}) {
        label->setTextFormat(Qt::PlainText);
        QFont font = label->font();
        font.setPointSizeF(font.pointSizeF() * 0.9);
        label->setFont(font);
        setInk(label, Role::Secondary);
        layout->addWidget(label);
    }
    // As wide as when par is reached, so that the dock stays where it is.
    m_now->setText(tr("you: %1").arg(m_par.section(QLatin1Char('\n'), 0, 0)));
    layout->addItem(new QSpacerItem(m_now->sizeHint().width(), 0));
    m_now->clear();
    setVisible(medal.offered);
}

void MedalCard::setStanding(const MedalStanding& medal)
{
    m_mark->setText(medal.won ? QStringLiteral("●") : QStringLiteral("○"));
    setInk(m_mark, medal.won ? Role::Weight : Role::Secondary);
    setLine(medal.won ? Role::Weight : Role::Line);
    m_now->setText(tr("you: %1").arg(text(medal.now)));
    if (medal.won)
        setParShown(true);
}

void MedalCard::setParShown(bool shown)
{
    m_parLabel->setText(tr("par %1").arg(shown ? m_par : QStringLiteral("?")));
}

void MedalCard::setBest(const MedalStanding& best)
{
    m_best->setText(tr("best: %1").arg(text(best.now)));
    m_best->show();
}

LessonSteps::LessonSteps(int steps, int now, QWidget* parent)
    : QWidget(parent)
    , m_steps(std::max(1, steps))
    , m_now(now)
{
    setAccessibleName(tr("Step %1 of %2").arg(now + 1).arg(m_steps));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LessonSteps::setNow(int now)
{
    m_now = now;
    setAccessibleName(tr("Step %1 of %2").arg(now + 1).arg(m_steps));
    update();
}

QSize LessonSteps::sizeHint() const
{
    return {100, 4};
}

void LessonSteps::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double gap = 5;
    const double wide = (width() - gap * (m_steps - 1)) / m_steps;
    for (int step = 0; step < m_steps; ++step) {
        painter.setBrush(step == m_now  ? color(Role::Accent)
                         : step < m_now ? mixedColor(color(Role::Accent), color(Role::Panel), 0.45)
                                        : color(Role::Line));
        painter.drawRoundedRect(QRectF(step * (wide + gap), 0, wide, height()), 2, 2);
    }
}

} // namespace pw::ui
