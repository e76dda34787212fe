// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/training.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pw::test {

/// The GPT in doubles and plain loops, forward only: what its loss is, and by differences how the
/// loss changes with each parameter.
class PlainGpt
{
public:
    /// With the first weights of a seed.
    PlainGpt(const exec::GptModel& model, std::uint64_t seed);

    /// Mean over all rows. Rows are tokens, sample after sample.
    double loss(const std::vector<std::int32_t>& tokens,
                const std::vector<std::int32_t>& targets) const;

    /// d loss ⁄ d parameter by central differences.
    std::vector<double> gradient(const std::string& parameter,
                                 const std::vector<std::int32_t>& tokens,
                                 const std::vector<std::int32_t>& targets);

private:
    using Rows = std::vector<std::vector<double>>;

    const std::vector<double>& at(const std::string& name) const { return m_values.at(name); }
    Rows linear(const Rows& x, const std::string& name, std::size_t columns, bool bias) const;
    Rows norm(const Rows& x, const std::string& name) const;
    Rows attend(const Rows& queries, const Rows& keysValues) const;

    exec::GptModel m_model;
    std::map<std::string, std::vector<double>> m_values;
};

} // namespace pw::test
