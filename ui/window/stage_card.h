// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/lesson/lesson_cards.h"
#include "ui/models/lanes.h"

class QLabel;

namespace pw::ui {

/// What is said on the stage below the lanes: what happens now, how much was idle so far, and when
/// it ends.
class StageCard : public LessonCard
{
    Q_OBJECT

public:
    explicit StageCard(QWidget* parent = nullptr);

    /// @param sentence  what happens, without the time
    /// @param chain     of passes that decides the end, in time order; may be empty
    void tell(const Lanes& lanes, Ticks now, const QString& sentence,
              const std::vector<SpanRef>& chain);
    /// Which step of the play it is. @param step  0: the beginning
    void setStep(std::int64_t step, std::int64_t steps);
    /// Where there is little room only what happens is said, and the time.
    void setBrief(bool brief);
    QString words() const;

private:
    QLabel* m_sentence;
    QLabel* m_idle;
    QLabel* m_chain;
    QLabel* m_now;
    QLabel* m_step;
    bool m_brief = false;
};

/// Idle time of all lanes from the beginning to a time.
Ticks idleUntil(const Lanes& lanes, Ticks now);

/// Spans that have begun at a time.
std::int64_t begunUntil(const Lanes& lanes, const std::vector<SpanRef>& spans, Ticks now);

} // namespace pw::ui
