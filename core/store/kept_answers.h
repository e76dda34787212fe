// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

class Database;

/// What was asked beside runs.
enum class AnswerKind : std::uint8_t
{
    Plan,
    Comparison
};

/// "plan" or "comparison".
std::string_view name(AnswerKind kind);

/// A plan or a comparison as it was answered.
struct NewAnswer
{
    AnswerKind kind = AnswerKind::Plan;
    std::string title;
    std::string question; ///< the command line that asks it again
    std::string text;     ///< as it was shown, without colours
    std::string data;     ///< the same for programs, JSON
};

/// An answer that was kept.
struct StoredAnswer : NewAnswer
{
    std::int64_t number = 0; ///< from 1, never used again; people write "a1"
    std::string notes;
    std::int64_t madeMs = 0; ///< since 1970, UTC
};

/// The number in "a12"; none for another word.
std::optional<std::int64_t> answerNumber(std::string_view word);

/// Plans and comparisons in a store of runs, in a table of their own. One object is for one thread.
/// Errors are those of `RunStore`; BadValue where the store has no such answer.
class AnswerStore
{
public:
    /// To write: makes the store where it is not there.
    static Result<AnswerStore> open(const std::string& path, const StoreOptions& options = {});
    /// To read: the store must be there.
    static Result<AnswerStore> openToRead(const std::string& path,
                                          const StoreOptions& options = {});

    ~AnswerStore();
    AnswerStore(AnswerStore&&) noexcept;
    AnswerStore& operator=(AnswerStore&&) noexcept;

    /// @return  its number
    Result<std::int64_t> keep(const NewAnswer& answer);
    /// The newest first, without texts and data.
    /// @param search  words; answers that have each of them in title, notes, question or kind
    Result<std::vector<StoredAnswer>> answers(std::string_view search = {});
    Result<StoredAnswer> answer(std::int64_t number);
    Result<void> rename(std::int64_t number, const std::string& title);
    Result<void> annotate(std::int64_t number, const std::string& notes);
    Result<void> remove(std::int64_t number);

private:
    explicit AnswerStore(std::unique_ptr<Database> database);
    Result<void> change(std::int64_t number, const char* sql, const std::string& text);

    std::unique_ptr<Database> m_database;
};

} // namespace pw
