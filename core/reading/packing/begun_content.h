// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/packing/byte_source.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace pw {

/// A content whose first bytes are held. To tell what it is, it is begun a dozen times: from
/// memory, and whoever reads on has the source that gave them. So most contents are opened once.
class BegunContent
{
public:
    using Open = std::function<Result<std::unique_ptr<ByteSource>>()>;

    /// @param size     bytes that are held
    /// @param failure  set where it cannot be opened again, which a source that reads on cannot
    ///                 return; outlives all sources
    /// @error          as of `open`
    static Result<BegunContent> open(Open open, std::size_t size, std::string& failure);

    /// The content from its beginning. Sources may outlive this.
    std::unique_ptr<ByteSource> source() const;

private:
    struct Held;
    class Source;

    explicit BegunContent(std::shared_ptr<Held> held)
        : m_held(std::move(held))
    {
    }

    std::shared_ptr<Held> m_held;
};

} // namespace pw
