// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_identity.h"

#include "core/families/family.h"
#include "ui/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace pw::ui {

namespace {

struct IdentityWords
{
    Q_DECLARE_TR_FUNCTIONS(ScheduleIdentity)
};

// As they stand in files, in every language.
constexpr std::string_view editedMark = ", edited";
constexpr std::string_view improvedMark = ", improved";

std::string familyTitle(const FamilyChoice& family)
{
    const Result<const Family*> known = findFamily(family.id);
    return known ? std::string((*known)->title) : family.id;
}

bool changesOrders(const Edit& edit)
{
    return std::any_of(edit.changes.begin(), edit.changes.end(), [](const Change& change) {
        return change.is<InsertEntries>() || change.is<RemoveEntries>() ||
               change.is<MoveEntries>() || change.is<ReplaceEntry>() || change.is<SetSpec>() ||
               change.is<SetOrders>() || change.is<SetSchedule>();
    });
}

bool isEmpty(const Draft& draft)
{
    return std::all_of(draft.orders.begin(), draft.orders.end(),
                       [](const auto& order) { return order.empty(); });
}

/// The family of a title such as "1F1B, edited", with the counts of a shape.
std::optional<FamilyChoice> familyOf(std::string_view title, std::string_view mark,
                                     const PipelineSpec& spec)
{
    if (title.size() <= mark.size() || title.substr(title.size() - mark.size()) != mark)
        return std::nullopt;
    title.remove_suffix(mark.size());
    for (const Family& family : allFamilies()) {
        if (family.title != title)
            continue;
        FamilyChoice choice{std::string(family.id), {}};
        choice.options.devices = spec.devices;
        choice.options.microBatches = spec.microBatches;
        choice.options.steps = spec.steps;
        return choice;
    }
    return std::nullopt;
}

} // namespace

bool ScheduleIdentity::alike(const ScheduleIdentity& other) const
{
    return orders == other.orders && family.has_value() == other.family.has_value() &&
           (!family || family->id == other.family->id);
}

QString ScheduleIdentity::called() const
{
    if (!family)
        return {};
    const QString title = text(familyTitle(*family));
    switch (orders) {
    case Orders::Made:
        break;
    case Orders::Edited:
        return IdentityWords::tr("%1, edited").arg(title);
    case Orders::Improved:
        return IdentityWords::tr("%1, improved").arg(title);
    }
    return title;
}

ScheduleIdentity takeIdentity(Project& project)
{
    ScheduleIdentity identity;
    identity.family = project.family;
    if (project.family)
        return identity;
    identity.orders = ScheduleIdentity::Orders::Edited;
    const PipelineSpec& spec = project.draft.spec;
    identity.family = familyOf(project.title, editedMark, spec);
    if (!identity.family) {
        identity.family = familyOf(project.title, improvedMark, spec);
        if (identity.family)
            identity.orders = ScheduleIdentity::Orders::Improved;
    }
    if (identity.family)
        project.title.clear();
    return identity;
}

void keepIdentity(Project& project, const ScheduleIdentity& identity)
{
    if (project.family || !project.title.empty() || !identity.family)
        return;
    project.title = familyTitle(*identity.family);
    project.title +=
        identity.orders == ScheduleIdentity::Orders::Improved ? improvedMark : editedMark;
}

ScheduleIdentity identityAfter(const ScheduleIdentity& identity, const Edit& edit,
                               const Project& project, bool improved)
{
    ScheduleIdentity next = identity;
    if (project.family) {
        next.family = project.family;
        next.orders = ScheduleIdentity::Orders::Made;
    } else if (changesOrders(edit)) {
        next.orders =
            improved ? ScheduleIdentity::Orders::Improved : ScheduleIdentity::Orders::Edited;
        if (isEmpty(project.draft))
            next.family.reset();
    }
    return next;
}

} // namespace pw::ui
