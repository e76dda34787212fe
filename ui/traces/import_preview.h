// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/trace_import.h"

#include <QWidget>

class QFormLayout;
class QTabWidget;

namespace pw::ui {

class RulesView;

/// What was found in a trace: facts, and lists of ranks, repairs, warnings and what stays unknown.
class ImportPreview : public QWidget
{
    Q_OBJECT

public:
    explicit ImportPreview(const ImportedTracePtr& trace, QWidget* parent = nullptr);

    /// Why the trace can be no run and no plan; empty: it can.
    QString obstacle() const;
    /// Where no pass is found for its name, a rule is what helps: puts the focus there.
    /// @return false: something else is in the way
    bool focusRule();

Q_SIGNALS:
    /// The files are to be read again, with the rules that are kept now.
    void readAsked();

private:
    void addRules(QTabWidget& lists);
    void addCurve(QTabWidget& lists);
    void addFacts(QFormLayout& form);
    void addRanks(QTabWidget& lists);
    void addTimes(QTabWidget& lists);
    void addRepairs(QTabWidget& lists);
    void addAccount(QTabWidget& lists);
    QStringList rankNames() const;
    QStringList deviceNames() const;
    void addSentences(QTabWidget& lists, const QString& title, const QStringList& sentences);

    ImportedTracePtr m_imported;
    RulesView* m_rules = nullptr;
};

} // namespace pw::ui
