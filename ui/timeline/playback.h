// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace pw::ui {

/// What the lanes themselves do not know: how a pass is called, and why a lane is idle at a time,
/// as the rest of a sentence ("waits for B of micro-batch 3"); empty: not known.
struct Narration
{
    std::function<QString(const Pass& pass)> pass;
    std::function<QString(int lane, Ticks time)> idle;
};

/// What happens in lanes at a time, in a sentence: who starts, who ends, who waits for what. The
/// time itself stands beside it.
QString narrate(const Lanes& lanes, Ticks time, const Narration& narration);

/// A cursor that goes over a timeline, by itself or from event to event, with a bar of buttons and
/// a line that says what happens. Goes on any lanes.
class Playback : public QWidget
{
    Q_OBJECT

public:
    Playback(TimelineView& view, ViewRange& range, QWidget* parent = nullptr);

    void setNarration(Narration narration);
    /// Whether the bar says what happens; where somebody else does, it need not.
    void setSentenceShown(bool shown);

    bool playing() const { return m_timer.isActive(); }
    /// From where the cursor is, at the end from the beginning.
    void play();
    void pause();
    /// Plays or pauses; shows the bar.
    void toggle();
    /// To the next (+1) or the previous (−1) start or end of a pass; pauses.
    void step(int direction);
    /// Goes on by seconds of a clock on the wall, as the running bar does by itself.
    void advance(double seconds);
    /// How much faster than usual: 2 passes of usual length a second.
    void setSpeed(double speed);
    double speed() const { return m_speed; }
    /// Takes the cursor and the bar away.
    void close();

    /// Where the cursor is; none: nowhere.
    const std::optional<double>& time() const { return m_time; }
    void setTime(double time);
    /// What the line says.
    QString sentence() const;

Q_SIGNALS:
    /// The cursor is elsewhere, or gone.
    void moved(std::optional<double> time);
    void playingChanged(bool playing);

protected:
    void changeEvent(QEvent* event) override;

private:
    void place(std::optional<double> time);
    void follow();
    void tell(Ticks event);
    void showPlaying();
    void makeIcons();
    double ticksPerSecond() const;

    TimelineView& m_view;
    ViewRange& m_range;
    Narration m_narration;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::optional<double> m_time;
    std::optional<Ticks> m_told;
    double m_speed = 1;
    QToolButton* m_play;
    QToolButton* m_back;
    QToolButton* m_forward;
    QComboBox* m_speeds;
    QLabel* m_where;
    QLabel* m_line;
};

} // namespace pw::ui
