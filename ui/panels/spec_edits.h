// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "ui/document/schedule_document.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <vector>

class QWidget;

namespace pw::ui {

class FieldForm;
struct Field;

/// What fields ask of a document: each change is one step of its history, and what cannot be is
/// refused under the field that asked.
class SpecEdits : public QObject
{
    Q_OBJECT

public:
    using ProjectEdit = std::function<Result<void>(Project&)>;
    using ShapeEdit = std::function<Result<void>(PipelineSpec&)>;

    using QObject::QObject;

    void setDocument(ScheduleDocument* document);
    ScheduleDocument* document() const { return m_document; }
    /// The project that is asked for now; nullptr without a document, and while fields are filled.
    const Project* asked() const;

    /// Fields whose refusals and visits are looked after; a form may go at any time.
    void addForm(FieldForm* form);
    void watch(QWidget* editor);
    Field* fieldOf(const QWidget* editor) const;

    /// Takes refusals away and fills the fields; nothing is asked for meanwhile.
    void fill(const std::function<void(const Project&)>& show);
    /// Nothing is asked for from now on.
    void stop() { m_filling = true; }

    /// One step of the history; a refusal is shown under the field of the editor.
    bool apply(QWidget* editor, const QString& what, const ProjectEdit& edit);
    /// The same for the shape of an order of its own.
    bool applyShape(QWidget* editor, const QString& what, const ShapeEdit& edit);
    void refuse(const QWidget* editor, const QString& reason);

Q_SIGNALS:
    /// The fields are to be filled again.
    void stale();
    /// Why what no field asked for cannot be.
    void refused(const QString& reason);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int mergeOf(const QWidget* editor) const;

    QPointer<ScheduleDocument> m_document;
    std::vector<QMetaObject::Connection> m_connections;
    std::vector<QPointer<FieldForm>> m_forms;
    QPointer<QWidget> m_asker; ///< the editor whose value was applied last
    bool m_filling = false;    ///< fields are being filled, not edited
    int m_visit = 0; ///< counts the visits to fields, so that typing of one visit is one step
};

} // namespace pw::ui
