// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QLabel>

namespace pw::ui {

/// Words beside the pointer, inside of the widget that they are of.
class TextCard : public QLabel
{
    Q_OBJECT

public:
    explicit TextCard(QWidget* parent);

    /// Beside a point of the parent, where it hides nothing at that point.
    void showAt(const QString& words, QPoint point);
};

} // namespace pw::ui
