#pragma once

#include <nanobind/nanobind.h>

// Adds JsonLines and label_lines to the module.
void bind_writing(nanobind::module_& module);
