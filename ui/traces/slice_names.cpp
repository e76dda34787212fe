// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_names.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr std::size_t mostNames = 100'000, mostLaid = 20'000;
/// Characters of a name that are ever painted.
constexpr int mostCharacters = 1000;
constexpr QChar ellipsis(0x2026);

} // namespace

SliceNames::Name& SliceNames::nameOf(std::int32_t name)
{
    if (m_names.size() > mostNames)
        m_names.clear();
    const auto [found, made] = m_names.try_emplace(name);
    if (made)
        found->second.text = m_read(name);
    return found->second;
}

void SliceNames::setFont(const QFont& font)
{
    if (m_ellipsis > 0 && font == m_font)
        return;
    m_font = font;
    m_ellipsis = QFontMetricsF(font).horizontalAdvance(ellipsis);
    for (auto& [number, name] : m_names) {
        name.measured = false;
        name.laid.clear();
    }
    m_laid = 0;
}

void SliceNames::measure(Name& name) const
{
    const QString shown = name.text.left(mostCharacters);
    QTextLayout layout(shown, m_font);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    name.before.assign(static_cast<std::size_t>(shown.size()) + 1, -1);
    for (int i = 0; i <= shown.size(); ++i)
        if (layout.isValidCursorPosition(i))
            name.before[static_cast<std::size_t>(i)] = static_cast<float>(line.cursorToX(i));
    name.measured = true;
}

void SliceNames::paint(QPainter& painter, const QRectF& room, std::int32_t number)
{
    if (m_laid > mostLaid) {
        for (auto& [other, name] : m_names)
            name.laid.clear();
        m_laid = 0;
    }
    Name& name = nameOf(number);
    if (name.text.isEmpty())
        return;
    if (!name.measured)
        measure(name);
    std::size_t count = name.before.size() - 1;
    const bool whole = name.text.size() <= mostCharacters &&
                       static_cast<double>(name.before.back()) <= room.width();
    if (!whole)
        while (count > 0 && (name.before[count] < 0 ||
                             static_cast<double>(name.before[count]) + m_ellipsis > room.width()))
            --count;
    if (!whole && m_ellipsis > room.width())
        return;
    const auto [found, made] = name.laid.try_emplace(whole ? name.before.size() : count);
    QStaticText& laid = found->second;
    if (made) {
        laid.setText(whole ? name.text : name.text.left(static_cast<qsizetype>(count)) + ellipsis);
        laid.setTextFormat(Qt::PlainText);
        laid.setPerformanceHint(QStaticText::AggressiveCaching);
        laid.prepare(painter.transform(), m_font);
        ++m_laid;
    }
    painter.drawStaticText(
        QPointF(room.left(), std::round(room.center().y() - laid.size().height() / 2)), laid);
}

} // namespace pw::ui
