# Files of one target share most of what they include: a few at a time are compiled as one, in about half of the time.
# A name in one file must not meet another's: what an unnamed namespace declares hides, in those of the files behind it, what
# headers declare around them, and no compiler tells. The build for ARM does without, so that what a file leaves out is found.
option(TWIDDLE_UNITE_FILES "Compile several files of a target as one" ${PROJECT_IS_TOP_LEVEL})

# twiddle_unite(TARGET COUNT): so many files at a time. Those that have options of their own stay apart.
function(twiddle_unite target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TWIDDLE_UNITE_FILES} UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

# twiddle_keep_apart(TARGET files...): whose names are another's, as those of tables are; or whose types, which compilers
# expect to be of no other file, have members of unnamed namespaces.
function(twiddle_keep_apart target)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
