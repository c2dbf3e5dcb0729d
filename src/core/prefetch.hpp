// Memory that is on its way before it is looked at.
#pragma once

namespace firsthit {

inline void prefetch(const void* at) {
#if defined(__GNUC__)
    __builtin_prefetch(at);
#else
    static_cast<void>(at);
#endif
}

}  // namespace firsthit
