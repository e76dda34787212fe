// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "ui/document/schedule_document.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace pw::ui {

class CostDialog;
class FieldForm;
struct Field;

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
    /// Reads what `pipewright calibrate` wrote, beside the window's work.
    void readCostsFile(const QString& path);
    /// From tables to one time for every stage.
    void takeEqualStages();

Q_SIGNALS:
    /// What was done, or why not, in a sentence.
    void told(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    using ProjectEdit = std::function<Result<void>(Project&)>;
    using ShapeEdit = std::function<Result<void>(PipelineSpec&)>;

    struct ParameterField
    {
        std::string name;
        QDoubleSpinBox* box = nullptr;
    };

    QSpinBox* addCount(FieldForm& form, const QString& label, int most, const QString& name);
    QDoubleSpinBox* addTime(FieldForm& form, const QString& label, const QString& name);
    QLineEdit* addLine(FieldForm& form, const QString& label, const QString& unit,
                       const QString& name, bool wide);
    QToolButton* makeAction(const QString& label, const QString& tip, void (SpecPanel::*run)());
    void colorActions();
    void makeShape();
    void makeCosts();
    void connectShape();
    void connectCosts();

    void showProject();
    void showShape(const Project& project);
    void showParameters(const Project& project);
    void makeParameters(const std::string& id);
    void showCosts(const Project& project);

    void applyCount(QSpinBox* box, const QString& what, int FamilyOptions::*option,
                    int PipelineSpec::*count);
    void applyDevices(int devices);
    void applySegments();
    void applyPlacement();
    void applyUniform(QWidget* box, const QString& what,
                      const std::function<void(UniformCosts&)>& edit);
    void applyCap();
    void applyCosts(const SetCosts& costs, const QString& what);
    /// One step of the history; a refusal is shown under the field of the editor.
    bool apply(QWidget* editor, const QString& what, const ProjectEdit& edit);
    /// The same for the shape of an order of its own.
    bool applyShape(QWidget* editor, const QString& what, const ShapeEdit& edit);
    void refuse(const QWidget* editor, const QString& reason);
    Field* fieldOf(const QWidget* editor) const;
    int mergeOf(const QWidget* editor) const;
    void open(CostDialog* dialog, const QString& what);

    QPointer<ScheduleDocument> m_document;
    std::vector<QMetaObject::Connection> m_connections;
    QPointer<QWidget> m_asked; ///< the editor whose value was applied last
    bool m_showing = false;    ///< fields are being filled, not edited
    int m_session = 0; ///< counts the visits to fields, so that typing of one visit is one step

    FieldForm* m_shape;
    FieldForm* m_parameterForm;
    FieldForm* m_shapeMore;
    FieldForm* m_equal;     ///< costs of equal stages
    FieldForm* m_equalMore; ///< those that are rarely needed
    FieldForm* m_tables;    ///< what a stage table has, to be read
    FieldForm* m_limits;
    QLabel* m_family;
    QSpinBox* m_devices;
    QSpinBox* m_microBatches;
    std::vector<ParameterField> m_parameters;
    std::string m_parametersOf; ///< family whose parameters have fields
    QLineEdit* m_segments;
    QSpinBox* m_steps;
    QCheckBox* m_updates;
    QLineEdit* m_placement;
    QLabel* m_costsFrom;
    QLabel* m_costsRefusal;
    QDoubleSpinBox* m_forward;
    QDoubleSpinBox* m_backward;
    QDoubleSpinBox* m_weight;
    QDoubleSpinBox* m_hop;
    QDoubleSpinBox* m_activation;
    QToolButton* m_more;
    QDoubleSpinBox* m_pair;
    QDoubleSpinBox* m_update;
    QDoubleSpinBox* m_kept;
    QDoubleSpinBox* m_stash;
    std::vector<QLabel*> m_ranges; ///< of F, B, W, the activation
    QLineEdit* m_cap;
    QToolButton* m_takeEqual;
    std::vector<QToolButton*> m_actions; ///< that open dialogs
};

} // namespace pw::ui
