// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/what_ifs.h"

#include "app/own_families.h"
#include "app/study.h"
#include "app/what_if_lists.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/schedule_text.h"

#include <algorithm>
#include <string_view>

namespace pw::app {

namespace {

constexpr const char* changeSection = "What to change; several values with commas";
constexpr const char* parameterSection = "Parameters of families; several values with commas";
constexpr std::string_view memoryLimit = "memory-limit";
constexpr std::size_t mostRows = 1000;

bool takes(const Family& family, std::string_view name)
{
    return findParameter(family, name) != nullptr;
}

/// The parameter of a family that has a name of one letter: k of kFkB.
struct Shorthand
{
    const Family* family = nullptr;
    const Parameter* parameter = nullptr;

    std::string option() const { return {parameter->shorthand}; }
};

std::vector<Shorthand> shorthands()
{
    std::vector<Shorthand> all;
    for (const Family& family : allFamilies())
        for (const Parameter& parameter : family.parameters)
            if (parameter.shorthand != 0)
                all.push_back({&family, &parameter});
    return all;
}

void setParameter(FamilyOptions& options, const std::string& name, double value)
{
    for (auto& [known, old] : options.parameters) {
        if (known != name)
            continue;
        old = value;
        return;
    }
    options.parameters.emplace_back(name, value);
}

/// Every parameter's name, once.
std::vector<std::string> parameterNames()
{
    std::vector<std::string> names;
    for (const Family& family : allFamilies())
        for (const Parameter& parameter : family.parameters)
            if (std::find(names.begin(), names.end(), parameter.name) == names.end())
                names.emplace_back(parameter.name);
    return names;
}

/// Makes the rows of one command line.
class Rows
{
public:
    Rows(const WhatIfBase& base, const std::vector<NamedOrder>& orders, const Arguments& arguments)
        : m_base(base)
        , m_orders(orders)
        , m_spec(base.schedule.spec())
        , m_arguments(arguments)
    {
    }

    tl::expected<std::vector<NamedWhatIf>, Failure> run()
    {
        for (const auto read : {&Rows::readLists, &Rows::readFamilies, &Rows::checkUse})
            PW_DO((this->*read)());
        if (m_asItIs)
            for (const LinkChange& link : m_links)
                append("the same order", {}, link);
        for (const Family* family : m_families)
            familyRows(*family);
        PW_DO(placementRows());
        orderRows();
        if (m_rows.size() > mostRows)
            return usage(groupedNumber(static_cast<std::int64_t>(m_rows.size())) +
                         " combinations; at most " + std::to_string(mostRows) + " are tried");
        return std::move(m_rows);
    }

private:
    using Done = tl::expected<void, Failure>;

    Done readLists()
    {
        const auto read = [&](const std::string& name, std::vector<double>& into,
                              bool whole) -> Done {
            if (!m_arguments.has(name))
                return {};
            PW_TRY(auto numbers, numbersOf(m_arguments, name, whole));
            into = std::move(numbers);
            return {};
        };
        m_devices = {static_cast<double>(m_spec.devices)};
        m_microBatches = {static_cast<double>(m_spec.microBatches)};
        if (const Done done = read("devices", m_devices, true); !done)
            return done;
        if (const Done done = read("micro-batches", m_microBatches, true); !done)
            return done;
        for (const Shorthand& one : shorthands()) {
            std::vector<double> values;
            if (const Done done = read(one.option(), values, true); !done)
                return done;
            if (!values.empty())
                m_shorthands.emplace_back(one, std::move(values));
        }
        for (const std::string& name : parameterNames()) {
            std::vector<double> values;
            if (const Done done = read(name, values, false); !done)
                return done;
            if (!values.empty())
                m_parameters.emplace_back(name, std::move(values));
        }
        if (const std::optional<double> part = m_arguments.number("weight-part"))
            m_weightPart = *part;
        PW_TRY(auto links, linksOf(m_arguments));
        m_links = std::move(links);
        return {};
    }

    Done readFamilies()
    {
        const bool shaped =
            m_arguments.has("devices") || m_arguments.has("micro-batches") || !m_parameters.empty();
        if (m_arguments.has("family")) {
            for (const std::string& id : listParts(m_arguments.text("family"))) {
                if (sameName(id, "all")) {
                    everyFamily();
                    continue;
                }
                const Result<const Family*> family = familyOrFile(id);
                if (!family)
                    return usage(family.error().message);
                appendFamily(**family);
            }
        }
        for (const auto& list : m_shorthands)
            appendFamily(*list.first.family);
        if (!m_families.empty() || m_arguments.has("placement") || !m_orders.empty())
            return {};
        if (!shaped) {
            m_asItIs = true;
            if (!m_arguments.has("link"))
                everyFamily();
            return {};
        }
        if (!m_base.family)
            return usage("no family makes exactly this order, so it has no other shape; --family "
                         "says which one is meant");
        appendFamily(**findFamily(m_base.family->id));
        return {};
    }

    void everyFamily()
    {
        for (const Family& family : allFamilies())
            if (!family.search)
                appendFamily(family);
    }

    void appendFamily(const Family& family)
    {
        if (std::find(m_families.begin(), m_families.end(), &family) == m_families.end())
            m_families.push_back(&family);
    }

    Done checkUse()
    {
        for (const auto& list : m_parameters) {
            if (list.first == memoryLimit)
                continue; // every row is checked against it
            const bool used =
                std::any_of(m_families.begin(), m_families.end(),
                            [&](const Family* family) { return takes(*family, list.first); });
            if (!used)
                return usage("none of these takes --" + list.first);
        }
        if (m_families.empty() && (m_arguments.has("devices") || m_arguments.has("micro-batches")))
            return usage(
                std::string(m_orders.empty() ? "--placement keeps" : "an order has its own") +
                " devices and micro-batches; --family changes them");
        return {};
    }

    /// A family in the shape of the order.
    FamilyOptions plainOptions(const Family& family) const
    {
        if (m_base.family && m_base.family->id == family.id) {
            FamilyOptions own = m_base.family->options;
            // A group as long as the devices follows them.
            const Parameter* group = findParameter(family, ParameterRole::Group);
            if (m_arguments.has("devices") && group != nullptr)
                std::erase_if(own.parameters, [&](const auto& parameter) {
                    return parameter.first == group->name && parameter.second == m_spec.devices;
                });
            return own;
        }
        FamilyOptions options;
        options.steps = m_spec.steps;
        options.updates = m_spec.updates;
        const auto follow = [&](ParameterRole role, int value) {
            const Parameter* parameter = findParameter(family, role);
            if (parameter != nullptr && value > 1 && value <= parameter->maximum)
                options.parameters.emplace_back(parameter->name, value);
        };
        if (m_spec.stages() % m_spec.devices == 0)
            follow(ParameterRole::Chunks, m_spec.stages() / m_spec.devices);
        follow(ParameterRole::Segments, m_spec.segments());
        return options;
    }

    void familyRows(const Family& family)
    {
        std::vector<std::pair<std::string, std::vector<double>>> lists;
        for (const auto& list : m_parameters)
            if (takes(family, list.first) || list.first == memoryLimit)
                lists.push_back(list);
        for (const auto& [one, values] : m_shorthands)
            if (one.family == &family)
                lists.emplace_back(one.parameter->name, values);
        FamilyOptions options = plainOptions(family);
        for (const double devices : m_devices) {
            for (const double microBatches : m_microBatches) {
                options.devices = static_cast<int>(devices);
                options.microBatches = static_cast<int>(microBatches);
                parameterRows(family, options, lists, 0, std::nullopt);
            }
        }
    }

    void parameterRows(const Family& family, FamilyOptions options,
                       const std::vector<std::pair<std::string, std::vector<double>>>& lists,
                       std::size_t next, std::optional<double> limit)
    {
        if (m_rows.size() > mostRows)
            return;
        if (next < lists.size()) {
            const std::string& name = lists[next].first;
            for (const double value : lists[next].second) {
                if (takes(family, name))
                    setParameter(options, name, value);
                parameterRows(family, options, lists, next + 1,
                              name == memoryLimit ? std::optional(value) : limit);
            }
            return;
        }
        for (const LinkChange& link : m_links) {
            WhatIf what;
            what.family = FamilyChoice{std::string(family.id), options};
            what.memoryLimit = limit;
            std::string name = nameOf(options, family);
            if (limit && !takes(family, memoryLimit))
                name += ", " + std::string(memoryLimit) + " " + plainNumber(*limit);
            append(std::move(name), std::move(what), link);
        }
    }

    std::string nameOf(const FamilyOptions& options, const Family& family) const
    {
        std::string name(family.id);
        for (const auto& [key, value] : options.parameters) {
            const Parameter* parameter = findParameter(family, key);
            name += ", " + (parameter != nullptr ? describe(*parameter, value)
                                                 : key + " " + plainNumber(value));
        }
        if (options.devices != m_spec.devices)
            name += ", " + countText(options.devices, "device");
        if (options.microBatches != m_spec.microBatches)
            name += ", " + countText(options.microBatches, "micro-batch", "micro-batches");
        return name;
    }

    Done placementRows()
    {
        if (!m_arguments.has("placement"))
            return {};
        for (const std::string& text : listParts(m_arguments.text("placement"))) {
            const Result<Placement> placement = parsePlacement(text, m_spec.devices);
            if (!placement)
                return usage("--placement: " + placement.error().message);
            for (const LinkChange& link : m_links) {
                WhatIf what;
                what.placement = *placement;
                append("placement " + text, std::move(what), link);
            }
        }
        return {};
    }

    void orderRows()
    {
        for (const NamedOrder& order : m_orders) {
            for (const LinkChange& link : m_links) {
                WhatIf what;
                what.order = order.schedule;
                append("the order of " + order.name, std::move(what), link);
            }
        }
    }

    void append(std::string name, WhatIf what, const LinkChange& link)
    {
        if (!link.name.empty())
            name += ", " + link.name;
        what.hop = link.hop;
        what.linkFactor = link.factor;
        what.weightPart = m_weightPart;
        m_rows.push_back({std::move(name), std::move(what)});
    }

    const WhatIfBase& m_base;
    const std::vector<NamedOrder>& m_orders;
    const PipelineSpec& m_spec;
    const Arguments& m_arguments;
    std::vector<const Family*> m_families;
    bool m_asItIs = false;
    std::vector<double> m_devices, m_microBatches;
    std::vector<std::pair<Shorthand, std::vector<double>>> m_shorthands;
    std::vector<std::pair<std::string, std::vector<double>>> m_parameters;
    std::vector<LinkChange> m_links;
    std::optional<double> m_weightPart;
    std::vector<NamedWhatIf> m_rows;
};

} // namespace

std::vector<Option> whatIfOptions()
{
    const auto list = [](const char* name, const char* placeholder, const char* summary,
                         const char* section) {
        return Option{.name = name,
                      .kind = ValueKind::Text,
                      .placeholder = placeholder,
                      .summary = summary,
                      .section = section};
    };
    std::vector<Option> options = {
        list("family", "FAMILY,…", "other orders; all: every family that does not search",
             changeSection),
        list("devices", "P,…", "devices", changeSection),
        list("micro-batches", "M,…", "micro-batches of one optimizer step", changeSection),
        list("placement", "PLACE,…",
             "the same stages laid out as linear, v, looped 2, zigzag 2 … or device by device (0 "
             "1 1 0), in a new order",
             changeSection),
        list("order-of", "FILE,…",
             "the order of another schedule or trace, whatever its shape, with these costs",
             changeSection),
        list("link", "MS|FACTORx,…", "time of a message, or how many times as slow it is",
             changeSection),
        {.name = "weight-part",
         .kind = ValueKind::Number,
         .placeholder = "PART",
         .summary = "part of BW that is W, for orders with B and W if only BW was measured",
         .section = changeSection,
         .minimum = 0,
         .maximum = 1}};
    for (const Shorthand& one : shorthands()) {
        const std::string letter = one.option();
        const std::string capital(1, static_cast<char>(letter[0] - 'a' + 'A'));
        options.insert(options.begin() + 1,
                       Option{.name = letter,
                              .kind = ValueKind::Text,
                              .placeholder = capital + ",…",
                              .summary = std::string(one.family->title) + " with " +
                                         std::string(one.parameter->name) + "s of " + letter,
                              .section = changeSection});
    }
    for (const std::string& name : parameterNames()) {
        std::string owners;
        const Parameter* first = nullptr;
        for (const Family& family : allFamilies())
            for (const Parameter& parameter : family.parameters)
                if (parameter.name == name) {
                    owners += (owners.empty() ? "" : ", ") + std::string(family.id);
                    first = first == nullptr ? &parameter : first;
                }
        Option option = optionOf(*first);
        option.summary +=
            name == memoryLimit ? "; a row that needs more is refused" : " (" + owners + ")";
        option.section = parameterSection;
        option.lists = true;
        if (option.kind == ValueKind::Whole || option.kind == ValueKind::Number) {
            option.kind = ValueKind::Text;
            option.placeholder = "N";
        }
        option.placeholder += option.placeholder.empty() ? "" : ",…";
        options.push_back(std::move(option));
    }
    return options;
}

tl::expected<std::vector<NamedWhatIf>, Failure>
whatIfsOf(const WhatIfBase& base, const std::vector<NamedOrder>& orders, const Arguments& arguments)
{
    return Rows(base, orders, arguments).run();
}

} // namespace pw::app
