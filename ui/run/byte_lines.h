// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace pw::ui {

/// Makes lines of the bytes that another program writes, whatever pieces they arrive in: a
/// character is not cut by the end of a piece, and a line is one line.
class ByteLines
{
public:
    /// A longer line is given in parts of this size, so that no program fills the memory.
    static constexpr qsizetype longest = 8192;

    /// @return  lines that are whole by now, without empty ones
    QStringList add(const QByteArray& bytes)
    {
        m_rest += bytes;
        QStringList lines;
        qsizetype from = 0;
        while (from < m_rest.size()) {
            qsizetype end = m_rest.indexOf('\n', from);
            const bool whole = end >= 0 && end - from <= longest;
            if (!whole && m_rest.size() - from <= longest)
                break;
            if (!whole)
                end = from + partLength(from);
            append(lines, m_rest.mid(from, end - from));
            from = end + (whole ? 1 : 0);
        }
        m_rest.remove(0, from);
        return lines;
    }

    /// What is left without a line end.
    QStringList end()
    {
        QStringList lines;
        append(lines, m_rest);
        m_rest.clear();
        return lines;
    }

private:
    static void append(QStringList& lines, const QByteArray& line)
    {
        if (!line.isEmpty() && line != "\r")
            lines << QString::fromUtf8(line.endsWith('\r') ? line.chopped(1) : line);
    }

    /// Up to the last whole character.
    qsizetype partLength(qsizetype from) const
    {
        qsizetype length = longest;
        for (int back = 0; back < 3 && (static_cast<uchar>(m_rest[from + length]) & 0xC0U) == 0x80U;
             ++back)
            --length;
        return length;
    }

    QByteArray m_rest;
};

} // namespace pw::ui
