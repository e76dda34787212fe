// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

class QToolButton;
class QWidget;

namespace pw::ui {

/// A button of words in a line above a page, without a frame until the pointer is over it.
QToolButton* flatButton(QWidget* parent, const QString& label, const QString& tip);

} // namespace pw::ui
