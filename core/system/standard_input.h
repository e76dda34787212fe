// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pw::sys {

/// Takes what has come on standard input; 0 bytes at its end.
/// @return 0, or why not; EINTR: a signal came, and it can be asked again
int readInput(char* into, std::size_t most, std::size_t& got);

/// A thread that waits for the end of standard input, and takes and drops what still comes, until
/// another one wakes it.
class InputWatch
{
public:
    InputWatch();
    ~InputWatch();
    InputWatch(const InputWatch&) = delete;
    InputWatch& operator=(const InputWatch&) = delete;

    /// False: the system had nothing to wake it by.
    bool good() const;
    /// @return  true at the end of standard input, or where it cannot be read; false when woken
    bool waitForEnd() const;
    /// Once.
    void wake();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace pw::sys
