// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cupti_records.h"

#include <cstddef>

// What cupti_records.h says of the library's records is compared with the library's own header,
// where that is there. Nothing of it is in the program.
#if __has_include(<cupti_activity.h>) && __has_include(<cuda.h>)
#include <cupti.h>
namespace pw::exec::cuda {
static_assert(CUPTI_ACTIVITY_KIND_MEMCPY == static_cast<int>(CuptiKind::Copy));
static_assert(CUPTI_ACTIVITY_KIND_MEMSET == static_cast<int>(CuptiKind::Fill));
static_assert(CUPTI_ACTIVITY_KIND_DRIVER == static_cast<int>(CuptiKind::DriverCall));
static_assert(CUPTI_ACTIVITY_KIND_RUNTIME == static_cast<int>(CuptiKind::RuntimeCall));
static_assert(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL == static_cast<int>(CuptiKind::Kernel));
static_assert(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION == static_cast<int>(CuptiKind::Link));
static_assert(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 == cuptiCustom);
static_assert(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD == cuptiCopyWithin);
static_assert(offsetof(CUpti_ActivityExternalCorrelation, externalKind) == cupti_places::linkKind);
static_assert(offsetof(CUpti_ActivityExternalCorrelation, externalId) == cupti_places::linkId);
static_assert(offsetof(CUpti_ActivityExternalCorrelation, correlationId) ==
              cupti_places::linkCorrelation);
#if CUPTI_API_VERSION >= 130000
static_assert(offsetof(CUpti_ActivityKernel10, start) == cupti_places::start);
static_assert(offsetof(CUpti_ActivityKernel10, end) == cupti_places::end);
static_assert(offsetof(CUpti_ActivityKernel10, correlationId) == cupti_places::kernelCorrelation);
static_assert(offsetof(CUpti_ActivityKernel10, name) == cupti_places::kernelName);
static_assert(offsetof(CUpti_ActivityMemcpy6, copyKind) == cupti_places::copyKind);
static_assert(offsetof(CUpti_ActivityMemcpy6, start) == cupti_places::start);
static_assert(offsetof(CUpti_ActivityMemcpy6, correlationId) == cupti_places::copyCorrelation);
static_assert(offsetof(CUpti_ActivityMemset4, start) == cupti_places::start);
static_assert(offsetof(CUpti_ActivityMemset4, correlationId) == cupti_places::copyCorrelation);
#endif
} // namespace pw::exec::cuda
#endif
