//! `.ci/release`: see the library.

fn main() -> std::process::ExitCode {
    release::main()
}
