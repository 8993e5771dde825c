//! Compiles the .proto files with protox, so that no machine needs protoc.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    #[cfg(feature = "server")]
    generate()?;
    Ok(())
}

#[cfg(feature = "server")]
fn generate() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_source_info(true).include_imports(true);
    compiler.open_files(["draughts/v1/rules_service.proto", "draughts/v1/error_reason.proto"])?;

    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    // The bytes as compiled: decoding and encoding them again would drop the source comments' custom options.
    std::fs::write(out.join("descriptor.bin"), compiler.encode_file_descriptor_set())?;
    // The client half is generated too: the healthcheck subcommand, the example and the tests are clients.
    // google.rpc.Status exists in Rust already.
    let config = tonic_prost_build::configure().extern_path(".google.rpc", "::tonic_types::pb");
    config.compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
