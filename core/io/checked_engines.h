// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>
#include <string_view>

namespace pw {

/// A training engine, in the state that the rules of what is written for it were checked against by
/// its own functions (tests/engines/engines.sh); Slurm by its own daemons (tests/slurm/slurm.sh).
struct CheckedEngine
{
    std::string_view name; ///< of its repository
    std::string_view commit;
};

inline constexpr CheckedEngine torchChecked{"pytorch/pytorch", "v2.14.1"};
inline constexpr CheckedEngine torchTitanChecked{"pytorch/torchtitan", "b5bcd76c"};
inline constexpr CheckedEngine nemoChecked{"NVIDIA-NeMo/Automodel", "36044ad3"};
inline constexpr CheckedEngine megatronChecked{"NVIDIA/Megatron-LM", "d98e8a64"};
/// Multi-token layers on several stages, `m|m|L`.
inline constexpr CheckedEngine megatronTokensChecked{"NVIDIA/Megatron-LM pull request 5329",
                                                     "76eb6d30"};
/// Losses on several stages, `m|LL|L`.
inline constexpr CheckedEngine megatronLossesChecked{"NVIDIA/Megatron-LM pull request 5318",
                                                     "3eccc206"};
inline constexpr CheckedEngine primusChecked{"AMD-AGI/Primus", "fd1eeabb"};
inline constexpr CheckedEngine galvatronChecked{"PKU-DAIR/Hetu-Galvatron", "cea12ffb"};
inline constexpr CheckedEngine slurmChecked{"Slurm", "22.05.8"};

/// "Written by Pipewright; the rules were checked against pytorch/torchtitan b5bcd76c"
inline std::string checkedAgainst(const CheckedEngine& engine)
{
    return "Written by Pipewright; the rules were checked against " + std::string(engine.name) +
           " " + std::string(engine.commit);
}

/// The same as a line of a file whose comments begin with #.
inline std::string checkedLine(const CheckedEngine& engine)
{
    return "# " + checkedAgainst(engine) + "\n";
}

/// Such a line of a table of PyTorch's, which is beside the file: a table has no place for it,
/// every cell is an action.
inline std::string checkedTableLine(std::string_view table)
{
    return "# " + std::string(table) + " is read by PyTorch: checked against " +
           std::string(torchChecked.name) + " " + std::string(torchChecked.commit) + "\n";
}

} // namespace pw
