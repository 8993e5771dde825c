# The service as one static binary in an otherwise empty image.
#
#   docker build -t draughts-rules .
#   docker run --read-only --cap-drop all -p 50051:50051 -p 127.0.0.1:9090:9090 draughts-rules
#
# With a static binary that exists already, draughts-rules in FOLDER, which takes the place of the stage "build":
#   docker build -t draughts-rules --build-context build=FOLDER .

# A Rust toolchain and a C compiler (for mimalloc); the slim image has gcc. Keep the version that rust-toolchain.toml pins.
ARG BUILD_BASE=rust:1.95-slim-bookworm
ARG RUNTIME_BASE=scratch

FROM ${BUILD_BASE} AS build
WORKDIR /build
# Linked statically with glibc. Naming a target, here the machine's own, keeps the flag away from procedural macros.
ENV CARGO_BUILD_TARGET=host-tuple RUSTFLAGS="-C target-feature=+crt-static"
# First the dependencies behind an empty crate: they are compiled again only if one of these files changes.
COPY Cargo.toml Cargo.lock build.rs ./
COPY proto proto
COPY examples examples
RUN mkdir src && touch src/lib.rs && echo 'fn main() {}' >src/main.rs \
    && cargo build --release --locked --bin draughts-rules
COPY src src
# touch: copied files are older than the empty ones, and cargo goes by time.
RUN touch src/lib.rs src/main.rs \
    && cargo build --release --locked --bin draughts-rules \
    && cp target/*/release/draughts-rules /draughts-rules

FROM ${RUNTIME_BASE} AS runtime
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="draughts-rules" \
      org.opencontainers.image.description="The rules of draughts (checkers) as a stateless gRPC service" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /draughts-rules /draughts-rules
USER 65532:65532
# The healthcheck asks the first address too: on Linux 0.0.0.0 as a target is the machine itself.
ENV DRAUGHTS_LISTEN=0.0.0.0:50051 DRAUGHTS_ADMIN_LISTEN=0.0.0.0:9090
EXPOSE 50051 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/draughts-rules", "healthcheck"]
ENTRYPOINT ["/draughts-rules"]
