# Headers that most files of a kind include, compiled once: a fifth off the time of a build from nothing, a quarter off one
# by clang without optimisation. OFF by default, because an edited header would then rebuild everything. PROGRAMS leaves the
# library out, so that a file of it which forgets an include is found: one of the builds of `make test` does.
set(TWIDDLE_PRECOMPILE_HEADERS OFF CACHE STRING "Compile the commonly included headers once: OFF, PROGRAMS or ON")
set_property(CACHE TWIDDLE_PRECOMPILE_HEADERS PROPERTY STRINGS OFF PROGRAMS ON)

# twiddle_precompile(TARGET headers...) or, to share those of a target with the same options, twiddle_precompile(TARGET
# REUSE_FROM OTHER)
function(twiddle_precompile target)
  set(library twiddle twiddle_pure)
  if(NOT TWIDDLE_PRECOMPILE_HEADERS OR (TWIDDLE_PRECOMPILE_HEADERS STREQUAL PROGRAMS AND target IN_LIST library))
    return()
  endif()
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
