//! TLS: by the certificates that this machine trusts, and one that is named.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use crate::error::ShipError;

/// The cryptography.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// The certificates by which a receiver's is checked: those of the platform, and those in a file.
pub(crate) fn roots(ca_file: Option<&Path>) -> Result<Vec<CertificateDer<'static>>, ShipError> {
    let mut roots = platform();
    if let Some(file) = ca_file {
        let wrong = |error| ShipError::Tls(format!("{}: {error}", file.display()));
        for certificate in CertificateDer::pem_file_iter(file).map_err(wrong)? {
            roots.push(certificate.map_err(wrong)?);
        }
    }
    if roots.is_empty() {
        return Err(ShipError::Tls("this machine has no certificates of authorities".to_owned()));
    }
    Ok(roots)
}

#[cfg(not(target_os = "macos"))]
fn platform() -> Vec<CertificateDer<'static>> {
    // What cannot be read is not trusted; the rest is.
    rustls_native_certs::load_native_certs().certs
}

/// The keychains of the system and of its administrator, by the system's own program.
#[cfg(target_os = "macos")]
fn platform() -> Vec<CertificateDer<'static>> {
    const KEYCHAINS: [&str; 2] =
        ["/System/Library/Keychains/SystemRootCertificates.keychain", "/Library/Keychains/System.keychain"];
    if let Some(file) = std::env::var_os("SSL_CERT_FILE") {
        return CertificateDer::pem_file_iter(file)
            .map(|found| found.flatten().collect())
            .unwrap_or_default();
    }
    let found = std::process::Command::new("/usr/bin/security")
        .args(["find-certificate", "-a", "-p"])
        .args(KEYCHAINS)
        .output();
    let keychain: Vec<_> = found
        .map(|output| CertificateDer::pem_slice_iter(&output.stdout).flatten().collect())
        .unwrap_or_default();
    if !keychain.is_empty() {
        return keychain;
    }
    CertificateDer::pem_file_iter("/etc/ssl/cert.pem")
        .map(|found| found.flatten().collect())
        .unwrap_or_default()
}

/// A client of TLS for what is not HTTP.
pub(crate) fn client(ca_file: Option<&Path>) -> Result<Arc<ClientConfig>, ShipError> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(roots(ca_file)?);
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| ShipError::Tls(error.to_string()))?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(Arc::new(config))
}
