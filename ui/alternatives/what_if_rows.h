// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/what_if.h"
#include "core/io/project_file.h"
#include "ui/alternatives/alternative_rows.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace pw::ui {

class WhatIfPart;

/// What what-ifs start from, and what they come to, as rows: the prediction that the fields make
/// changes with them until it is kept.
class WhatIfRows : public QObject
{
    Q_OBJECT

public:
    /// @param rows, part  outlive it
    WhatIfRows(AlternativeRows& rows, WhatIfPart& part, QObject* parent);

    /// Called once a what-if is asked for, to give `setBase` or `setProblem`.
    void whenWanted(std::function<void()> make);
    /// A what-if is looked at, or no longer.
    void setWanted(bool wanted);
    /// The row that what-ifs start from, where it is there already.
    void setBaseRow(int id) { m_base = id; }
    void setBase(std::shared_ptr<const WhatIfBase> base, ComparedPtr before);
    /// Why there is nothing to start from.
    void setProblem(const QString& why);
    /// The row of the prediction that the fields make; 0: none yet.
    int predicted() const { return m_predicted; }
    /// The prediction as a project. @param name  of what it is of. @pre there is one
    Project project(const QString& name) const;

Q_SIGNALS:
    /// These rows are to be shown beside each other.
    void shown(const std::vector<int>& ids);

private:
    void take();

    AlternativeRows& m_rows;
    WhatIfPart& m_part;
    std::function<void()> m_make; ///< empty: was called, or nobody makes one
    bool m_wanted = false;
    int m_base = 0;      ///< 0: none
    int m_predicted = 0; ///< 0: none yet
};

} // namespace pw::ui
