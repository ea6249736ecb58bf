# Cross-compiles for 64-bit ARM with Debian's compiler and runs programs under qemu-user. What the system's cross compiler
# has not is taken from the packages that scripts/fetch_aarch64_packages.sh unpacks into the build folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(TWIDDLE_TARGET_PACKAGES ${CMAKE_CURRENT_LIST_DIR}/../build-aarch64/packages CACHE PATH "Unpacked packages")
get_filename_component(packages "${TWIDDLE_TARGET_PACKAGES}" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${packages} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${packages})
set(ENV{PKG_CONFIG_LIBDIR} ${packages}/usr/lib/aarch64-linux-gnu/pkgconfig:${packages}/usr/share/pkgconfig)

# Headers and libraries that stand in default folders of the target's system, and those that libraries need in turn.
set(CMAKE_CXX_FLAGS_INIT "-isystem ${packages}/usr/include -isystem ${packages}/usr/include/aarch64-linux-gnu")
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT
      "-L${packages}/usr/lib/aarch64-linux-gnu -Wl,-rpath-link,${packages}/usr/lib/aarch64-linux-gnu")
endforeach()

find_program(TWIDDLE_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR
    ${TWIDDLE_QEMU};-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=${packages}/usr/lib/aarch64-linux-gnu)
