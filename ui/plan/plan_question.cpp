// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "ui/plan/plan_fields.h"
#include "ui/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include <algorithm>

// The fields of a plan as options of a command line.

namespace pw::ui {

namespace {

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
        m_line.add({QString::fromLatin1(name), [box] { return box->currentText().trimmed(); },
                    [box, usual](const QString& value) {
                        box->setCurrentText(value.isEmpty() ? usual : value);
                        return !box->currentText().isEmpty();
                    }});
    };
    const auto addCount = [this](const char* name, QSpinBox* box, int usual, bool always) {
        m_line.add({QString::fromLatin1(name),
                    [box, usual, always] {
                        return box->isEnabled() && (always || box->value() != usual)
                                   ? QString::number(box->value())
                                   : QString();
                    },
                    takesCount(box, usual)});
    };
    const auto addNumber = [this](const char* name, QDoubleSpinBox* box) {
        m_line.add(
            {QString::fromLatin1(name),
             [box] { return box->value() > 0 ? text(exactNumber(box->value())) : QString(); },
             takesNumber(box)});
    };
    const auto addChoice = [this](const char* name, QComboBox* box, const QStringList& words) {
        m_line.add({QString::fromLatin1(name),
                    [box, words] {
                        return box->currentIndex() > 0 ? words[box->currentIndex()] : QString();
                    },
                    takesChoice(box, words)});
    };
    // What the command line takes where nothing is said; the sequence is then the model's.
    addText("model", m_model, {});
    addText("hardware", m_hardware, QStringLiteral("a100"));
    addChoice("precision", m_precision, choicesOf(*m_precision));
    addCount("gpus", m_gpus, 8, true);
    addCount("global-batch", m_batch, 0, true);
    m_line.add({QStringLiteral("sequence"), [this] { return QString::number(m_sequence->value()); },
                [this](const QString& value) {
                    return value.isEmpty() || takesCount(m_sequence, 1)(value);
                }});
    addNumber("memory-limit", m_memory);
    addCount("tensor-parallel", m_tensor, 0, false);
    addCount("pipeline-parallel", m_pipeline, 0, false);
    addCount("data-parallel", m_data, 0, false);
    addCount("context-parallel", m_context, 0, false);
    addCount("expert-parallel", m_expert, 0, false);
    addCount("micro-batch-size", m_microBatch, 0, false);
    addChoice("family", m_family, choicesOf(*m_family));
    addCount("chunks", m_chunks, 0, false);
    addChoice("recompute-policy", m_recompute, choicesOf(*m_recompute));
    addChoice("offload", m_offload,
              {QStringLiteral("none"), QStringLiteral("activations"), QStringLiteral("all"),
               QStringLiteral("search")});
    addChoice("zero", m_zero, choicesOf(*m_zero));
    addCount("gpus-per-node", m_perNode, 8, false);
    addNumber("node-bandwidth", m_network);
}

QString PlanFields::question() const
{
    return m_line.question();
}

QString PlanFields::take(const QString& question)
{
    QString unsaid = m_line.take(question);
    if (unsaid.isEmpty())
        setNarrowShown(
            std::any_of(m_isSet.begin(), m_isSet.end(), [](const auto& isSet) { return isSet(); }));
    return unsaid;
}

} // namespace pw::ui
