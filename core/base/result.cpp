// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/result.h"

namespace pw {

tl::unexpected<Error> failure(ErrorCode code, Sentence message)
{
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace pw
