// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/text_card.h"

#include <algorithm>

namespace pw::ui {

TextCard::TextCard(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    setFrameShape(QFrame::StyledPanel);
    setMargin(6);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("card"));
    hide();
}

void TextCard::showAt(const QString& words, QPoint point)
{
    const QWidget& around = *parentWidget();
    // A reason is a long line, and a kernel's name in it has no place to break at.
    const int most = std::max(
        200, std::min(around.width() / 2, 44 * around.fontMetrics().averageCharWidth() * 2));
    setText(words);
    setWordWrap(false);
    if (sizeHint().width() > most) {
        setWordWrap(true);
        setFixedWidth(most);
        setFixedHeight(heightForWidth(most));
    } else {
        setFixedSize(sizeHint());
    }
    constexpr int away = 14;
    QPoint place = point + QPoint(away, away);
    if (place.x() + width() > around.width())
        place.setX(std::max(0, point.x() - away - width()));
    if (place.y() + height() > around.height())
        place.setY(std::max(0, point.y() - away - height()));
    move(place);
    show();
    raise();
}

} // namespace pw::ui
