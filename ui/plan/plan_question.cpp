// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "ui/plan/plan_fields.h"
#include "ui/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include <algorithm>

// The fields of a plan as a command line, and the other way round.

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

std::function<bool(const QString&)> takesCount(QSpinBox* box, int usual)
{
    return [box, usual](const QString& value) {
        bool good = true;
        const int count = value.isEmpty() ? usual : value.toInt(&good);
        const bool fits = good && count >= box->minimum() && count <= box->maximum();
        if (fits)
            box->setValue(count);
        return fits;
    };
}

std::function<bool(const QString&)> takesNumber(QDoubleSpinBox* box)
{
    return [box](const QString& value) {
        bool good = true;
        const double number = value.isEmpty() ? 0 : value.toDouble(&good);
        const bool fits = good && number >= box->minimum() && number <= box->maximum();
        if (fits)
            box->setValue(number);
        return fits;
    };
}

/// @param words  of the command line, one a choice
std::function<bool(const QString&)> takesChoice(QComboBox* box, const QStringList& words)
{
    return [box, words](const QString& value) {
        const qsizetype at = value.isEmpty() ? 0 : words.indexOf(value);
        if (at >= 0)
            box->setCurrentIndex(static_cast<int>(at));
        return at >= 0;
    };
}

QStringList choicesOf(const QComboBox& box)
{
    QStringList words;
    for (int i = 0; i < box.count(); ++i)
        words << box.itemText(i);
    return words;
}

} // namespace

void PlanFields::makeOptions()
{
    const auto addText = [this](const char* name, QComboBox* box, const QString& usual) {
        m_options.push_back({QString::fromLatin1(name),
                             [box] { return box->currentText().trimmed(); },
                             [box, usual](const QString& value) {
                                 box->setCurrentText(value.isEmpty() ? usual : value);
                                 return !box->currentText().isEmpty();
                             }});
    };
    const auto addCount = [this](const char* name, QSpinBox* box, int usual, bool always) {
        m_options.push_back({QString::fromLatin1(name),
                             [box, usual, always] {
                                 return box->isEnabled() && (always || box->value() != usual)
                                            ? QString::number(box->value())
                                            : QString();
                             },
                             takesCount(box, usual)});
    };
    const auto addNumber = [this](const char* name, QDoubleSpinBox* box) {
        m_options.push_back(
            {QString::fromLatin1(name),
             [box] { return box->value() > 0 ? text(exactNumber(box->value())) : QString(); },
             takesNumber(box)});
    };
    const auto addChoice = [this](const char* name, QComboBox* box, const QStringList& words) {
        m_options.push_back({QString::fromLatin1(name),
                             [box, words] {
                                 return box->currentIndex() > 0 ? words[box->currentIndex()]
                                                                : QString();
                             },
                             takesChoice(box, words)});
    };
    // What the command line takes where nothing is said; the sequence is then the model's.
    addText("model", m_model, {});
    addText("hardware", m_hardware, QStringLiteral("a100"));
    addCount("gpus", m_gpus, 8, true);
    addCount("global-batch", m_batch, 0, true);
    m_options.push_back({QStringLiteral("sequence"),
                         [this] { return QString::number(m_sequence->value()); },
                         [this](const QString& value) {
                             return value.isEmpty() || takesCount(m_sequence, 1)(value);
                         }});
    addNumber("memory", m_memory);
    addCount("tensor-parallel", m_tensor, 0, false);
    addCount("pipeline-parallel", m_pipeline, 0, false);
    addCount("data-parallel", m_data, 0, false);
    addCount("context-parallel", m_context, 0, false);
    addCount("expert-parallel", m_expert, 0, false);
    addCount("micro-batch-size", m_microBatch, 0, false);
    addChoice("family", m_family, choicesOf(*m_family));
    addCount("chunks", m_chunks, 0, false);
    addChoice("recompute", m_recompute, choicesOf(*m_recompute));
    addChoice("offload", m_offload,
              {QStringLiteral("none"), QStringLiteral("activations"), QStringLiteral("all"),
               QStringLiteral("search")});
    addChoice("zero", m_zero, choicesOf(*m_zero));
    addCount("gpus-per-node", m_perNode, 8, false);
    addNumber("node-bandwidth", m_network);
}

QString PlanFields::question() const
{
    QString line = QStringLiteral("pipewright plan");
    for (const FieldOption& option : m_options)
        if (const QString value = option.said(); !value.isEmpty())
            line += QStringLiteral(" --%1 %2").arg(option.name, planWord(value));
    return line;
}

/// What the command line takes from other options where one is absent.
void PlanFields::fillImplied(std::vector<QString>& values) const
{
    const auto of = [&](const char* name) -> QString& {
        const auto at =
            std::find_if(m_options.begin(), m_options.end(), [name](const FieldOption& one) {
                return one.name == QLatin1String(name);
            });
        return values[static_cast<std::size_t>(at - m_options.begin())];
    };
    // One configuration alone: samples are whole in few degrees.
    const bool ordered = !of("family").isEmpty() || of("pipeline-parallel") == QLatin1String("1");
    if (!of("tensor-parallel").isEmpty() && !of("pipeline-parallel").isEmpty() &&
        !of("micro-batch-size").isEmpty() && !of("recompute").isEmpty() && ordered &&
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

QString PlanFields::take(const QString& question)
{
    QStringList words = wordsOf(question);
    if (words.size() < 2 || words[1] != QLatin1String("plan"))
        return question;
    words.erase(words.begin(), words.begin() + 2);
    std::vector<QString> values(m_options.size());
    static const QStringList shown = {QStringLiteral("why"), QStringLiteral("json")};
    while (!words.isEmpty()) {
        const QString word = words.takeFirst();
        const QString name = word.section(QLatin1Char('='), 0, 0).mid(2);
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
        const auto known =
            std::find_if(m_options.begin(), m_options.end(),
                         [&name](const FieldOption& one) { return one.name == name; });
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
    setNarrowShown(
        std::any_of(m_isSet.begin(), m_isSet.end(), [](const auto& isSet) { return isSet(); }));
    return {};
}

} // namespace pw::ui
