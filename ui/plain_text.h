// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

class QApplication;
class QMessageBox;
class QWidget;

namespace pw::ui {

/// Makes text plain wherever nobody asked for markup: labels, tool tips, message boxes, what the
/// views show. Titles, names and notes come from files, traces and other programs, and Qt would
/// else take `<img src=…>` in them for an image to load.
///
/// A label with text of our own that has markup says so itself (`Qt::RichText`), and what it quotes
/// is escaped. Once an application; further calls do nothing.
void keepTextPlain(QApplication& application);

/// Tells a tool tip's lines apart: no line is much longer than a person reads, and what is far
/// longer than that is cut.
QString tipLines(const QString& tip);

/// A question or a remark with plain text. The caller shows it.
QMessageBox* plainBox(QWidget* parent, const QString& title, const QString& text);

} // namespace pw::ui
