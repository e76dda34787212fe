// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/file_families.h"

#include "core/base/try.h"
#include "core/families/own_families.h"

#include <memory>
#include <utility>

namespace pw {

namespace {

using families::FamilyFile;
using families::FileParameter;

/// A file as what makes a family.
class FileMaker : public OwnFamily
{
public:
    explicit FileMaker(FamilyFile file)
        : m_file(std::move(file))
    {
    }

    const FamilyFile& file() const { return m_file; }
    std::string_view origin() const override { return m_file.path; }
    std::string_view text() const override { return m_file.text; }
    Result<PipelineSpec> spec(const FamilyOptions& options) const override
    {
        return m_file.spec(options);
    }
    Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options) const override
    {
        return m_file.build(spec, options);
    }
    Result<BuildingBlock> block(const FamilyOptions& options) const override
    {
        return m_file.block(options);
    }
    double fallback(std::size_t parameter, const FamilyOptions& options) const override
    {
        return m_file.fallback(parameter, options);
    }

private:
    FamilyFile m_file;
};

Parameter parameterOf(const FileParameter& from, const FamilyFile& file)
{
    if (from.flag)
        return flagParameter(from.name, from.summary);
    Parameter made;
    made.name = from.name;
    made.summary = from.summary;
    made.minimum = static_cast<double>(from.minimum);
    if (from.maximum)
        made.maximum = static_cast<double>(*from.maximum);
    made.role = roleOfName(from.name);
    made.fallbackText = from.fallbackText;
    if (from.fallbackText.empty())
        made.fallback = static_cast<double>(
            file.program.nodes[static_cast<std::size_t>(from.fallback.node)].value);
    return made;
}

OwnFamilyEntry entryOf(FamilyFile from)
{
    auto maker = std::make_unique<const FileMaker>(std::move(from));
    const FamilyFile& file = maker->file();
    Family made;
    made.id = file.id;
    made.title = file.title;
    made.summary = file.summary;
    made.citation = file.citation;
    for (const FileParameter& parameter : file.parameters)
        made.parameters.push_back(parameterOf(parameter, file));
    made.fixedOrder = true; // the language knows no costs
    return {std::move(made), file.hasBlock(), std::move(maker)};
}

/// A file that was taken already, and says the same.
bool isKnown(const FamilyFile& file)
{
    const OwnFamily* known = makerOf(file.id);
    return known != nullptr && !known->text().empty() && known->text() == file.text;
}

} // namespace

Result<std::vector<std::string>> addFileFamilies(std::vector<FamilyFile> files)
{
    std::vector<std::string> ids;
    std::vector<OwnFamilyEntry> fresh;
    for (FamilyFile& file : files) {
        ids.push_back(file.id);
        if (!isKnown(file))
            fresh.push_back(entryOf(std::move(file)));
    }
    PW_DO(addOwnFamilies(std::move(fresh)));
    return ids;
}

std::string_view fileOfFamily(const Family& family)
{
    const OwnFamily* maker = makerOf(family.id);
    return maker != nullptr && !maker->text().empty() ? maker->origin() : std::string_view();
}

} // namespace pw
