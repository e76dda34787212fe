// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/torch_csv.h"
#include "core/io/torch_parts.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// Cuts a text into rows and cells and reads these.
class TableReader
{
public:
    TableReader(TorchCsv& out, std::optional<TorchDialect> dialect)
        : m_out(out)
        , m_dialect(dialect)
        , m_older(dialect == TorchDialect::Older)
    {
    }

    bool run(std::string_view text)
    {
        constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
        if (text.substr(0, byteOrderMark.size()) == byteOrderMark) {
            text.remove_prefix(byteOrderMark.size());
            m_out.notes.add({1, 1}, said("a byte order mark is left out"));
        }
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            m_plainEnds |= end == text.size() || line.empty() || line.back() != '\r';
            if (!line.empty() && line.back() == '\r')
                line.remove_suffix(1);
            text.remove_prefix(std::min(end + 1, text.size()));
            readRow(line);
            if (m_fields > maxTorchFields) {
                m_out.problems.add(
                    {}, said("more than %1 fields, the most that is read", maxTorchFields));
                return false;
            }
        }
        cutEmptyRows();
        judgeDialect();
        noteChanges();
        return true;
    }

private:
    FilePlace here() const
    {
        return {static_cast<std::int32_t>(m_out.table.size()),
                static_cast<std::int32_t>(m_out.table.back().size()) + 1};
    }

    void readRow(std::string_view line)
    {
        m_out.table.emplace_back();
        if (line.empty()) {
            ++m_fields;
            return;
        }
        while (m_fields <= maxTorchFields) {
            std::string unquoted;
            std::size_t end = 0;
            if (!line.empty() && line.front() == '"')
                end = readQuoted(line, unquoted);
            else
                end = std::min(line.find(','), line.size());
            const bool quotes = !line.empty() && line.front() == '"';
            readCell(quotes ? std::string_view(unquoted) : line.substr(0, end));
            m_quotes |= quotes && !unquoted.empty();
            if (end >= line.size())
                return;
            line.remove_prefix(end + 1);
        }
    }

    /// A cell in quotes; two of them inside stand for one. @return the end of the cell
    std::size_t readQuoted(std::string_view line, std::string& cell)
    {
        std::size_t at = 1;
        while (at < line.size()) {
            if (line[at] != '"') {
                cell += line[at++];
            } else if (at + 1 < line.size() && line[at + 1] == '"') {
                cell += '"';
                at += 2;
            } else {
                ++at;
                break;
            }
        }
        const std::size_t end = std::min(line.find(',', at), line.size());
        cell += line.substr(at, end - at);
        return end;
    }

    void readCell(std::string_view raw)
    {
        ++m_fields;
        const std::string_view cell = trimmed(raw);
        if (cell.size() != raw.size())
            ++m_padded;
        TorchField field;
        const FieldFlaw flaw = readTorchField(cell, m_older, field);
        if (!flaw.text.empty()) {
            m_out.problems.add(here(), said("%1: %2", inQuotes(cell), flaw.text), flaw.repair);
            field = TorchField();
        }
        if (flaw.sawFused && !m_fused)
            m_fused = here();
        if (field.shape == TorchField::Shape::Single) {
            if (field.first.kind == TorchKind::W && !m_weight)
                m_weight = here();
            m_inputOnly |= field.first.kind == TorchKind::I;
        } else if (field.shape == TorchField::Shape::Pair) {
            m_inputOnly |= field.first.kind == TorchKind::I || field.second.kind == TorchKind::I;
        }
        m_out.table.back().push_back(field);
    }

    void cutEmptyRows()
    {
        std::size_t cut = 0;
        auto& rows = m_out.table;
        auto blank = [](const TorchField& field) {
            return field.shape == TorchField::Shape::Blank;
        };
        while (!rows.empty() && std::all_of(rows.back().begin(), rows.back().end(), blank)) {
            rows.pop_back();
            ++cut;
        }
        if (cut > 0)
            m_out.notes.add({}, said("%1 empty rows at the end are cut", cut));
    }

    void judgeDialect()
    {
        if (m_older) {
            m_out.olderDialect = true;
            m_out.notes.add(
                {},
                said("the older dialect is written in the current one: B becomes I, BW becomes B"));
            return;
        }
        const std::string offer =
            "read the file in the older dialect, where B is the input part and BW is both";
        if (m_fused) {
            m_out.olderDialect = true;
            m_out.problems.add(*m_fused, said("BW is a type of the older dialect only"), offer);
        } else if (m_weight && !m_inputOnly && m_dialect != TorchDialect::Current) {
            m_out.olderDialect = true;
            m_out.problems.add(
                *m_weight,
                said("a W appears here and no I anywhere, so this looks like the older dialect"),
                said("%1, or say that it is the current one", offer));
        }
    }

    void noteChanges()
    {
        if (m_padded > 0)
            m_out.notes.add({}, said("blanks around %1 fields are cut", m_padded));
        if (m_quotes)
            m_out.notes.add({}, said("quotes around fields are left out"));
        if (m_plainEnds && !m_out.table.empty())
            m_out.notes.add({}, said("lines end with CR LF when written"));
    }

    TorchCsv& m_out;
    std::optional<TorchDialect> m_dialect;
    bool m_older;
    std::int64_t m_fields = 0; // an empty row counts as one
    std::int64_t m_padded = 0;
    bool m_quotes = false;
    bool m_plainEnds = false;
    std::optional<FilePlace> m_fused;  // first BW
    std::optional<FilePlace> m_weight; // first W
    bool m_inputOnly = false;          // an I somewhere
};

/// Makes the draft of a table.
class DraftMaker
{
public:
    explicit DraftMaker(TorchCsv& out)
        : m_out(out)
    {
    }

    bool run()
    {
        for (std::size_t row = 0; row < m_out.table.size(); ++row)
            placeStages(row);
        cutTrailing();
        return settleSpec() && (fill(), true);
    }

private:
    FilePlace place(std::size_t row, std::size_t column) const
    {
        return {static_cast<std::int32_t>(row) + 1, static_cast<std::int32_t>(column) + 1};
    }

    void placeStages(std::size_t row)
    {
        const auto& fields = m_out.table[row];
        for (std::size_t column = 0; column < fields.size(); ++column) {
            const TorchField& field = fields[column];
            if (field.shape == TorchField::Shape::Blank)
                continue;
            note(field.first, row, column);
            if (field.shape == TorchField::Shape::Pair)
                note(field.second, row, column);
        }
    }

    void note(const TorchAction& action, std::size_t row, std::size_t column)
    {
        m_out.communicates |= isMessage(action.kind);
        m_kept += isPass(action.kind) || isMessage(action.kind) ? 0 : 1;
        if (!isPass(action.kind))
            return;
        ++m_passes;
        m_microBatches = std::max(m_microBatches, std::int64_t{action.microBatch} + 1);
        const auto [found, added] = m_rowOfStage.emplace(action.stage, row);
        if (!added && found->second != row) {
            m_out.problems.add(
                place(row, column),
                said("stage %1 appears here and in row %2", action.stage, found->second + 1),
                said("keep every stage in one row"));
        }
    }

    /// Blanks: idle slots of a compute-only file; a communicating file has none but those that
    /// spreadsheets add.
    void cutTrailing()
    {
        std::int64_t idle = 0;
        std::int64_t cut = 0;
        auto blank = [](const TorchField& field) {
            return field.shape == TorchField::Shape::Blank;
        };
        for (std::size_t row = 0; row < m_out.table.size(); ++row) {
            auto& fields = m_out.table[row];
            if (m_out.communicates) {
                while (!fields.empty() && blank(fields.back())) {
                    fields.pop_back();
                    ++cut;
                }
            }
            for (std::size_t column = 0; column < fields.size(); ++column) {
                if (!blank(fields[column]))
                    continue;
                ++idle;
                // A malformed field is blank in the table, and has been reported.
                if (m_out.communicates && m_out.problems.none()) {
                    m_out.problems.add(place(row, column),
                                       said("a communicating file has no blank fields"),
                                       said("delete the field"));
                }
            }
        }
        if (cut > 0)
            m_out.notes.add({}, said("%1 blank fields at the end of rows are cut", cut));
        if (idle > 0 && !m_out.communicates) {
            m_out.notes.add(
                {}, said("%1 idle slots are left out; a schedule starts passes as soon as it can",
                         idle));
        }
        if (m_kept > 0) {
            m_out.notes.add({}, said("%1 fields of UNSHARD, RESHARD and REDUCE_GRAD are left out%2",
                                     m_kept,
                                     m_out.communicates
                                         ? Sentence()
                                         : said("; PyTorch refuses them in a file without sends")));
        }
    }

    bool settleSpec()
    {
        PipelineSpec& spec = m_out.draft.spec;
        if (m_rowOfStage.empty()) {
            m_out.problems.add({1, 1}, said("the file holds no pass"));
            return false;
        }
        if (m_out.table.size() > static_cast<std::size_t>(maxFileDevices)) {
            m_out.problems.add({},
                               said("more than %1 rows, the most that is read", maxFileDevices));
            return false;
        }
        Placement placement;
        for (const auto& [stage, row] : m_rowOfStage) {
            if (stage != placement.stages()) {
                m_out.problems.add({}, said("no row holds stage %1, but row %2 holds stage %3",
                                            placement.stages(), row + 1, stage));
                return false;
            }
            placement.deviceOfStage.push_back(DeviceId(row));
        }
        // Tables are as large as the numbers say, so a slip of the pen must not cost gigabytes.
        const double cells = static_cast<double>(m_microBatches) * placement.stages();
        if (cells > 1000 + 16 * static_cast<double>(m_passes)) {
            m_out.problems.add({}, said("micro-batch %1 occurs, but the file has only %2 passes",
                                        m_microBatches - 1, m_passes));
            return false;
        }
        spec.devices = static_cast<int>(m_out.table.size());
        spec.routes = {placement};
        spec.microBatches = static_cast<int>(std::min<std::int64_t>(m_microBatches, 2'147'483'647));
        if (const auto sound = check(spec); !sound) {
            m_out.problems.add({}, sound.error().message);
            return false;
        }
        return true;
    }

    void fill()
    {
        m_out.draft.orders.resize(m_out.table.size());
        m_out.places.resize(m_out.table.size());
        for (std::size_t row = 0; row < m_out.table.size(); ++row) {
            const auto& fields = m_out.table[row];
            for (std::size_t column = 0; column < fields.size(); ++column) {
                const TorchField& field = fields[column];
                if (field.shape == TorchField::Shape::Blank || !isPass(field.first.kind))
                    continue;
                auto& order = m_out.draft.orders[row];
                order.push_back(field.shape == TorchField::Shape::Pair
                                    ? overlapped(pass(field.first), pass(field.second))
                                    : single(pass(field.first)));
                m_out.places[row].push_back(place(row, column));
            }
        }
    }

    static Pass pass(const TorchAction& action)
    {
        return {passKind(action.kind), 0, action.stage, action.microBatch, 0};
    }

    TorchCsv& m_out;
    std::map<std::int32_t, std::size_t> m_rowOfStage;
    std::int64_t m_microBatches = 0;
    std::int64_t m_passes = 0;
    std::int64_t m_kept = 0; // fields that are neither pass nor message
};

} // namespace

TorchCsv parseTorchCsv(std::string_view text, std::optional<TorchDialect> dialect)
{
    TorchCsv out;
    if (static_cast<std::int64_t>(text.size()) > maxTorchCsvBytes) {
        out.problems.add(
            {}, said("the file is longer than %1 bytes, the most that is read", maxTorchCsvBytes));
        return out;
    }
    if (TableReader(out, dialect).run(text) && DraftMaker(out).run() && out.communicates &&
        out.problems.none())
        checkTorchMessages(out);
    return out;
}

Result<Draft> readTorchCsv(std::string_view text, std::optional<TorchDialect> dialect)
{
    TorchCsv csv = parseTorchCsv(text, dialect);
    if (!csv.problems.none())
        return fail(csv.problems.error("row", "column"));
    return std::move(csv.draft);
}

} // namespace pw
