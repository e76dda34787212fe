// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/label_words.h"

#include <QPainter>

namespace pw::ui {

const LabelWords::Word& LabelWords::word(QPainter& painter, const QString& letters)
{
    constexpr qsizetype most = 4096; // a long run has millions of numbers
    if (m_font != painter.font() || m_words.size() >= most) {
        m_words.clear();
        m_font = painter.font();
    }
    const auto known = m_words.constFind(letters);
    if (known != m_words.cend())
        return *known;
    Word made;
    made.text = QStaticText(letters);
    made.text.setTextFormat(Qt::PlainText);
    made.text.setPerformanceHint(QStaticText::AggressiveCaching);
    made.text.prepare(painter.transform(), painter.font());
    made.size = made.text.size();
    return *m_words.insert(letters, made);
}

} // namespace pw::ui
