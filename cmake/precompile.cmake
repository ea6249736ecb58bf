# Standard headers and fmt's, which most files of a kind include, compiled once: a quarter off the time of a build from
# nothing. The build for ARM does without, so that a file which forgets an include is found.
option(TWIDDLE_PRECOMPILE_HEADERS "Compile the commonly included headers once" ${PROJECT_IS_TOP_LEVEL})

# twiddle_precompile(TARGET headers...) or, to share those of a target with the same options, twiddle_precompile(TARGET
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
