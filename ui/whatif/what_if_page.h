// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/what_if.h"
#include "ui/compare/comparing_page.h"
#include "ui/plan/latest_work.h"

#include <memory>
#include <optional>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace pw::ui {

class FieldBar;

/// A schedule or a run above what it would be with another link, family, shape: fields, and both
/// timelines on one axis, predicted anew while the fields change.
class WhatIfPage : public ComparingPage
{
    Q_OBJECT

public:
    /// @param name  of what is there, for the title
    explicit WhatIfPage(const QString& name, QWidget* parent = nullptr);
    ~WhatIfPage() override;

    /// What there is. @param base  what predictions start from
    void setBase(std::shared_ptr<const WhatIfBase> base, ComparedPtr before);
    /// Why there is nothing to start from.
    void setProblem(const QString& why);

    /// What the fields ask for. @error BadValue  the order has no such shape, and why
    Result<WhatIf> asked() const;
    /// The prediction that is shown; null: none yet.
    const std::shared_ptr<const Prediction>& prediction() const { return m_prediction; }
    bool busy() const { return m_work.busy(); }
    QString refusal() const;
    std::vector<QWidget*> beside() override;

    QString title() const override;

Q_SIGNALS:
    /// A prediction is shown, or was refused.
    void predicted();

private:
    void makeFields();
    void connectFields();
    void showLinkFields();
    void predictAgain();
    void take(const Result<Prediction>& made);
    void openPrediction();
    Result<FamilyChoice> family() const;
    QString whatText() const;

    std::shared_ptr<const WhatIfBase> m_base;
    ComparedPtr m_before;
    std::shared_ptr<const Prediction> m_prediction;
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
    QLabel* m_sentence;
};

} // namespace pw::ui
