// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/loop_watch.h"
#include "tests/support/x_hand.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QModelIndex>
#include <QString>

class QAbstractItemView;

/// The studio's window as the program shows it, a hand to use it with, and a watch on how long its
/// thread is away. What it says of places is of the page in front.
class StudioWalk
{
public:
    StudioWalk();
    /// Closes the window without questions, and says what the watch has seen.
    ~StudioWalk();

    pw::ui::MainWindow& window() { return m_window; }
    XHand& hand() { return m_hand; }
    pw::ui::SchedulePage* page() const { return m_window.schedulePage(); }
    pw::ui::ScheduleDocument& document() { return page()->document(); }

    /// A schedule as text, in a tab of its own. @return  what went wrong
    QString open(const char* orders, const pw::UniformCosts& costs = {});
    /// "F0 F1 BW0", of a device.
    QString order(std::size_t device);
    /// The numbers in the status line.
    QString figures() const;
    /// What the status line says beside them.
    QString told() const;
    /// Whether it is said as a refusal.
    bool toldIsRefusal() const;

    /// At a part of what is seen of a lane.
    XHand::Place lane(int device, double part);
    /// The middle of a pass, and so many milliseconds later on the axis of time.
    XHand::Place pass(pw::ui::SpanRef span, double later = 0);
    /// A row of a list or table that stands in the window.
    static XHand::Place row(QAbstractItemView* view, const std::function<QModelIndex()>& index);
    /// A row of the palette, once its search leaves it in sight.
    XHand::Place inPalette(int kind, const QString& id);
    XHand::Place paletteSearch();

    /// Keeps a picture of the screen where the environment names a folder for them.
    void picture(const QString& name);

private:
    pw::ui::MainWindow m_window;
    XHand m_hand;
    LoopWatch m_watch;
};
