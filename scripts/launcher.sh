#!/bin/sh
# hashbench, from a bundle: starts the bundled Node. The bundled Vulkan loader serves only where the system has none.
here=$(dirname "$(readlink -f "$0")")

has_loader() {
  for ldconfig in ldconfig /sbin/ldconfig /usr/sbin/ldconfig; do
    if cache=$("$ldconfig" -p 2>/dev/null); then
      case $cache in *libvulkan.so.1*) return 0 ;; esac
      return 1
    fi
  done
  for file in /usr/lib/libvulkan.so.1 /usr/lib64/libvulkan.so.1 /usr/lib/*/libvulkan.so.1; do
    [ -e "$file" ] && return 0
  done
  return 1
}

if ! has_loader; then
  LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
exec "$here/node" "$here/dist/bench/cli/main.js" "$@"
