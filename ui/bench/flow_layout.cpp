// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/flow_layout.h"

#include <algorithm>

namespace pw::ui {

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent)
{
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.append(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items.at(index) : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const
{
    return lines(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const
{
    int width = 0;
    for (const QLayoutItem* item : m_items)
        width += item->sizeHint().width() + std::max(0, spacing());
    return {width, heightForWidth(width)};
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size.grownBy(margins);
}

void FlowLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    lines(area, true);
}

int FlowLayout::lines(const QRect& area, bool place) const
{
    const QRect inside = area.marginsRemoved(contentsMargins());
    const int space = std::max(0, spacing());
    int x = inside.left();
    int y = inside.top();
    QList<QLayoutItem*> line;
    int high = 0;
    const auto finish = [&] {
        int at = inside.left();
        for (QLayoutItem* item : line) {
            const QSize size = item->sizeHint();
            if (place)
                item->setGeometry(QRect(QPoint(at, y + (high - size.height()) / 2), size));
            at += size.width() + space;
        }
        line.clear();
    };
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (!line.isEmpty() && x + size.width() > inside.right() + 1) {
            finish();
            y += high + space;
            x = inside.left();
            high = 0;
        }
        line.append(item);
        x += size.width() + space;
        high = std::max(high, size.height());
    }
    finish();
    return y + high - area.top() + contentsMargins().bottom();
}

} // namespace pw::ui
