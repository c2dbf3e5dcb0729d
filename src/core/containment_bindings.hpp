#pragma once

#include <nanobind/nanobind.h>

// Adds contained() to the module.
void bind_containment(nanobind::module_& module);
