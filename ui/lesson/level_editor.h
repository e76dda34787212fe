// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/level_draft.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace pw::ui {

/// Makes a level of a schedule: words, what stands at first and stays, goals, hints; proves its par
/// and writes it. Narrow, to stand beside the schedule.
class LevelEditor : public QWidget
{
    Q_OBJECT

public:
    /// What the level is made of. The objects are shared with whoever made them.
    struct Origin
    {
        std::shared_ptr<const Schedule> schedule;
        Costs costs;
        QString title;
        bool measured = false;
    };

    explicit LevelEditor(Origin origin, QWidget* parent = nullptr);

    /// The level as the fields say it. @error as of `levelDraftOf`
    Result<LevelDraft> draft() const;
    /// Whether the par of what the fields say is proven.
    bool proven() const { return m_proven.has_value(); }
    /// The level with its proof; none before the par is proven.
    const std::optional<LevelDraft>& provenDraft() const { return m_proven; }
    /// The lesson file; empty before the par is proven.
    std::string lessonText() const;
    /// Proves the par beside the window.
    void prove();

Q_SIGNALS:
    /// Is to be played.
    void tryAsked(const std::string& lesson);
    /// Is to be written into a new file, or as one more step into one that is there.
    void saveAsked();
    void addAsked();
    void closeAsked();

private:
    void addButtons(QVBoxLayout& layout);
    void addWords(QFormLayout& form);
    void addStart(QFormLayout& form);
    void addGoals(QFormLayout& form);
    void addHints(QFormLayout& form);
    void addPar(QVBoxLayout& layout);
    void fill();
    void changed();
    void takeProof(const Result<LevelDraft>& draft);

    Origin m_origin;
    std::optional<LevelDraft> m_proven;
    int m_asked = 0; ///< proofs; an answer to another one is dropped
    bool m_filling = false;
    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QPlainTextEdit* m_task;
    QSpinBox* m_microBatches;
    QComboBox* m_start;
    QCheckBox* m_locked;
    QCheckBox* m_timed;
    QDoubleSpinBox* m_latest;
    QCheckBox* m_capped;
    QDoubleSpinBox* m_cap;
    QCheckBox* m_same;
    QPlainTextEdit* m_say;
    QPlainTextEdit* m_show;
    QSpinBox* m_steps;
    QLabel* m_par;
    QPushButton* m_prove;
    QPushButton* m_try;
    QPushButton* m_save;
    QPushButton* m_add;
};

} // namespace pw::ui
