// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "ui/panels/spec_edits.h"

#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;

namespace pw::ui {

class CostDialog;
class CostsFields;
class ShapeFields;

/// The shape and the costs of a schedule as fields. A value that cannot be is refused with the
/// reason under its field, and the field goes back.
class SpecPanel : public QWidget
{
    Q_OBJECT

public:
    explicit SpecPanel(QWidget* parent = nullptr);
    ~SpecPanel() override;

    void setDocument(ScheduleDocument* document);

    // Dialogs that end in one step of the history.
    void openStageTable();
    void openModel();
    void openLinks();
    void openCostsFile();
    /// Reads what `pipewright costs calibrate` wrote, beside the window's work.
    void readCostsFile(const QString& path);
    /// From tables to one time for every stage.
    void takeEqualStages();

Q_SIGNALS:
    /// What was done, or why not, in a sentence.
    void told(const QString& sentence);

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* makeAction(const QString& label, const QString& tip, void (SpecPanel::*run)());
    void colorActions();
    void showProject();
    void showRefusal(const QString& reason);
    void applyCosts(const SetCosts& costs, const QString& what);
    void open(CostDialog* dialog, const QString& what);

    SpecEdits m_edits;
    ShapeFields* m_shape;
    CostsFields* m_costs;
    QLabel* m_refusal;
    QToolButton* m_takeEqual;
    std::vector<QToolButton*> m_actions; ///< that open dialogs
};

} // namespace pw::ui
