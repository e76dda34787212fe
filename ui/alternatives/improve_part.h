// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"

#include <QPointer>
#include <QWidget>

class QLabel;

namespace pw::ui {

class ImprovePanel;
class Improver;
class ScheduleDocument;

/// The search for a better order of an open schedule, and the orders that it finds.
class ImprovePart : public QWidget
{
    Q_OBJECT

public:
    explicit ImprovePart(QWidget* parent = nullptr);

    /// @param improver  outlives the part
    /// @param document  null: none is open
    void set(Improver& improver, ScheduleDocument* document);

Q_SIGNALS:
    /// A better order was found, and is in the document now.
    void found(const pw::ui::ComparedPtr& order);

private:
    void start();
    void note();

    QPointer<Improver> m_improver;
    QPointer<ScheduleDocument> m_document;
    ImprovePanel* m_panel = nullptr;
    QLabel* m_none;
    std::size_t m_steps = 0; ///< of the search that were noted
};

} // namespace pw::ui
