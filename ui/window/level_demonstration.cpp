// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/level_demonstration.h"

#include "core/lesson/play.h"
#include "ui/core_sentences.h"
#include "ui/lesson/lesson_words.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <algorithm>

namespace pw::ui {

LevelDemonstration::LevelDemonstration(MainWindow& window)
    : m_window(window)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LevelDemonstration::doNext);
}

void LevelDemonstration::begin(SchedulePage& page, const LessonLevel& level, int acts)
{
    m_page = &page;
    m_level = &level;
    m_act = 0;
    m_acts = std::min(acts, static_cast<int>(level.demonstration.size()));
    m_timer.start(0);
}

void LevelDemonstration::stop()
{
    m_timer.stop();
    m_level = nullptr;
}

void LevelDemonstration::doNext()
{
    constexpr int slowest = 400;   // milliseconds between two acts
    constexpr int longest = 8'000; // of a whole demonstration
    if (!m_page || m_act >= m_acts) {
        stop();
        return;
    }
    ScheduleDocument& document = m_page->document();
    const LessonAct& act = m_level->demonstration[static_cast<std::size_t>(m_act++)];
    const auto edit = editOf(*m_level, document.project(), act);
    const auto done = edit ? document.edit(*edit, actWords(act)) : Result<void>(fail(edit.error()));
    if (!done) {
        stop();
        m_window.refuse(coreSentence(done.error().message));
        return;
    }
    m_window.tell(actWords(act));
    m_timer.start(std::min(slowest, longest / std::max(1, m_acts)));
}

} // namespace pw::ui
