// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "ui/timeline/timeline_view.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <vector>

class QMenu;

namespace pw::ui {

class ScheduleDocument;

/// What can be said of the selected passes and of their device: a time of their own, recomputation,
/// offload to the host, a memory cap. The menu that opens over a pass, and what a double click
/// does.
class PassMenu : public QObject
{
    Q_OBJECT

public:
    /// Both outlive it. @param more  adds further entries at the end of the menu; may be empty
    PassMenu(ScheduleDocument& document, TimelineView& timeline,
             std::function<void(QMenu&)> more = {}, QObject* parent = nullptr);

    /// Why nothing may be said of the passes, in a sentence; none may be said in a level, whose
    /// times are given. Empty: it may.
    void setLocked(std::function<QString()> why) { m_locked = std::move(why); }

    /// Whether anything is selected that a time can be given to; else why not.
    QString whyNot() const;

    void askTime();
    void askCap();
    /// The cap of all devices, where nothing has bytes.
    void askShareCap();
    /// @param stage  the whole stage of the current pass
    void recompute(bool on, bool stage);
    /// The activations wait in the host's memory, or on their device. @param stage  as above
    void offload(bool on, bool stage);
    /// Of the whole schedule those whose copies no pass waits for, and no others.
    void offloadHidden();
    /// As few of these as the caps need.
    void offloadFitting();
    /// What a device's link to its host carries.
    void askHostLink();

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void refused(const QString& why);

private:
    std::vector<Pass> passes() const;
    DeviceId device() const;
    void makeSelected(SpanRef span);
    bool mayNot();
    void fill(QMenu& menu);
    void fillOffload(QMenu& menu, const std::vector<Pass>& cells, const QString& what,
                     StageId stage);
    void add(QMenu& menu, const QString& words, bool can, const std::function<void()>& run);
    /// The schedule, where it is whole and something may be said of it; else null, and said why.
    std::shared_ptr<const Schedule> wholeSchedule();
    void take(const Result<Edit>& edit, const QString& text, bool ownOrders);

    ScheduleDocument& m_document;
    TimelineView& m_timeline;
    std::function<void(QMenu&)> m_more;
    std::function<QString()> m_locked;
};

} // namespace pw::ui
