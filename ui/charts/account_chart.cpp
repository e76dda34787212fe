// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/account_chart.h"

#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/value_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace pw::ui {

namespace {

struct Look
{
    Role role = Role::Secondary;
    Qt::BrushStyle pattern = Qt::SolidPattern; ///< causes are told apart in grey, too
};

Look lookOf(LossCause cause)
{
    switch (cause) {
    case LossCause::Computing:
        return {Role::Forward};
    case LossCause::Recompute:
        return {Role::Recompute};
    case LossCause::WarmUpCoolDown:
        return {Role::Hatch};
    case LossCause::Dependency:
        return {Role::Update};
    case LossCause::Transfer:
        return {Role::ForwardTint, Qt::Dense3Pattern};
    case LossCause::PeerLate:
        return {Role::Weight, Qt::Dense2Pattern};
    case LossCause::Imbalance:
        return {Role::WeightTint};
    case LossCause::LaunchGap:
        return {Role::BackwardTint};
    case LossCause::Jitter:
        return {Role::RecomputeTint, Qt::Dense3Pattern};
    case LossCause::Unexplained:
        return {Role::Text, Qt::BDiagPattern};
    }
    return {};
}

/// The least height of a bar, in pixels.
constexpr double thin = 6;

double rateOf(Ticks part, Ticks whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

AccountChart::AccountChart(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Lost time"));
    setMinimumHeight(5 * fontMetrics().height());
}

void AccountChart::setAccount(std::shared_ptr<const Account> account, const QStringList& ranks,
                              const QString& note, GuessedParts guessed)
{
    m_account = std::move(account);
    m_guessed = std::move(guessed);
    m_ranks = ranks;
    m_note = note;
    QStringList said;
    double bottom = 0;
    for (const Entry& entry : legend(bottom))
        said += entry.text;
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    fitHeight();
    updateGeometry();
    update();
}

/// The legend takes as many lines as the width makes it; below it there is room for thin bars, also
/// in a low window, where the note has none.
void AccountChart::fitHeight()
{
    constexpr std::size_t most = 4;
    double bottom = 0;
    legend(bottom);
    const auto rows =
        m_account != nullptr ? std::clamp<std::size_t>(m_account->ranks.size(), 2, most) : 2;
    setMinimumHeight(static_cast<int>(bottom + thin * static_cast<double>(rows)) + 4);
}

void AccountChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

void AccountChart::setSentence(const QString& sentence)
{
    m_account = nullptr;
    m_note = sentence;
    setAccessibleDescription(sentence);
    update();
}

QFont AccountChart::smallFont() const
{
    QFont small = font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

QSize AccountChart::sizeHint() const
{
    const int line = fontMetrics().height() + 6;
    const auto rows = static_cast<int>(
        m_account != nullptr ? std::clamp<std::size_t>(m_account->ranks.size(), 2, 8) : 2);
    return {900, line * (3 + rows) + 8};
}

QRectF AccountChart::area() const
{
    return TimeAxis::room(*this).adjusted(0, 2, 0, -2);
}

/// Flows over as many lines as the width makes it.
std::vector<AccountChart::Entry> AccountChart::legend(double& bottom) const
{
    std::vector<Entry> entries;
    const QFontMetricsF metrics(smallFont());
    const double line = metrics.height() + 4;
    const QRectF room = area().adjusted(8, 4, -8, 0);
    double x = room.left(), y = room.top();
    bottom = y;
    if (m_account == nullptr)
        return entries;
    const auto total = m_account->parts();
    const Ticks whole = m_account->wall * static_cast<Ticks>(m_account->ranks.size());
    for (const LossCause cause : allLossCauses) {
        const Ticks part = total[static_cast<std::size_t>(cause)];
        if (part == 0 && cause != LossCause::Unexplained)
            continue;
        Entry entry;
        entry.cause = cause;
        entry.text =
            QStringLiteral("%1 %2").arg(coreWords(name(cause)), percentText(rateOf(part, whole)));
        const double width = metrics.horizontalAdvance(entry.text) + 1.9 * metrics.height();
        if (x > room.left() && x + width > room.right()) {
            x = room.left();
            y += line;
        }
        entry.area = QRectF(x, y, width, line);
        x += width;
        entries.push_back(entry);
    }
    bottom = y + line + 2;
    return entries;
}

/// 0 where the bars need the room.
double AccountChart::noteHeight(double top) const
{
    const double height = QFontMetricsF(smallFont()).height() + 6;
    const double bars =
        m_account != nullptr ? thin * static_cast<double>(m_account->ranks.size()) : 0;
    return m_note.isEmpty() || area().bottom() - top - bars < height ? 0 : height;
}

QRectF AccountChart::barOf(std::size_t rank, double top) const
{
    const QFontMetricsF metrics(smallFont());
    const QRectF room = area();
    const double note = noteHeight(top);
    const double high =
        std::min(metrics.height() + 8,
                 (room.bottom() - note - top) /
                     static_cast<double>(std::max<std::size_t>(m_account->ranks.size(), 1)));
    const double left = room.left() + 8 + metrics.horizontalAdvance(tr("device 00")) + 8;
    const double right =
        room.right() - 16 -
        metrics.horizontalAdvance(
            tr("lost %1 (%2)").arg(QStringLiteral("00.00 ms"), QStringLiteral("00.0 %")));
    return {left, top + static_cast<double>(rank) * high, std::max(40.0, right - left),
            std::max(1.0, high - (high > 8 ? 4 : 0))};
}

Ticks AccountChart::guessed(std::size_t rank, LossCause cause) const
{
    return rank < m_guessed.size() ? m_guessed[rank][static_cast<std::size_t>(cause)] : 0;
}

void AccountChart::paintPart(QPainter& painter, const QRectF& part, LossCause cause) const
{
    const Look look = lookOf(cause);
    if (look.pattern == Qt::SolidPattern) {
        painter.fillRect(part, color(look.role));
        return;
    }
    painter.fillRect(part, color(Role::Paper));
    painter.fillRect(part, QBrush(color(look.role), look.pattern));
    if (cause == LossCause::Unexplained && part.width() > 3) {
        painter.setPen(color(Role::Text));
        painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void AccountChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    const double line = QFontMetricsF(bold).height();
    painter.drawText(QRectF(14, 4, TimeAxis::margin() - 20, line), Qt::AlignLeft, tr("Lost time"));
    const QFont small = smallFont();
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, 5 + line, TimeAxis::margin() - 20, metrics.height() * 2.2),
                     static_cast<int>(Qt::AlignLeft) | Qt::TextWordWrap,
                     tr("of each rank, by cause"));
    painter.fillRect(area(), color(Role::Lane));
    if (m_account == nullptr) {
        painter.drawText(area().adjusted(8, 4, -8, -3), Qt::AlignLeft | Qt::AlignTop, m_note);
        return;
    }
    double top = 0;
    const std::vector<Entry> entries = legend(top);
    if (noteHeight(top) > 0)
        painter.drawText(area().adjusted(8, 4, -8, -3), Qt::AlignLeft | Qt::AlignBottom,
                         metrics.elidedText(m_note, Qt::ElideRight, area().width() - 16));
    for (const Entry& entry : entries) {
        const double side = metrics.height() * 0.7;
        paintPart(painter,
                  QRectF(entry.area.left(), entry.area.center().y() - side / 2, side, side),
                  entry.cause);
        painter.setPen(color(Role::Text));
        painter.drawText(entry.area.adjusted(side + 5, 0, 0, 0), Qt::AlignVCenter, entry.text);
    }
    for (std::size_t rank = 0; rank < m_account->ranks.size(); ++rank) {
        const QRectF bar = barOf(rank, top);
        const RankAccount& parts = m_account->ranks[rank];
        double x = bar.left();
        Ticks sum = 0;
        for (const LossCause cause : allLossCauses) {
            sum += parts.of(cause);
            const double end = bar.left() + bar.width() * rateOf(sum, m_account->wall);
            if (end > x)
                paintPart(painter, QRectF(x, bar.top(), end - x, bar.height()), cause);
            // As in the lanes: the ground shows through what is guessed.
            if (const Ticks part = guessed(rank, cause); part > 0) {
                const double from = end - bar.width() * rateOf(part, m_account->wall);
                painter.fillRect(QRectF(from, bar.top(), end - from, bar.height()),
                                 QBrush(color(Role::Lane), Qt::BDiagPattern));
            }
            x = end;
        }
        if (bar.height() < metrics.ascent())
            continue;
        painter.setPen(color(Role::Secondary));
        painter.drawText(
            QRectF(area().left() + 8, bar.top(), bar.left() - area().left() - 12, bar.height()),
            Qt::AlignVCenter, m_ranks.value(static_cast<qsizetype>(rank)));
        const Ticks lost = m_account->wall - parts.of(LossCause::Computing);
        painter.setPen(color(Role::Text));
        painter.drawText(
            QRectF(bar.right() + 8, bar.top(), area().right() - bar.right() - 12, bar.height()),
            Qt::AlignVCenter,
            tr("lost %1 (%2)")
                .arg(columnTimeText(lost), percentText(rateOf(lost, m_account->wall))));
    }
}

QString AccountChart::partAt(QPointF point) const
{
    if (m_account == nullptr)
        return {};
    double top = 0;
    const auto total = m_account->parts();
    for (const Entry& entry : legend(top))
        if (entry.area.contains(point)) {
            const Ticks whole = m_account->wall * static_cast<Ticks>(m_account->ranks.size());
            const Ticks part = total[static_cast<std::size_t>(entry.cause)];
            return tr("all ranks, %1: %2 of %3 (%4)")
                .arg(coreWords(name(entry.cause)), columnTimeText(part), columnTimeText(whole),
                     percentText(rateOf(part, whole)));
        }
    for (std::size_t rank = 0; rank < m_account->ranks.size(); ++rank) {
        const QRectF bar = barOf(rank, top);
        if (!bar.contains(point))
            continue;
        const RankAccount& parts = m_account->ranks[rank];
        Ticks sum = 0;
        for (const LossCause cause : allLossCauses) {
            sum += parts.of(cause);
            if (parts.of(cause) > 0 &&
                point.x() < bar.left() + bar.width() * rateOf(sum, m_account->wall))
                return tr("%1, %2: %3 of %4 (%5)")
                           .arg(m_ranks.value(static_cast<qsizetype>(rank)), coreWords(name(cause)),
                                columnTimeText(parts.of(cause)), columnTimeText(m_account->wall),
                                percentText(rateOf(parts.of(cause), m_account->wall))) +
                       (guessed(rank, cause) > 0
                            ? tr(", of it guessed %1").arg(columnTimeText(guessed(rank, cause)))
                            : QString());
        }
    }
    return {};
}

bool AccountChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString part = partAt(help->pos());
    if (part.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), part, this);
    return true;
}

} // namespace pw::ui
