// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/trace_names.h"

#include "core/base/text.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"

#include <algorithm>

namespace pw::ui {

namespace {

enum Column
{
    NameColumn,
    SpansColumn,
    SaysColumn,
    ReaderColumn,
    Columns
};

} // namespace

TraceNamesPtr namesOf(const Trace& trace)
{
    auto list = std::make_shared<TraceNameList>();
    std::vector<std::int64_t> spans(trace.names.size(), 0);
    for (const TraceSpan& span : trace.spans)
        ++spans[static_cast<std::size_t>(span.name)];
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (spans[i] > 0)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&spans](std::size_t a, std::size_t b) { return spans[a] > spans[b]; });
    if (order.size() > TraceNameList::listed) {
        list->leftOut = static_cast<std::int64_t>(order.size() - TraceNameList::listed);
        order.resize(TraceNameList::listed);
    }
    for (const std::size_t i : order)
        list->names.push_back({trace.names[i], spans[i]});
    return list;
}

NamesReadPtr readNames(const TraceNamesPtr& names, const std::vector<NameRule>& rules,
                       const std::optional<NameRule>& draft)
{
    auto read = std::make_shared<NamesRead>();
    read->names = names;
    read->draft = draft.has_value();
    read->draftNumbered = true;
    bool inArguments = false;
    if (draft) {
        read->rules.push_back(*draft);
        const std::vector<NameRule::Argument>& arguments = draft->arguments();
        inArguments = std::any_of(arguments.begin(), arguments.end(), [](const auto& one) {
            return one.number == NameRule::Number::MicroBatch;
        });
    }
    read->rules.insert(read->rules.end(), rules.begin(), rules.end());
    for (std::size_t i = 0; i < names->names.size(); ++i) {
        const TraceName& one = names->names[i];
        NamesRead::Row row;
        row.name = static_cast<std::int32_t>(i);
        row.rule = ruleOf(one.name, read->rules);
        const SpanName said = row.rule < 0
                                  ? readSpanName(one.name)
                                  : *read->rules[static_cast<std::size_t>(row.rule)].read(one.name);
        if (row.rule == 0 && draft) {
            row.reader = NameReader::Draft;
            ++read->draftNames;
            read->draftSpans += one.spans;
            const bool pass = said.first.role == SpanRole::Pass;
            read->draftPasses += pass ? one.spans : 0;
            read->draftNumbered =
                read->draftNumbered && (!pass || inArguments || said.first.microBatch >= 0);
        } else if (row.rule >= 0) {
            row.reader = NameReader::Rule;
        } else if (said.first.role != SpanRole::Other) {
            row.reader = NameReader::Known;
        } else {
            ++read->unreadNames;
            read->unreadSpans += one.spans;
        }
        read->rows.push_back(row);
    }
    std::stable_sort(
        read->rows.begin(), read->rows.end(),
        [](const NamesRead::Row& a, const NamesRead::Row& b) { return a.reader < b.reader; });
    return read;
}

void TraceNamesModel::setNames(const NamesReadPtr& read)
{
    beginResetModel();
    m_read = read;
    endResetModel();
}

QString TraceNamesModel::nameAt(int row) const
{
    if (row < 0 || row >= rowCount())
        return {};
    const NamesRead::Row& at = m_read->rows[static_cast<std::size_t>(row)];
    return text(m_read->names->names[static_cast<std::size_t>(at.name)].name);
}

int TraceNamesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_read == nullptr ? 0 : static_cast<int>(m_read->rows.size());
}

int TraceNamesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant TraceNamesModel::data(const QModelIndex& index, int role) const
{
    const NamesRead::Row& row = m_read->rows[static_cast<std::size_t>(index.row())];
    const TraceName& name = m_read->names->names[static_cast<std::size_t>(row.name)];
    if (role == Qt::TextAlignmentRole && index.column() == SpansColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole)
        return row.reader == NameReader::Nothing && index.column() != NameColumn
                   ? QVariant(color(Role::Secondary))
               : row.reader == NameReader::Draft ? QVariant(color(Role::Accent))
                                                 : QVariant();
    if (role != Qt::DisplayRole && (role != Qt::ToolTipRole || index.column() == SpansColumn))
        return {};
    switch (index.column()) {
    case NameColumn:
        return text(name.name);
    case SpansColumn:
        return text(groupedNumber(name.spans));
    case SaysColumn: {
        const SpanName said = readSpanName(name.name, m_read->rules);
        const QString says = text(describe(said));
        return says.isEmpty()        ? tr("nothing")
               : said.needsArguments ? tr("%1, where arguments say its micro-batch").arg(says)
                                     : says;
    }
    case ReaderColumn:
        switch (row.reader) {
        case NameReader::Draft:
            return tr("this rule");
        case NameReader::Rule:
            return text(m_read->rules[static_cast<std::size_t>(row.rule)].pattern());
        case NameReader::Known:
            return tr("known");
        case NameReader::Nothing:
            return {};
        }
    }
    return {};
}

QVariant TraceNamesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter |
                        (section == SpansColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Name");
    case SpansColumn:
        return tr("Spans");
    case SaysColumn:
        return tr("Says");
    default:
        return tr("Read by");
    }
}

} // namespace pw::ui
