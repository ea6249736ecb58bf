# What `cmake --install` puts where: library, headers, the package files of find_package(twiddle).
include(CMakePackageConfigHelpers)

set(twiddle_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/twiddle)
install(TARGETS twiddle EXPORT twiddleTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ TYPE INCLUDE)
install(EXPORT twiddleTargets NAMESPACE twiddle:: DESTINATION ${twiddle_package_folder})

if(NOT DEFINED BUILD_SHARED_LIBS)
  set(BUILD_SHARED_LIBS OFF)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/twiddleConfig.cmake.in ${PROJECT_BINARY_DIR}/twiddleConfig.cmake
                              INSTALL_DESTINATION ${twiddle_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twiddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/twiddleConfig.cmake ${PROJECT_BINARY_DIR}/twiddleConfigVersion.cmake
        DESTINATION ${twiddle_package_folder})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
