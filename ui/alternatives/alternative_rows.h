// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative.h"
#include "ui/alternatives/family_ranking.h"

#include <QObject>

#include <map>
#include <string>
#include <vector>

namespace pw::ui {

/// All rows of the page *Alternatives*: families, and what comes from elsewhere, each with an id
/// that stays; ordered, with the Pareto line over all of them.
class AlternativeRows : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Adds a row that is awaited until `set` or `setProblem`. @return  its id
    int add(AlternativeKind kind, const QString& name);
    void set(int id, ComparedPtr timeline);
    /// Why it cannot be shown. One that has a timeline keeps it.
    void setProblem(int id, const QString& why);
    void remove(int id);
    /// The families, in place of those before.
    void setFamilies(const FamilyRanking::Rows& families);
    /// Cap and noise of all rows.
    void setQuestion(const RankQuestion& question);

    /// Ordered. @see orderAlternatives
    const std::vector<Alternative>& all() const { return m_all; }
    /// Null where no row has the id.
    const Alternative* row(int id) const;
    /// What others are held against: 1F1B, as it usually is; null: it is not there.
    const Alternative* baseline() const;
    const RankQuestion& question() const { return m_question; }

Q_SIGNALS:
    void changed();

private:
    Alternative* own(int id);
    void order();
    void addSpread(const Alternative& row);

    std::vector<Alternative> m_own; ///< from elsewhere
    std::vector<Alternative> m_families;
    std::vector<Alternative> m_all;
    std::map<std::string, int> m_ids; ///< of families, by what they are called
    RankQuestion m_question;
    int m_nextId = 1;
    int m_noise = 0; ///< counts the noises that were asked for
};

} // namespace pw::ui
