// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// Whether a sanitizer is built in, for g++ and for clang.

#if defined(__has_feature)
#define PW_HAS_FEATURE(feature) __has_feature(feature)
#else
#define PW_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || PW_HAS_FEATURE(address_sanitizer)
#define PW_ADDRESS_SANITIZER 1
#else
#define PW_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || PW_HAS_FEATURE(thread_sanitizer)
#define PW_THREAD_SANITIZER 1
#else
#define PW_THREAD_SANITIZER 0
#endif
