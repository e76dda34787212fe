// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"

#include <QPoint>
#include <QString>

class QWidget;

namespace pw::ui {

class AnnotationEditor;

/// How a tint is called in menus.
QString nameOf(AnnotationTint tint);

/// Pops up what can be done with the annotation that is selected. @pre one is
void showAnnotationMenu(AnnotationEditor& editor, QPoint at, QWidget* window);

} // namespace pw::ui
