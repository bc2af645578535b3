#!/bin/sh
# Builds a container image FROM scratch: the executable and its shared libraries.
# Requires buildah, and root or a user namespace. Does not access a registry.
#
#   npm run package && packaging/image.sh        → dist/petstore-image.tar (OCI), dist/petstore-image.sbom.json
#   podman load -i dist/petstore-image.tar && podman run --read-only -p 8080:8080 -v petstore:/data petstore:1.0.0
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
executable=${1:-dist/petstore}
[ -x "$executable" ] || { echo "$executable not found; run npm run package first" >&2; exit 1; }

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/usr/bin" "$root/data" "$root/tmp" "$root/usr/share/petstore"
cp "$executable" "$root/usr/bin/petstore"
# Copy each library to the path where the loader expects it, and the loader itself.
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
# Loaded at run time for DNS lookups.
libraries=$(dirname "$(ldd "$executable" | grep -o '/[^ ]*libc\.so[^ ]*')")
cp -L "$libraries/libresolv.so.2" "$root$libraries/"
npm sbom --package-lock-only --omit dev --sbom-format cyclonedx > dist/petstore-image.sbom.json
cp dist/petstore-image.sbom.json "$root/usr/share/petstore/sbom.json"

image=$(buildah from scratch)
buildah copy --quiet --chown 0:0 "$image" "$root/usr" /usr
for folder in lib lib64; do
  if [ -d "$root/$folder" ]; then buildah copy --quiet --chown 0:0 "$image" "$root/$folder" "/$folder"; fi
done
buildah copy --quiet --chown 65532:65532 "$image" "$root/data" /data
buildah copy --quiet --chown 65532:65532 "$image" "$root/tmp" /tmp
buildah config \
  --env PETSTORE_HOST=0.0.0.0 --env PETSTORE_PORT=8080 --env PETSTORE_DATA=/data \
  --user 65532:65532 --volume /data --port 8080 --port 8081 \
  --entrypoint '["/usr/bin/petstore"]' --cmd serve \
  --label org.opencontainers.image.title=petstore --label "org.opencontainers.image.version=$version" \
  --label org.opencontainers.image.licenses=MIT "$image"
rm -f dist/petstore-image.tar
buildah commit --quiet "$image" "oci-archive:dist/petstore-image.tar:petstore:$version"
buildah rm "$image" > /dev/null
echo dist/petstore-image.tar
