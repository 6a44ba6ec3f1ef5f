#!/usr/bin/env bash
# Builds the images from the Dockerfile, runs each as docs/OPERATING.md says, and walks through it; what is for
# another machine runs in qemu. Their bases are made of Debian's packages, since where images are kept can't be
# reached everywhere. WHOLE=1 builds the web app and the server within, as `docker build` does, with this
# machine's Node and Rust, and for this machine. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v podman >/dev/null || bash scripts/apt_install.sh podman runc

say() { echo "image: $*"; }
fail() { echo "image: FAILED: $*" >&2; [ -z "$container" ] || podman logs "$container" >&2; exit 1; }
folder=target/image
mkdir -p "$folder"
# Its images and containers are apart from what else podman keeps. runc also runs where systemd doesn't.
podman=("$(command -v podman)" --root "$PWD/$folder/storage" --runroot "$PWD/$folder/run" --runtime runc --cgroup-manager cgroupfs --log-level fatal)
podman() { command "${podman[@]}" "$@"; }
container=
base=
cleanup() {
    [ -z "$container" ] || podman rm --force --volumes "$container" >/dev/null 2>&1 || true
    [ -z "$base" ] || rm -rf --one-file-system "$base"
}
trap cleanup EXIT

# Makes an image of a folder.
import() { # FOLDER NAME ARCHITECTURE [CHANGE...]
    local from=$1 name=$2 architecture=$3
    shift 3
    tar -C "$from" --one-file-system -c . | podman import --quiet --arch "$architecture" "${@/#/--change=}" - "localhost/$name" >/dev/null
}

here=$(dpkg --print-architecture)
architectures=(amd64 arm64)
[ -z "${WHOLE:-}" ] || architectures=("$here")
podman manifest rm localhost/annon-runtime >/dev/null 2>&1 || podman rmi --force localhost/annon-runtime >/dev/null 2>&1 || true
podman manifest create localhost/annon-runtime >/dev/null
for architecture in "${architectures[@]}"; do
    import "$(bash scripts/clean_root.sh "$architecture")" "annon-runtime-$architecture" "$architecture"
    podman manifest add localhost/annon-runtime "containers-storage:localhost/annon-runtime-$architecture" >/dev/null
done
flags=(--isolation chroot --build-arg RUNTIME_IMAGE=localhost/annon-runtime)
if [ -n "${WHOLE:-}" ]; then
    say "making the bases of the whole build"
    base=$(mktemp -d /tmp/annon-image-XXXXXX)
    cp -a "$(bash scripts/clean_root.sh)/." "$base"
    cp /etc/resolv.conf "$base/etc/resolv.conf"
    inside() { chroot "$base" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
    inside apt-get update -qq
    inside apt-get install -y -qq --no-install-recommends ca-certificates gcc g++ libc6-dev make >"$folder/bases.log" 2>&1
    # Registries are asked as this machine asks them.
    cp /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/ca-certificates.crt"
    mkdir -p "$base/usr/local/node/lib/node_modules" "$base/usr/local/node/bin"
    cp "$(readlink -f "$(command -v node)")" "$base/usr/local/node/bin/node"
    cp -a "$(npm root --global)/npm" "$base/usr/local/node/lib/node_modules/npm"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/node/bin/npm"
    cp -a "$(rustc --print sysroot)" "$base/usr/local/rust"
    cp "$(rustup which cargo)" "$base/usr/local/rust/bin/cargo"
    path=/usr/local/node/bin:/usr/local/rust/bin:/usr/sbin:/usr/bin:/sbin:/bin
    changes=("ENV PATH=$path" "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt")
    # As quick or as slow as this build is told to be.
    while read -r set; do changes+=("ENV $set"); done < <(env | grep '^CARGO_PROFILE_RELEASE_' || true)
    import "$base" annon-build "$here" "${changes[@]}"
    rm -rf --one-file-system "$base"
    base=
    flags+=(--build-arg BINARY=server --build-arg NODE_IMAGE=localhost/annon-build --build-arg RUST_IMAGE=localhost/annon-build)
fi
say "building"
platforms=$(printf ',linux/%s' "${architectures[@]}")
PLATFORMS=${platforms#,} ENGINE="${podman[*]}" bash scripts/image.sh "${flags[@]}" >"$folder/build.log" 2>&1 \
    || { tail -n 40 "$folder/build.log" >&2; fail "the Dockerfile can't be built"; }

for architecture in "${architectures[@]}"; do
    image=$(podman manifest inspect localhost/annon:all | /usr/bin/python3 -c "import json, sys
print(*(one['digest'] for one in json.load(sys.stdin)['manifests'] if one['platform']['architecture'] == '$architecture'))")
    [ -n "$image" ] || fail "there is no image for $architecture"
    image=localhost/annon@$image command=() annon=(annon) more=()
    if [ "$architecture" != "$here" ]; then
        case $architecture in amd64) processor=x86_64 ;; arm64) processor=aarch64 ;; esac
        command -v "qemu-$processor-static" >/dev/null || bash scripts/apt_install.sh qemu-user-static
        more=(--volume "$(command -v "qemu-$processor-static"):/qemu:ro")
        annon=(/qemu /usr/local/bin/annon) command=("${annon[@]}")
    fi
    port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    # What OPERATING says; and the network of this machine, a limit that it can keep, and no timer of systemd's.
    container=$(podman create --read-only --cap-drop ALL --security-opt no-new-privileges --ulimit core=0 --volume /data \
        --network host --ulimit "nofile=$(ulimit -n):$(ulimit -Hn)" --ulimit nproc=4096:4096 --health-interval=disable \
        --env "ANNON_LISTEN=127.0.0.1:$port" --env ANNON_METRICS_LISTEN=off "${more[@]}" "$image" "${command[@]}" 2>"$folder/create.log")
    podman start "$container" >/dev/null 2>"$folder/start.log" || { cat "$folder/start.log" >&2; fail "it doesn't start"; }
    process=$(podman inspect --format '{{.State.Pid}}' "$container")
    [ "$process" -gt 0 ] || fail "it has ended"
    bash scripts/walk.sh "http://127.0.0.1:$port" "$process" || fail "it doesn't serve"
    grep -q '^Uid:\s*10001\s*10001\s' "/proc/$process/status" || fail "it doesn't run as its user"
    grep -q '^CapEff:\s*0*$' "/proc/$process/status" || fail "it has capabilities"
    grep -Eq '^[^ ]+ / [^ ]+ ro,' "/proc/$process/mounts" || fail "its root can be written to"
    if [ "$architecture" = "$here" ]; then
        podman healthcheck run "$container" || fail "its health check fails"
        ! podman exec "$container" touch /somewhere 2>/dev/null || fail "its root can be written to"
    fi
    podman exec "$container" "${annon[@]}" healthcheck >/dev/null || fail "its health check fails"
    podman exec "$container" "${annon[@]}" check-config >/dev/null || fail "its settings are wrong"
    [[ $(podman exec "$container" "${annon[@]}" sbom) == *'"bomFormat": "CycloneDX"'* ]] || fail "it doesn't list what is in it"
    podman stop --time 20 "$container" >/dev/null 2>&1 || fail "it can't be stopped"
    code=$(podman inspect --format '{{.State.ExitCode}}' "$container")
    [ "$code" -eq 0 ] || fail "it ends with $code"
    podman rm --force --volumes "$container" >/dev/null
    container=
    size=$(podman image inspect --format '{{.Size}}' "$image")
    say "$architecture: served as user 10001, on a root that can't be written to, without capabilities; $size bytes"
done
