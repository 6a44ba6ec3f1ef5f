#!/usr/bin/env bash
# Packs target/release/annon, as it was built, as target/deb/annon_VERSION_ARCHITECTURE.deb.
# With DEB_ARCH of another architecture it packs the file for any Linux instead, target/static/annon-ARCHITECTURE.
# A version can be given; by default it is that of Cargo.toml. DEBFULLNAME and DEBEMAIL say who made it,
# DEBHOMEPAGE where it comes from.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v dh >/dev/null || bash scripts/apt_install.sh debhelper bash-completion >&2
[ -e /usr/share/perl5/Debian/Debhelper/Sequence/bash_completion.pm ] || bash scripts/apt_install.sh bash-completion >&2

version=${1:-$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)}
here=$(dpkg --print-architecture)
architecture=${DEB_ARCH:-$here}
binary=target/release/annon
options=()
if [ "$architecture" != "$here" ]; then
    binary=target/static/annon-$architecture
    [ -e "$binary" ] || { echo "deb: $binary isn't there: make static" >&2; exit 1; }
    # It was linked without a library of that architecture, and needs no tool for it.
    options=(--host-arch "$architecture" --no-check-builddeps)
    export DEB_BUILD_OPTIONS="nostrip ${DEB_BUILD_OPTIONS-}"
fi
maintainer="${DEBFULLNAME:-The Annon developers} <${DEBEMAIL:-annon@localhost}>"
folder=target/deb/annon-$version
rm -rf "$folder"
mkdir -p "$folder"/{man,completions,bin,examples}
cp -r deploy/debian "$folder"
sed -i "s|^Maintainer: .*|Maintainer: $maintainer|" "$folder/debian/control"
[ -z "${DEBHOMEPAGE-}" ] || sed -i "/^Standards-Version/i Homepage: $DEBHOMEPAGE" "$folder/debian/control"
cp deploy/annon.toml "$folder"
install "$binary" "$folder/annon"
install deploy/debian/annon.sh "$folder/bin/annon"
rm "$folder/debian/annon.sh"
# What the manual names: proxies, fail2ban, and what watches.
cp -r deploy/one deploy/fail2ban deploy/prometheus deploy/grafana "$folder/examples"

# What it says of itself is the same on each.
annon() { env -i target/release/annon "$@"; }
annon man "$folder/man"
annon completions bash > "$folder/completions/annon"
annon completions zsh > "$folder/completions/_annon"
annon completions fish > "$folder/completions/annon.fish"

# The unit is the one of docs/OPERATING.md, with the places of a package.
sed 's|/usr/local/bin/annon|/usr/lib/annon/annon|' deploy/annon.service > "$folder/debian/annon.service"
cp deploy/annon.socket "$folder/debian/annon.socket"
cp deploy/annon-backup.service "$folder/debian/annon.annon-backup.service"
cp deploy/annon-backup.timer "$folder/debian/annon.annon-backup.timer"

# The day of the commit and not of the build, so that two builds are the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
cat > "$folder/debian/changelog" <<END
annon ($version) unstable; urgency=medium

  * /usr/share/doc/annon/CHANGELOG.md.gz says what is new.

 -- $maintainer  $(date -uRd "@$SOURCE_DATE_EPOCH")
END
cp CHANGELOG.md docs/OPERATING.md docs/CLUSTER.md "$folder"
printf '%s\n' CHANGELOG.md OPERATING.md CLUSTER.md > "$folder/debian/annon.docs"

(cd "$folder" && dpkg-buildpackage --build=binary --no-sign "${options[@]}") > "$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
rm -f target/deb/*.buildinfo target/deb/*.changes
ls target/deb/annon_"$version"_"$architecture".deb
