// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/panels/against_rows.h"
#include "ui/panels/findings.h"

#include <QPointer>
#include <QWidget>

#include <optional>
#include <vector>

class QLabel;

namespace pw::ui {

/// What is known of the selected passes, and the schedule's numbers beside what formulas and other
/// schedules say.
class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit InspectorPanel(QWidget* parent = nullptr);

    /// Follows a document; null: none.
    void setDocument(ScheduleDocument* document);
    /// The passes that are selected in it.
    void setSelection(const std::vector<SpanRef>& spans);
    /// A schedule that others are held against; its figures are kept, not the document. One that is
    /// not whole, or none, takes the pin away.
    void pin(const ScheduleDocument* document);
    const std::optional<Pinned>& pinned() const { return m_pinned; }
    /// Something is known of the document that was not when it was shown.
    void findAgain();
    /// Whether what takes time to find is there.
    bool complete() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void find();
    void showAll();
    void showPasses();
    void showAgainst();

    QPointer<ScheduleDocument> m_document;
    QMetaObject::Connection m_connection;
    std::vector<SpanRef> m_spans;
    Finder m_finder;
    std::optional<Pinned> m_pinned;
    QLabel* m_heading;
    QLabel* m_pass;
    QLabel* m_against;
};

} // namespace pw::ui
