// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/other_forms.h"

#include "core/trace/importers/megatron_spans.h"
#include "core/trace/importers/perfetto_packets.h"
#include "core/trace/importers/primus_steps.h"
#include "core/trace/importers/rocprof_records.h"

#include <array>

namespace pw {

namespace {

constexpr std::array<OtherForm, 5> otherForms = {{
    {looksLikePrimus, readPrimusSteps},
    {looksLikePrimusConfig, readPrimusConfig},
    {looksLikeMegatronSpans, readMegatronSpans},
    {looksLikeRocprof, readRocprof},
    {looksLikePerfetto, readPerfetto},
}};

} // namespace

const OtherForm* otherForm(std::string_view head)
{
    for (const OtherForm& form : otherForms)
        if (form.looks(head))
            return &form;
    return nullptr;
}

Result<const OtherForm*> findOtherForm(const OpenSource& open)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    return otherForm(headOf(**source, otherFormHead));
}

} // namespace pw
