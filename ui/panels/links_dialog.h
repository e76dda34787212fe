// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/panels/cost_dialog.h"

class QLineEdit;
class QRadioButton;

namespace pw::ui {

class NumberTable;
class NumberTableView;

/// What messages take between the devices: the same everywhere, or each link its own; and how the
/// network slows down over time.
class LinksDialog : public CostDialog
{
    Q_OBJECT

public:
    explicit LinksDialog(const Project& project, QWidget* parent = nullptr);

private:
    int devices() const;
    bool listed() const;
    const Link& linkOf(int row) const;
    void fillTable();
    void fillFields();
    void layOut();
    Result<SetCosts> result() const;
    void look();
    void applyLinks();

    Project m_project;
    Costs m_before;
    QRadioButton* m_same;
    QRadioButton* m_each;
    QLineEdit* m_latency;
    QLineEdit* m_bandwidth;
    QLineEdit* m_trace;
    NumberTable* m_table = nullptr;
    NumberTableView* m_view = nullptr;
};

/// Reads "0:1, 20:5, 60:1": from a time in milliseconds on, messages take a factor longer.
/// @error BadValue  says what it should look like
Result<std::vector<LinkPhase>> parseLinkTrace(const QString& typed);
QString linkTraceText(const std::vector<LinkPhase>& trace);

} // namespace pw::ui
