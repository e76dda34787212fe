// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw {

/// A bound on the memory that questions to databases take, while one of these lives. SQLite bounds
/// the memory of the whole process: the first one sets the bound, the last one takes it away.
class QuestionMemory
{
public:
    QuestionMemory();
    ~QuestionMemory();
    QuestionMemory(const QuestionMemory&) = delete;
    QuestionMemory& operator=(const QuestionMemory&) = delete;
};

} // namespace pw
