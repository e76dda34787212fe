// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/latest_work.h"
#include "ui/traces/trace_import.h"
#include "ui/traces/trace_names.h"

#include <QWidget>

class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTableView;

namespace pw::ui {

class RuleLanes;
class RuleParts;

/// The names of a trace, and a place to write rules for those that say nothing. While a rule is
/// written the names that it reads come first, with what comes out of them; names are read in a
/// worker. A name that is chosen becomes a rule by saying what it is and what its numbers stand
/// for; lanes show what the rules read so far. Rules are kept in the file of `defaultRulesPath`,
/// the newest first, and count when the trace is read again.
class RulesView : public QWidget
{
    Q_OBJECT

public:
    explicit RulesView(const ImportedTracePtr& trace, QWidget* parent = nullptr);

    /// The next key writes a rule.
    void focusField();
    /// The rules as kept now.
    const std::vector<NameRule>& rules() const { return m_rules; }

Q_SIGNALS:
    /// The trace is to be read again with the rules that are kept.
    void readAsked();

private:
    QLayout* writingRow();
    QLayout* keptRow();
    void look();
    void take(const NamesReadPtr& read);
    void keep();
    void remove();
    bool keepAll(std::vector<NameRule> rules);
    void showRules();
    void say(const QString& sentence, bool refusal);
    void useName(int row);
    void chooseName(int row);
    void takeParts();

    ImportedTracePtr m_imported;
    std::string m_path; ///< of the rules file
    std::vector<NameRule> m_rules;
    std::optional<NameRule> m_draft;
    LatestWork m_reading; ///< of names, with the rules as they are typed
    TraceNamesModel* m_names;
    QLineEdit* m_field;
    QPushButton* m_keep;
    QLabel* m_said;
    QTableView* m_table;
    RuleParts* m_parts;
    RuleLanes* m_lanes;
    QString m_made;        ///< the rule as the parts made it last
    LatestWork m_drafting; ///< a rule of the name that is chosen
    bool m_sized = false;  ///< the columns have their first widths
    QLabel* m_unread;
    QLabel* m_keptLabel;
    QListWidget* m_kept;
    QPushButton* m_remove;
    QPushButton* m_read;
};

} // namespace pw::ui
