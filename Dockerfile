# Three stages: the web app, the server that embeds it, and a small runtime. With BINARY=ready the
# binary is the one that `make static` has built, and `make image` does that.
#
#   docker build -t annon .
#   docker run -p 8080:8080 -v annon-data:/data --read-only --cap-drop ALL \
#     --security-opt no-new-privileges --ulimit core=0 --memory-swappiness 0 annon
#
# Without the volume nobody can tell whether what is deleted is gone.

# What a tag leads to can change; these are the very same bytes each time. A release renews them
# (`docker buildx imagetools inspect node:20-bookworm-slim` shows today's), since fixes come as new digests.
ARG NODE_IMAGE=docker.io/library/node:20-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0
ARG RUST_IMAGE=docker.io/library/rust:1.95-bookworm@sha256:6258907abe69656e41cd992e0b705cdcfabcbbe3db374f92ed2d47121282d4a1
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim@sha256:7c7b2c966bc9ee8cedfeef67e0e279108992c77681fa595db4a9d65c06ccc587
ARG BINARY=server

FROM ${NODE_IMAGE} AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM ${RUST_IMAGE} AS server
WORKDIR /build
COPY Cargo.toml Cargo.lock rust-toolchain.toml build.rs ./
COPY build build
COPY src src
COPY actors actors
COPY contract contract
COPY store store
COPY bench bench
# It isn't compiled, but Cargo.toml names it.
COPY tests/server.rs tests/server.rs
COPY web/package-lock.json web/package-lock.json
COPY --from=web /build/web/dist web/dist
RUN cargo build --release --locked --bin annon && install -s target/release/annon /annon

FROM scratch AS ready
ARG TARGETARCH
COPY target/static/annon-${TARGETARCH} /annon

FROM ${BINARY} AS binary

# What the runtime has beside its base. It is made on the machine that builds, so an image for another kind of
# machine needs no emulation.
FROM --platform=${BUILDPLATFORM} ${RUNTIME_IMAGE} AS system
# For SMTP over TLS; the server needs nothing else.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin annon \
    && install -d -m 0700 /own/data

FROM ${RUNTIME_IMAGE}
COPY --from=system /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=system /etc/passwd /etc/group /etc/
COPY --from=system --chown=annon:annon /own/ /
COPY --from=binary /annon /usr/local/bin/annon
USER annon
ENV ANNON_LISTEN=0.0.0.0:8080 ANNON_DATA_DIR=/data ANNON_LOG_FORMAT=json
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD ["annon", "healthcheck"]
STOPSIGNAL SIGTERM
CMD ["annon"]
