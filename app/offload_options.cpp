// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/offload_options.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/offload_text.h"
#include "core/model/offload.h"
#include "core/sim/host_copies.h"

#include <algorithm>

namespace pw::app {

namespace {

constexpr const char* offloadName = "offload";
constexpr const char* hostLinkName = "host-link";
constexpr const char* allCells = "all";
constexpr const char* hiddenCells = "hidden";
constexpr const char* fittingCells = "fitting";
constexpr const char* nothingGoes = "; nothing is offloaded: ";
constexpr double bytesPerGb = 1e9;
constexpr double leastRate = 1e-3;
constexpr double mostRate = 1e6;

} // namespace

std::vector<Option> offloadOptions()
{
    constexpr const char* section = "Shape";
    return {{.name = offloadName,
             .kind = ValueKind::Text,
             .placeholder = "CELLS",
             .summary = "copy activations to the host's memory after their forward, and back "
                        "before their backward: all; those of stages such as 0,1, or of stages "
                        "and micro-batches such as 0:2-5,1:3; hidden: those whose copies no pass "
                        "waits for; or fitting: of these, as few stages as the memory limit needs",
             .section = section},
            {.name = hostLinkName,
             .kind = ValueKind::Number,
             .placeholder = "GB/s",
             .summary = "rate of a device's link to its host, in either direction (default " +
                        plainNumber(Offload::usualRate / bytesPerGb) +
                        ", PCI Express 5.0 with 16 lanes)",
             .section = section,
             .minimum = leastRate,
             .maximum = mostRate}};
}

tl::expected<void, Failure> chooseOffload(Study& study, const Arguments& arguments)
{
    const std::string text = arguments.has(offloadName) ? arguments.text(offloadName) : "";
    Offload& offload = study.costs.costs.offload;
    if (text == hiddenCells) {
        PW_DO(simulate(study.schedule, study.costs.costs));
        offload.cells = hiddenOffload(study.schedule, study.costs.costs);
    } else if (text == fittingCells) {
        PW_TRY(offload.cells, fittingOffload(study.schedule, study.costs.costs));
    } else {
        return {};
    }
    // What was said of an earlier choice holds no more.
    std::string& said = study.costs.text;
    said.resize(std::min(said.find(nothingGoes), said.size()));
    if (offload.cells.empty())
        said += nothingGoes + std::string(text == hiddenCells
                                              ? "the passes between forward and backward are too "
                                                "short for the copies"
                                              : "all is within the limit");
    return {};
}

tl::expected<void, Failure> applyOffload(Study& study, const Arguments& arguments)
{
    Offload& offload = study.costs.costs.offload;
    const PipelineSpec& spec = study.schedule.spec();
    if (const std::optional<double> rate = arguments.number(hostLinkName))
        offload.link.bytesPerSecond = *rate * bytesPerGb;
    if (arguments.has(offloadName)) {
        const std::string text = arguments.text(offloadName);
        if (text == hiddenCells || text == fittingCells) {
            PW_DO(chooseOffload(study, arguments));
        } else {
            Result<std::vector<Pass>> cells = parseOffload(text, spec);
            if (!cells)
                return usage("--" + std::string(offloadName) +
                             cells.error().message.english().substr(std::string("offload").size()));
            offload.cells = std::move(*cells);
        }
        study.title += text == allCells       ? ", offload"
                       : text == hiddenCells  ? ", offload of what is hidden"
                       : text == fittingCells ? ", offload within the limit"
                                              : ", offload of " + text;
    } else if (arguments.has(hostLinkName) && offload.cells.empty() &&
               !arguments.has(chooseOffloadName)) {
        return usage("--host-link needs --offload, or a file whose schedule offloads activations");
    }
    PW_DO(check(study.costs.costs, spec));
    return {};
}

} // namespace pw::app
