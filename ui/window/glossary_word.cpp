// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/glossary_word.h"

#include "ui/help/glossary.h"
#include "ui/help/manual_window.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"

#include <QAction>

namespace pw::ui {

void showGlossaryWord(MainWindow& window, int word)
{
    QAction* manual = window.commands().action(QStringLiteral("help.manual"));
    if (manual == nullptr || word < 0 || word >= static_cast<int>(glossaryWords().size()))
        return;
    manual->trigger();
    auto* shown = window.findChild<ManualWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (shown != nullptr)
        shown->showPage(QStringLiteral("glossary"),
                        headingAnchor(glossaryWords()[static_cast<std::size_t>(word)].word));
}

} // namespace pw::ui
