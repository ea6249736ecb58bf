# Headers that every file of the library includes, compiled once: a fifth off the time of a build from nothing. Off by
# default, because an edited header would then rebuild everything; one of the builds of `make test` stays without, so
# that a file which forgets an include is found.
option(TWIDDLE_PRECOMPILE_HEADERS "Compile the commonly included headers once" OFF)

# twiddle_precompile(TARGET headers...) or, to share those of a target of the same kind, twiddle_precompile(TARGET
# REUSE_FROM OTHER)
function(twiddle_precompile target)
  if(NOT TWIDDLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
