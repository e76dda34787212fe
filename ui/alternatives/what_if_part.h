// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/what_if.h"
#include "ui/compare/compared.h"
#include "ui/document/latest_work.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace pw::ui {

class FieldBar;

/// What a schedule or a run would be with another link, family, shape: fields, and a sentence about
/// the prediction, which is made anew while the fields change.
class WhatIfPart : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfPart(QWidget* parent = nullptr);

    /// What there is. @param base  what predictions start from
    void setBase(std::shared_ptr<const WhatIfBase> base, ComparedPtr before);
    /// Why there is nothing to start from.
    void setProblem(const QString& why);

    /// What the fields ask for. @error BadValue  the order has no such shape, and why
    Result<WhatIf> asked() const;
    /// The prediction; null: none yet.
    const std::shared_ptr<const Prediction>& prediction() const { return m_prediction; }
    /// As a timeline; null where there is none.
    const ComparedPtr& after() const { return m_after; }
    bool busy() const { return m_work.busy(); }
    QString refusal() const;
    QString sentence() const;

Q_SIGNALS:
    /// A prediction is there, or was refused.
    void predicted();
    /// The prediction is to be opened as a schedule.
    void openRequested();
    /// It is to stay as a row of its own.
    void keepRequested();

private:
    void makeFields();
    void connectFields();
    void showLinkFields();
    void predictAgain();
    void take(const Result<Prediction>& made);
    Result<FamilyChoice> family() const;
    QString whatText() const;
    QString sentenceOf(const Compared& after) const;

    std::shared_ptr<const WhatIfBase> m_base;
    ComparedPtr m_before;
    std::shared_ptr<const Prediction> m_prediction;
    ComparedPtr m_after;
    LatestWork m_work;
    bool m_filling = false;
    FieldBar* m_fields;
    QComboBox* m_family = nullptr;
    QSpinBox* m_devices = nullptr;
    QSpinBox* m_microBatches = nullptr;
    QSpinBox* m_chunks = nullptr;
    QSpinBox* m_group = nullptr;
    QComboBox* m_link = nullptr;
    QDoubleSpinBox* m_linkValue = nullptr;
    QDoubleSpinBox* m_weightPart = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_keep = nullptr;
    QLabel* m_sentence;
};

} // namespace pw::ui
