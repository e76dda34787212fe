// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/spec_edits.h"

#include "core/base/try.h"
#include "core/edit/fit_costs.h"
#include "core/edit/reshape.h"
#include "ui/panels/field_form.h"
#include "ui/panels/spec_text.h"

#include <QEvent>
#include <QWidget>

namespace pw::ui {

void SpecEdits::setDocument(ScheduleDocument* document)
{
    for (const QMetaObject::Connection& connection : m_connections)
        disconnect(connection);
    m_connections.clear();
    m_asker = nullptr;
    m_document = document;
    ++m_visit;
    if (document == nullptr)
        return;
    m_connections = {
        connect(document, &ScheduleDocument::resultChanged, this,
                [this] {
                    m_asker = nullptr;
                    Q_EMIT stale();
                }),
        connect(document, &ScheduleDocument::computingChanged, this, &SpecEdits::stale),
        connect(document, &ScheduleDocument::refused, this, [this](const QString& why) {
            if (m_asker)
                refuse(m_asker, sentence({ErrorCode::BadValue, why.toStdString()}));
        })};
    Q_EMIT stale();
}

const Project* SpecEdits::asked() const
{
    return m_document && !m_filling ? &m_document->wanted() : nullptr;
}

void SpecEdits::addForm(FieldForm* form)
{
    std::erase_if(m_forms, [](const QPointer<FieldForm>& gone) { return gone.isNull(); });
    m_forms.emplace_back(form);
    for (const auto& field : form->fields())
        watch(field->editor);
}

void SpecEdits::watch(QWidget* editor)
{
    editor->installEventFilter(this);
}

Field* SpecEdits::fieldOf(const QWidget* editor) const
{
    for (const FieldForm* form : m_forms) {
        if (form == nullptr)
            continue;
        for (const auto& field : form->fields())
            if (field->editor == editor)
                return field.get();
    }
    return nullptr;
}

void SpecEdits::fill(const std::function<void(const Project&)>& show)
{
    if (!m_document)
        return;
    m_filling = true;
    for (FieldForm* form : m_forms)
        if (form != nullptr)
            form->clearRefusals();
    show(m_document->wanted());
    m_filling = false;
}

void SpecEdits::refuse(const QWidget* editor, const QString& reason)
{
    if (Field* field = fieldOf(editor); field != nullptr)
        field->refuse(reason);
    else
        Q_EMIT refused(reason);
}

/// What is typed into one field during one visit is one step.
int SpecEdits::mergeOf(const QWidget* editor) const
{
    if (editor == nullptr)
        return 0;
    constexpr int fields = 256;
    return 1'000'000 + m_visit * fields +
           static_cast<int>(qHash(editor->objectName()) % static_cast<unsigned>(fields));
}

bool SpecEdits::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        ++m_visit;
    return QObject::eventFilter(watched, event);
}

bool SpecEdits::apply(QWidget* editor, const QString& what, const ProjectEdit& edit)
{
    if (m_filling || !m_document)
        return false;
    Project next = m_document->wanted();
    const PipelineSpec before = next.draft.spec;
    const auto changed = [&]() -> Result<void> {
        if (auto ok = edit(next); !ok)
            return ok;
        if (next.family) {
            PW_TRY(const Family* family, findFamily(next.family->id));
            PW_TRY(PipelineSpec spec, specOf(*family, next.family->options));
            next.draft.spec = std::move(spec);
            if (auto ok = fitCosts(next, before); !ok)
                return ok;
        }
        m_asker = editor;
        return m_document->change(std::move(next), what, mergeOf(editor));
    }();
    if (!changed) {
        Q_EMIT stale();
        refuse(editor, sentence(changed.error()));
    }
    return changed.has_value();
}

bool SpecEdits::applyShape(QWidget* editor, const QString& what, const ShapeEdit& edit)
{
    return apply(editor, what, [&](Project& project) -> Result<void> {
        PipelineSpec spec = project.draft.spec;
        if (auto ok = edit(spec); !ok)
            return ok;
        return reshape(project, std::move(spec));
    });
}

} // namespace pw::ui
