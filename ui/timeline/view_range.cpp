// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/view_range.h"

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double marginPart = 0.01;

} // namespace

ViewRange::ViewRange(QObject* parent)
    : QObject(parent)
{
}

double ViewRange::spare() const
{
    return marginPart * static_cast<double>(m_wholeEnd - m_wholeBegin);
}

void ViewRange::setWiderTitles(int pixels)
{
    pixels = std::max(0, pixels);
    if (pixels == m_widerTitles)
        return;
    m_widerTitles = pixels;
    Q_EMIT changed();
}

bool ViewRange::showsAll() const
{
    return m_begin <= static_cast<double>(m_wholeBegin) && m_end >= static_cast<double>(m_wholeEnd);
}

void ViewRange::setWhole(Ticks begin, Ticks end)
{
    end = std::max(end, begin + 1);
    if (begin == m_wholeBegin && end == m_wholeEnd)
        return;
    const bool all = showsAll();
    m_wholeBegin = begin;
    m_wholeEnd = end;
    Q_EMIT wholeChanged();
    // What is in view may be mostly gone: a stretch at the end would say nothing of what is new.
    const double left = std::min(m_end, farEnd()) - std::max(m_begin, farBegin());
    if (all || 2 * left < length())
        fit();
    else
        show(m_begin, m_end);
}

void ViewRange::show(double begin, double end)
{
    const double least = farBegin();
    const double most = farEnd();
    double length = std::max(end - begin, m_shortest);
    if (length >= most - least) {
        begin = least;
        length = std::max(most - least, m_shortest);
    } else {
        const double middle = (begin + end) / 2;
        begin = std::clamp(middle - length / 2, least, most - length);
    }
    if (begin == m_begin && begin + length == m_end)
        return;
    m_begin = begin;
    m_end = begin + length;
    Q_EMIT changed();
}

void ViewRange::fit()
{
    show(farBegin(), farEnd());
}

void ViewRange::zoom(double factor, double anchor)
{
    const double most = static_cast<double>(m_wholeEnd - m_wholeBegin) + 2 * spare();
    const double length =
        std::clamp(this->length() * factor, m_shortest, std::max(most, m_shortest));
    const double part = (anchor - m_begin) / this->length();
    const double begin = anchor - part * length;
    show(begin, begin + length);
}

void ViewRange::pan(double ticks)
{
    const double least = farBegin();
    const double most = farEnd();
    const double shift =
        std::clamp(ticks, std::min(0.0, least - m_begin), std::max(0.0, most - m_end));
    show(m_begin + shift, m_end + shift);
}

void ViewRange::reveal(double begin, double end)
{
    const double room = 0.05 * length();
    if (end - begin > length() - 2 * room)
        show(begin - room, end + room);
    else if (begin < m_begin + room)
        pan(begin - room - m_begin);
    else if (end > m_end - room)
        pan(end + room - m_end);
}

} // namespace pw::ui
