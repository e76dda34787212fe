// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_menu.h"

#include "ui/presentation.h"
#include "ui/timeline/annotation_editor.h"

#include <QAction>
#include <QIcon>
#include <QMenu>
#include <QPixmap>

namespace pw::ui {

QString nameOf(AnnotationTint tint)
{
    switch (tint) {
    case AnnotationTint::Ink:
        return AnnotationEditor::tr("Ink");
    case AnnotationTint::Violet:
        return AnnotationEditor::tr("Violet");
    case AnnotationTint::Orange:
        return AnnotationEditor::tr("Orange");
    case AnnotationTint::Green:
        return AnnotationEditor::tr("Green");
    }
    return {};
}

void showAnnotationMenu(AnnotationEditor& editor, QPoint at, QWidget* window)
{
    auto* menu = new QMenu(window);
    menu->setObjectName(QStringLiteral("annotation-menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QAction* words = menu->addAction(AnnotationEditor::tr("Edit &text…"));
    QObject::connect(words, &QAction::triggered, &editor, &AnnotationEditor::askText);
    menu->addSeparator();
    const AnnotationTint now = editor.own().tint;
    for (const AnnotationTint tint : allAnnotationTints) {
        QPixmap square(12, 12);
        square.fill(color(roleOf(tint)));
        QAction* action = menu->addAction(QIcon(square), nameOf(tint));
        action->setCheckable(true);
        action->setChecked(tint == now);
        QObject::connect(action, &QAction::triggered, &editor,
                         [&editor, tint] { editor.setTint(tint); });
    }
    menu->addSeparator();
    const QAction* gone = menu->addAction(AnnotationEditor::tr("&Remove"));
    QObject::connect(gone, &QAction::triggered, &editor, &AnnotationEditor::remove);
    menu->popup(at);
}

} // namespace pw::ui
