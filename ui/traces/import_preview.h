// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/trace_import.h"

#include <QWidget>

class QFormLayout;
class QTabWidget;

namespace pw::ui {

/// What was found in a trace: facts, and lists of ranks, repairs, warnings and what stays unknown.
class ImportPreview : public QWidget
{
    Q_OBJECT

public:
    explicit ImportPreview(const ImportedTracePtr& trace, QWidget* parent = nullptr);

    /// Why the trace can be no run and no plan; empty: it can.
    QString obstacle() const;

private:
    void addFacts(QFormLayout& form);
    void addRanks(QTabWidget& lists);
    void addTimes(QTabWidget& lists);
    void addRepairs(QTabWidget& lists);
    void addSentences(QTabWidget& lists, const QString& title,
                      const std::vector<std::string>& sentences);

    ImportedTracePtr m_imported;
};

} // namespace pw::ui
