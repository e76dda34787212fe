// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

class QFormLayout;
class QPlainTextEdit;
class QVBoxLayout;
class QWidget;

namespace pw::ui {

/// A form that scrolls up and down and is no wider than its fields need: what is edited stands
/// beside it. A field that is too wide for its row stands below its name.
/// @param layout  of the widget that it becomes a part of
QFormLayout& addEditorForm(QVBoxLayout& layout);

/// Several lines of words. Tab leaves it.
QPlainTextEdit* wordsField(const QString& name, int lines, QWidget* parent);

} // namespace pw::ui
