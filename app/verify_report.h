// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "app/verify_cases.h"
#include "executor/verify/verification.h"

#include <algorithm>
#include <string>
#include <vector>

// What `verify` prints.
namespace pw::app {

/// What became of one case.
struct CaseResult
{
    VerifyCase one;
    std::string refusal; ///< the family cannot do this shape; the rest is then empty
    std::string failure; ///< the run itself failed
    exec::Comparison comparison;
    bool good = false;
};

/// A schedule that is broken on purpose.
struct Control
{
    std::string name;
    exec::Comparison comparison;
    std::string failure;
    bool detected = false;
};

/// Results of one family.
struct FamilyResult
{
    const Family* family = nullptr;
    std::vector<CaseResult> cases;

    int count(bool (*which)(const CaseResult&)) const
    {
        return static_cast<int>(std::count_if(cases.begin(), cases.end(), which));
    }
    int runs() const
    {
        return count([](const CaseResult& one) { return one.refusal.empty(); });
    }
    int refused() const
    {
        return count([](const CaseResult& one) { return !one.refusal.empty(); });
    }
    int failed() const
    {
        return count([](const CaseResult& one) { return one.refusal.empty() && !one.good; });
    }
};

/// A deviation as people read it: "1.2e-07"; "none" where it is not a number.
std::string errorText(double error);

/// A row a family: how many shapes were trained, and the worst deviation.
std::string tableOf(const std::vector<FamilyResult>& families, const Screen& screen);

/// The schedules that are broken on purpose, and whether that was seen.
std::string controlsText(const std::vector<Control>& controls, const Screen& screen);

/// A line a shape that failed; with `all` those that the family cannot do, too.
std::string linesOf(const std::vector<FamilyResult>& families, bool all, const Screen& screen);

std::string jsonOf(const std::vector<FamilyResult>& families, const std::vector<Control>& controls,
                   const std::string& backend, double allowed, bool good);

} // namespace pw::app
