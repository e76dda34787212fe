// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/search.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw::plan {

/// A figure, or the range from a lowest to a highest one.
struct Figure
{
    double from = 0;
    double to = 0;

    Figure() = default;
    Figure(double value) // NOLINT: a figure is mostly one number
        : from(value)
        , to(value)
    {
    }
    Figure(double lowest, double highest)
        : from(lowest)
        , to(highest)
    {
    }
    bool isRange() const { return from != to; }

    friend bool operator==(const Figure&, const Figure&) = default;
};

/// What a figure counts.
enum class HeadlineUnit : std::uint8_t
{
    Percent,          ///< differences are in points, all others in parts of the published figure
    Times,            ///< one time or rate over another
    SamplesPerSecond, ///< of one device
    TokensPerSecond,  ///< of one device
    Milliseconds,
    Gigabytes ///< 10⁹ bytes on the fullest device
};

/// As printed: "%", "×", "samples/s" …
std::string_view unitText(HeadlineUnit unit);

/// How ours is to stand to what was published.
enum class HeadlineKind : std::uint8_t
{
    Figure,
    MoreThan, ///< the published one is a limit, which ours is to exceed
    AtMost
};

/// How near ours is.
enum class HeadlineVerdict : std::uint8_t
{
    Agrees, ///< within 10 %, or 3 points; a limit is kept
    Near,   ///< within 25 %, or 8 points
    Apart   ///< farther; a limit is not kept
};

/// "agrees", "near", "apart"
std::string_view verdictText(HeadlineVerdict verdict);

/// One published figure beside what the model of cost and the simulator give for it.
struct Headline
{
    std::string experiment;
    HeadlineUnit unit = HeadlineUnit::Percent;
    Figure published;
    Figure ours;
    HeadlineKind kind = HeadlineKind::Figure;

    HeadlineVerdict verdict() const;
    /// Ours less published in points for percentages, else in per cent of the published one; of a
    /// range, of both its ends.
    Figure difference() const;

    friend bool operator==(const Headline&, const Headline&) = default;
};

/// One paper's main experiment.
struct HeadlinePaper
{
    std::string_view id;          ///< as typed: `zero-bubble`
    std::string_view title;       ///< what was measured
    std::string_view source;      ///< where the figures are printed
    std::string_view assumptions; ///< what the source does not say, and what is taken for it
    /// What separates ours from the published ones, where that is known; else empty.
    std::string_view remark;
    /// @param stop  asks to end early; null: never. What is there by then is given.
    std::vector<Headline> (*compute)(const std::atomic<bool>* stop) = nullptr;
    /// The experiment of the figure that the paper is known by, one of those computed.
    std::string_view claim;
    /// Command lines that repeat ours of the claim: one that has it, or two whose times divide.
    std::array<std::string_view, 2> commands;
};

/// All of them, in the order of the table.
std::span<const HeadlinePaper> headlinePapers();

/// Mean of |difference| over headlines of the unit, both ends of ranges counted; limits are none.
double meanDifference(const std::vector<Headline>& headlines, bool percentages);

namespace headlines {
std::vector<Headline> gpipe(const std::atomic<bool>* stop);
std::vector<Headline> adaGrouper(const std::atomic<bool>* stop);
std::vector<Headline> zeroBubble(const std::atomic<bool>* stop);
std::vector<Headline> controllableMemory(const std::atomic<bool>* stop);
std::vector<Headline> hybridGrid(const std::atomic<bool>* stop);
std::vector<Headline> doubleBuffered(const std::atomic<bool>* stop);
std::vector<Headline> sequenceLevel(const std::atomic<bool>* stop);
std::vector<Headline> primus(const std::atomic<bool>* stop);

/// A model of `modelPresets`, with another sequence if that is not 0. @pre it exists
LanguageModel presetModel(std::string_view name, int sequence = 0);

/// Evaluated as a row of `plan` is, but without the checks of a wish, so that stages without layers
/// may stand at the ends.
/// Nothing where the family refuses it.
std::optional<Evaluation> evaluated(const LanguageModel& model, const Cluster& cluster,
                                    const Configuration& configuration);

/// The layers of `stages` equal stages, the first and the last with one less: what the zero-bubble
/// papers give to embedding and output layer. @pre layers + 2 is a multiple of stages
std::vector<int> lighterEnds(int layers, int stages);

inline bool stopped(const std::atomic<bool>* stop)
{
    return stop != nullptr && stop->load();
}
} // namespace headlines

} // namespace pw::plan
