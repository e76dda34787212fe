// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/pass_query.h"

#include "core/io/schedule_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace pw::ui {

namespace {

struct QueryWords
{
    Q_DECLARE_TR_FUNCTIONS(PassQuery)
};

Error unknown(const QString& word)
{
    const QString sentence =
        QueryWords::tr(
            "“%1” is not a pass and not a word that is known here. Try F3, BW2.1, mb 3, stage 2 or "
            "device 1.")
            .arg(word);
    return Error{ErrorCode::Syntax, sentence.toStdString()};
}

} // namespace

bool PassQuery::Pattern::matches(const Pass& pass, DeviceId device) const
{
    if (pass.kind != kind || pass.microBatch != microBatch || (segment && pass.segment != *segment))
        return false;
    if (stages.empty())
        return true;
    return device.valid() && device.index() < stages.size() &&
           stages[device.index()] == std::pair<int, int>(pass.route, pass.stage);
}

Result<PassQuery> PassQuery::parse(const QString& typed, const PipelineSpec& spec)
{
    static const QRegularExpression space(QStringLiteral("[\\s,]+"));
    static const QRegularExpression notation(QStringLiteral("^\\(?(F|BW|B|W|R|U)[0-9].*$"),
                                             QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression joined(QStringLiteral("^([^0-9]*[^0-9:=#])[:=#]?([0-9]+)$"));
    PassQuery query;
    const QStringList words = typed.split(space, Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words[i];
        if (notation.match(word).hasMatch()) {
            if (const Result<void> added = query.addNotation(word.toUpper(), spec); !added)
                return tl::unexpected(added.error());
            continue;
        }
        const QString lower = word.toLower();
        bool isNumber = false;
        const int number = i + 1 < words.size() ? words[i + 1].toInt(&isNumber) : 0;
        if (isNumber && query.addNumber(lower, number)) {
            ++i;
            continue;
        }
        const QRegularExpressionMatch both = joined.match(lower);
        if (both.hasMatch() && query.addNumber(both.captured(1), both.captured(2).toInt()))
            continue;
        if (!query.addKind(lower))
            return tl::unexpected(unknown(word));
    }
    return query;
}

Result<void> PassQuery::addNotation(const QString& word, const PipelineSpec& spec)
{
    const ChunkTable chunks(spec);
    const std::string text = word.toStdString();
    const bool chunkWritten = word.contains(QLatin1Char('.')) || word.contains(QLatin1Char('['));
    const bool segmentWritten = word.contains(QLatin1Char('/'));
    std::vector<Pattern> patterns;
    FileProblems problems;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        FileProblems own;
        const std::vector<OrderEntry> found = parseOrder(text, spec, chunks, device, {1, 1}, own);
        if (!own.none() || found.empty()) {
            if (!own.none())
                problems.add(own.list.front().place, own.list.front().text);
            continue;
        }
        std::vector<Pass> passes{found.front().pass};
        if (found.front().paired)
            passes.push_back(found.front().partner);
        if (patterns.empty()) {
            for (const Pass& pass : passes) {
                Pattern& made = patterns.emplace_back();
                made.kind = pass.kind;
                made.microBatch = pass.microBatch;
                if (segmentWritten)
                    made.segment = pass.segment;
                if (chunkWritten)
                    made.stages.assign(static_cast<std::size_t>(spec.devices), {-1, -1});
            }
        }
        for (std::size_t i = 0; chunkWritten && i < passes.size(); ++i)
            patterns[i].stages[static_cast<std::size_t>(device)] = {passes[i].route,
                                                                    passes[i].stage};
    }
    if (patterns.empty()) {
        if (problems.none())
            return tl::unexpected(unknown(word));
        return tl::unexpected(
            Error{ErrorCode::Syntax, said("%1: %2", text, problems.list.front().text)});
    }
    m_patterns.insert(m_patterns.end(), patterns.begin(), patterns.end());
    return {};
}

bool PassQuery::addKind(const QString& word)
{
    struct Name
    {
        const char* word;
        std::vector<PassKind> kinds;
    };
    const Name names[] = {{"f", {PassKind::F}},      {"forward", {PassKind::F}},
                          {"b", {PassKind::B}},      {"w", {PassKind::W}},
                          {"weight", {PassKind::W}}, {"weights", {PassKind::W}},
                          {"bw", {PassKind::BW}},    {"backward", {PassKind::B, PassKind::BW}},
                          {"r", {PassKind::R}},      {"recompute", {PassKind::R}},
                          {"u", {PassKind::U}},      {"update", {PassKind::U}}};
    const auto* found = std::find_if(std::begin(names), std::end(names), [&](const Name& name) {
        return word == QLatin1String(name.word);
    });
    if (found == std::end(names))
        return false;
    m_anyKind = false;
    for (const PassKind kind : found->kinds)
        m_kinds[static_cast<std::size_t>(kind)] = true;
    return true;
}

bool PassQuery::addNumber(const QString& word, int number)
{
    struct Name
    {
        const char* word;
        std::optional<int> PassQuery::*field;
    };
    static constexpr Name names[] = {{"mb", &PassQuery::m_microBatch},
                                     {"m", &PassQuery::m_microBatch},
                                     {"micro-batch", &PassQuery::m_microBatch},
                                     {"microbatch", &PassQuery::m_microBatch},
                                     {"stage", &PassQuery::m_stage},
                                     {"s", &PassQuery::m_stage},
                                     {"device", &PassQuery::m_device},
                                     {"d", &PassQuery::m_device},
                                     {"rank", &PassQuery::m_device},
                                     {"segment", &PassQuery::m_segment},
                                     {"route", &PassQuery::m_route}};
    const auto* found = std::find_if(std::begin(names), std::end(names), [&](const Name& name) {
        return word == QLatin1String(name.word);
    });
    if (found == std::end(names))
        return false;
    this->*(found->field) = number;
    return true;
}

bool PassQuery::matches(const Pass& pass, DeviceId device) const
{
    const auto fits = [](const std::optional<int>& wanted, int is) {
        return !wanted || *wanted == is;
    };
    if (!fits(m_microBatch, pass.microBatch) || !fits(m_stage, pass.stage) ||
        !fits(m_device, device) || !fits(m_segment, pass.segment) || !fits(m_route, pass.route))
        return false;
    if (m_microBatch && pass.kind == PassKind::U)
        return false; // its number is that of an update
    if (!m_anyKind && m_kinds[static_cast<std::size_t>(pass.kind)])
        return true;
    if (m_patterns.empty())
        return m_anyKind;
    return std::any_of(m_patterns.begin(), m_patterns.end(),
                       [&](const Pattern& pattern) { return pattern.matches(pass, device); });
}

} // namespace pw::ui
