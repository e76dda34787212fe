// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_line.h"

#include "core/plan/search.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

/// A word as a shell takes it.
QString planWord(const QString& word)
{
    static const QString plain =
        QStringLiteral("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/@%+");
    const bool bare = !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar letter) {
        return plain.contains(letter);
    });
    QString quoted = word;
    return bare ? word
                : QStringLiteral("'%1'").arg(
                      quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''")));
}

/// The words of a command line, quotes and backslashes of a shell taken off.
QStringList wordsOf(const QString& line)
{
    QStringList words;
    QString word;
    bool quoted = false, any = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar letter = line[i];
        if (letter == QLatin1Char('\'')) {
            quoted = !quoted;
            any = true;
        } else if (!quoted && letter == QLatin1Char('\\') && i + 1 < line.size()) {
            word += line[++i];
            any = true;
        } else if (!quoted && letter.isSpace()) {
            if (any)
                words << word;
            word.clear();
            any = false;
        } else {
            word += letter;
            any = true;
        }
    }
    if (any)
        words << word;
    return words;
}

/// The name of an option of a question, which may have been kept when it had another.
QString presentName(const QString& name)
{
    static const std::pair<const char*, const char*> old[] = {{"recompute", "recompute-policy"},
                                                              {"memory", "memory-limit"}};
    for (const auto& [before, now] : old)
        if (name == QLatin1String(before))
            return QLatin1String(now);
    return name;
}

} // namespace

void PlanLine::add(Option option)
{
    m_options.push_back(std::move(option));
}

QString PlanLine::question() const
{
    QString line = QStringLiteral("pipewright plan");
    for (const Option& option : m_options)
        if (const QString value = option.said(); !value.isEmpty())
            line += QStringLiteral(" --%1 %2").arg(option.name, planWord(value));
    return line;
}

/// What the command line takes from other options where one is absent.
void PlanLine::fillImplied(std::vector<QString>& values) const
{
    const auto of = [&](const char* name) -> QString& {
        const auto at = std::find_if(m_options.begin(), m_options.end(), [name](const Option& one) {
            return one.name == QLatin1String(name);
        });
        return values[static_cast<std::size_t>(at - m_options.begin())];
    };
    // One configuration alone: samples are whole in few degrees.
    const bool ordered = !of("family").isEmpty() || of("pipeline-parallel") == QLatin1String("1");
    if (!of("tensor-parallel").isEmpty() && !of("pipeline-parallel").isEmpty() &&
        !of("micro-batch-size").isEmpty() && !of("recompute-policy").isEmpty() && ordered &&
        of("context-parallel").isEmpty())
        of("context-parallel") = QStringLiteral("1");
    // As many accelerators as the degrees say.
    if (!of("gpus").isEmpty() || of("hardware").contains(QLatin1Char(':')) ||
        of("tensor-parallel").isEmpty() || of("pipeline-parallel").isEmpty() ||
        of("data-parallel").isEmpty())
        return;
    double product = 1;
    for (const char* degree :
         {"tensor-parallel", "pipeline-parallel", "data-parallel", "context-parallel"})
        product *= std::max(1.0, of(degree).toDouble());
    if (product <= plan::mostDevices)
        of("gpus") = QString::number(static_cast<int>(product));
}

QString PlanLine::take(const QString& question)
{
    QStringList words = wordsOf(question);
    if (words.size() < 2 || words[1] != QLatin1String("plan"))
        return question;
    words.erase(words.begin(), words.begin() + 2);
    std::vector<QString> values(m_options.size());
    static const QStringList shown = {QStringLiteral("why"), QStringLiteral("json")};
    while (!words.isEmpty()) {
        const QString word = words.takeFirst();
        const QString name = presentName(word.section(QLatin1Char('='), 0, 0).mid(2));
        if (!word.startsWith(QLatin1String("--")))
            return word;
        if (shown.contains(name)) // how the answer was shown
            continue;
        QString value = word.section(QLatin1Char('='), 1);
        if (!word.contains(QLatin1Char('='))) {
            if (words.isEmpty())
                return word;
            value = words.takeFirst();
        }
        const auto known = std::find_if(m_options.begin(), m_options.end(),
                                        [&name](const Option& one) { return one.name == name; });
        if (name == QLatin1String("top"))
            continue;
        if (known == m_options.end() || value.isEmpty())
            return word;
        values[static_cast<std::size_t>(known - m_options.begin())] = value;
    }
    fillImplied(values);
    const QString before = this->question();
    for (std::size_t i = 0; i < m_options.size(); ++i) {
        const bool needed = i == 0 || m_options[i].name == QLatin1String("global-batch");
        if ((needed && values[i].isEmpty()) || !m_options[i].take(values[i])) {
            if (before != question)
                take(before);
            return QStringLiteral("--%1 %2").arg(m_options[i].name, values[i]).trimmed();
        }
    }
    return {};
}

} // namespace pw::ui
