// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/glossary_word.h"

#include "ui/help/glossary.h"
#include "ui/help/manual_window.h"
#include "ui/window/studio.h"

namespace pw::ui {

void showGlossaryWord(Studio& studio, int word)
{
    if (word < 0 || word >= static_cast<int>(glossaryWords().size()))
        return;
    studio.openManual().showPage(
        QStringLiteral("glossary"),
        headingAnchor(glossaryWords()[static_cast<std::size_t>(word)].word));
}

} // namespace pw::ui
