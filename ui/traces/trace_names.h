// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/name_rule.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::ui {

/// A name of a trace and how often it stands there.
struct TraceName
{
    std::string name;
    std::int64_t spans = 0;
};

/// The names of a trace, the most frequent first.
struct TraceNameList
{
    static constexpr std::size_t listed = 50'000;

    std::vector<TraceName> names;
    std::int64_t leftOut = 0; ///< names beyond those
};

using TraceNamesPtr = std::shared_ptr<const TraceNameList>;

TraceNamesPtr namesOf(const Trace& trace);

/// What reads a name. (No type is said: lupdate of Qt 6.8 would lose the class below.)
enum class NameReader
{
    Draft, ///< the rule that is being written
    Nothing,
    Rule,
    Known
};

/// What rules make of the names of a trace.
struct NamesRead
{
    struct Row
    {
        std::int32_t name = 0; ///< of `TraceNameList::names`
        std::int32_t rule = -1;
        NameReader reader = NameReader::Nothing;
    };

    TraceNamesPtr names;
    std::vector<NameRule> rules; ///< with the draft first, where there is one
    bool draft = false;
    /// By reader in its order, then by frequency: what a rule is written for comes first.
    std::vector<Row> rows;
    std::int64_t draftNames = 0;
    std::int64_t draftSpans = 0;
    std::int64_t draftPasses = 0; ///< of these spans
    bool draftNumbered = false;   ///< all its passes say their micro-batch, or an argument does
    std::int64_t unreadNames = 0;
    std::int64_t unreadSpans = 0;
};

using NamesReadPtr = std::shared_ptr<const NamesRead>;

/// Reads all names. Takes a while for many names. @param draft  a rule before all others
NamesReadPtr readNames(const TraceNamesPtr& names, const std::vector<NameRule>& rules,
                       const std::optional<NameRule>& draft);

/// The names of a trace as a table: name, spans, what it says, what reads it.
class TraceNamesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setNames(const NamesReadPtr& read);
    /// The name of a row; empty: there is no such row.
    QString nameAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    NamesReadPtr m_read;
};

} // namespace pw::ui
