//! The table: prefix, class and length of the body, rule. One function per first letter, so that the branches stay
//! apart and the choice between them becomes a jump.

use super::{Token, shape};
use crate::class::{self, ALNUM, ANY64, CAPS, DOTTED, DOTTED64, HEX, SMALL, WORD};
use crate::guard;

/// How long a body may be at the most.
const LONG: usize = 4096;

/// Declares the tokens of one first letter: prefix, class and length of the body, rule.
///
/// `guarded` tokens have a prefix that other words have too; their body must look random as well.
macro_rules! tokens {
    ($text:expr; $($prefix:literal $class:ident $min:literal $max:tt $rule:literal $($guarded:ident)?;)*) => {{
        $(
            if let Some(body) = $text.strip_prefix($prefix.as_bytes()) {
                // One more than allowed shows that a body is too long, without a walk through a megabyte of it.
                let length = class::run(&body[..body.len().min(LONG + 1)], $class);
                if (($min)..=(tokens!(@max $max))).contains(&length) && tokens!(@guard body length $($guarded)?) {
                    return Some(($rule, $prefix.len() + length));
                }
            }
        )*
        None
    }};
    (@max LONG) => { LONG };
    (@max $max:literal) => { $max };
    (@guard $body:ident $length:ident) => { !filler(&$body[..$length]) };
    (@guard $body:ident $length:ident guarded) => { random(&$body[..$length]) };
}

/// Whether a body is `xxxxx` or the like.
fn filler(body: &[u8]) -> bool {
    guard::distinct(body) < 6 || std::str::from_utf8(body).is_ok_and(guard::is_placeholder)
}

fn random(body: &[u8]) -> bool {
    // No one writes words in hexadecimal digits.
    let hex = class::run(body, HEX) == body.len()
        && body.iter().filter(|b| class::is(**b, class::DIGIT)).count() >= 4;
    std::str::from_utf8(body).is_ok_and(|text| {
        (hex || guard::is_random(text) || guard::alternates(body)) && !guard::is_placeholder(text)
    })
}

/// The token that `text` starts with; what stands before must have been looked at.
pub(crate) fn at(text: &[u8]) -> Option<Token> {
    let first = *text.first()?;
    match first {
        b'0'..=b'9' => digits(text),
        b'A' | b'a' => letter_a(text),
        b'b' | b'B' => letter_b(text),
        b'C' | b'c' => letter_c(text),
        b'D' | b'd' => letter_d(text),
        b'E' | b'e' => letter_e(text),
        b'F' | b'f' => letter_f(text),
        b'G' | b'g' => letter_g(text),
        b'H' | b'h' => letter_h(text),
        b'I' | b'i' | b'J' | b'j' | b'K' | b'k' => letters_i_to_k(text),
        b'L' | b'l' | b'M' | b'm' => letters_l_m(text).or_else(|| shape::discord(text)),
        b'N' | b'n' | b'O' | b'o' => letters_n_o(text).or_else(|| shape::discord(text)),
        b'P' | b'p' => letter_p(text),
        b'Q' | b'q' | b'R' | b'r' => letters_q_r(text),
        b'S' | b's' => letter_s(text),
        b'T' | b't' => letter_t(text),
        b'U'..=b'Z' | b'u'..=b'z' => letters_u_to_z(text),
        _ => None,
    }
}

fn digits(text: &[u8]) -> Option<Token> {
    if let Some(token) = shape::numbered(text) {
        return Some(token);
    }
    tokens! { text;
        "1//0" WORD 40 LONG "google-refresh-token";
        "00" WORD 40 40 "okta-token" guarded;
        "1000." DOTTED 60 70 "zoho-token" guarded;
        "4b1d" ALNUM 38 38 "clickhouse-key" guarded;
    }
}

fn letter_a(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "AKIA" CAPS 16 16 "aws-access-key-id";
        "ASIA" CAPS 16 16 "aws-access-key-id";
        "ABIA" CAPS 16 16 "aws-access-key-id";
        "ACCA" CAPS 16 16 "aws-access-key-id";
        "ABSK" ANY64 100 LONG "aws-bedrock-key";
        "AIza" WORD 35 35 "google-api-key";
        "AGE-SECRET-KEY-1" CAPS 50 70 "age-secret-key";
        "ATATT3" ANY64 100 LONG "atlassian-token";
        "ATCTT3" ANY64 100 LONG "atlassian-token";
        "ATBB" ALNUM 24 40 "bitbucket-app-password" guarded;
        "AKC" ALNUM 24 LONG "artifactory-key" guarded;
        "AQVN" WORD 35 45 "yandex-api-key" guarded;
        "A3-" WORD 34 38 "one-password-key" guarded;
        "API-" CAPS 25 40 "octopus-api-key" guarded;
        "apify_api_" ALNUM 30 50 "apify-token";
        "aio_" ALNUM 26 32 "adafruit-key";
        "access-sandbox-" WORD 36 36 "plaid-token";
        "access-development-" WORD 36 36 "plaid-token";
        "access-production-" WORD 36 36 "plaid-token";
        "ak-" ALNUM 22 LONG "modal-token" guarded;
        "api-" WORD 36 36 "launchdarkly-key" guarded;
        "api_org_" ALNUM 34 34 "hugging-face-token";
        "atlasv1." ANY64 60 LONG "terraform-cloud-token";
        "AGE-SECRET-KEY-PQ-1" CAPS 50 LONG "age-secret-key";
        "ACCESSKEY-" WORD 24 LONG "api-key" guarded;
        "AKID" ALNUM 32 36 "tencent-key-id" guarded;
        "AKLT" WORD 30 60 "volcengine-key" guarded;
        "AQ." WORD 40 80 "google-api-key" guarded;
        "AQE" DOTTED64 120 LONG "adyen-key";
        "AP6" ALNUM 30 80 "artifactory-key" guarded;
        "ATTA" ALNUM 60 LONG "trello-token";
        "APP_USR-" WORD 50 LONG "mercado-pago-token";
        "AVNS_" WORD 16 24 "aiven-password";
        "AAAAAAAAAAAAAAAAAAAAA" ALNUM 60 LONG "twitter-bearer" guarded;
        "amzn.mws." WORD 36 36 "amazon-mws-token";
        "akab-" WORD 33 33 "akamai-token" guarded;
        "apk_user_" ANY64 30 LONG "devin-key";
        "api-" SMALL 28 28 "phabricator-token" guarded;
        "app-" ALNUM 24 24 "dify-key" guarded;
        "as-" ALNUM 22 LONG "modal-token" guarded;
    }
}

fn letter_b(text: &[u8]) -> Option<Token> {
    // In addresses: `api.telegram.org/bot123456:AA…`.
    if let Some((rule, length)) = text.strip_prefix(b"bot").and_then(shape::telegram) {
        return Some((rule, 3 + length));
    }
    tokens! { text;
        "bkua_" ALNUM 40 LONG "buildkite-token";
        "bkat_" ALNUM 40 LONG "buildkite-token";
        "bb_live_" WORD 20 LONG "browserbase-key";
        "bedrock-api-key-" DOTTED64 30 LONG "aws-bedrock-key";
        "BBDC-" ANY64 40 LONG "bitbucket-token";
        "BSA" WORD 24 32 "brave-search-key" guarded;
        "bitrise_" WORD 30 LONG "bitrise-token";
        "bkct_" ALNUM 40 LONG "buildkite-token";
        "bce-v3/" ANY64 50 LONG "baidu-key";
        "b.AAAA" WORD 60 LONG "vault-token";
        "bcs_" ALNUM 30 LONG "api-key" guarded;
    }
}

fn letter_c(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "CCIPAT_" WORD 40 LONG "circleci-token";
        "CFPAT-" WORD 40 50 "contentful-token";
        "CLOJARS_" ALNUM 60 60 "clojars-token";
        "cio" ALNUM 32 32 "crates-io-token" guarded;
        "cfut_" ALNUM 40 LONG "cloudflare-token";
        "cfat_" ALNUM 40 LONG "cloudflare-token";
        "cmVmd" ALNUM 50 80 "artifactory-token";
        "cal_live_" ALNUM 30 LONG "cal-com-key";
        "coze_" ALNUM 30 LONG "coze-token";
        "ccp_" ALNUM 40 LONG "chargebee-key";
        "comfyui-" HEX 40 LONG "comfy-key";
        "cpk_" DOTTED 40 LONG "chutes-key";
        "csk-" ALNUM 40 LONG "cerebras-key";
        "ctx7sk-" WORD 30 LONG "context7-key";
        "CCIPRJ_" WORD 40 LONG "circleci-token";
        "CCDB1_" WORD 40 LONG "cockroachdb-key";
        "codecov_" ALNUM 32 LONG "codecov-token";
        "crsr_" HEX 40 LONG "cursor-key";
        "cflt" ANY64 56 64 "confluent-key" guarded;
        "cxtp_" ALNUM 24 LONG "coralogix-key";
        "cxth_" ALNUM 24 LONG "coralogix-key";
        "cxup_" ALNUM 24 LONG "coralogix-key";
        "cfsk_ma_" WORD 30 LONG "cashfree-key";
        "cli-" SMALL 28 28 "phabricator-token" guarded;
        "configcat-sdk-1/" DOTTED64 40 LONG "configcat-key";
        "ck-" ALNUM 40 LONG "chroma-key" guarded;
    }
}

fn letter_d(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "dop_v1_" HEX 64 64 "digitalocean-token";
        "doo_v1_" HEX 64 64 "digitalocean-token";
        "dor_v1_" HEX 64 64 "digitalocean-token";
        "dckr_pat_" WORD 20 LONG "docker-token";
        "dckr_oat_" WORD 20 LONG "docker-token";
        "dp.pt." ALNUM 40 50 "doppler-token";
        "dp.ct." ALNUM 40 50 "doppler-token";
        "dp.sa." ALNUM 40 50 "doppler-token";
        "dp.scim." ALNUM 40 50 "doppler-token";
        "dp.audit." ALNUM 40 50 "doppler-token";
        "dp.st." DOTTED 40 80 "doppler-token";
        "dapi" HEX 32 34 "databricks-token";
        "dt0c01." DOTTED 60 LONG "dynatrace-token";
        "dt0s16." DOTTED 60 LONG "dynatrace-token";
        "dt0s01." DOTTED 60 LONG "dynatrace-token";
        "duffel_test_" WORD 40 LONG "duffel-token";
        "duffel_live_" WORD 40 LONG "duffel-token";
        "ddp_" ALNUM 36 36 "deno-deploy-token";
        "ddw_" ALNUM 36 36 "deno-deploy-token";
        "dG9rOj" ANY64 30 LONG "intercom-token";
        "dsapi" HEX 32 40 "databricks-token";
        "DO00" CAPS 16 16 "digitalocean-spaces-key";
        "ddapp_" ALNUM 30 LONG "datadog-key";
        "dvc_server_" WORD 30 LONG "devcycle-key";
        "dnsimple_a_" ALNUM 30 LONG "dnsimple-token";
        "dnsimple_u_" ALNUM 30 LONG "dnsimple-token";
        "dtn_" HEX 40 LONG "daytona-key";
        "dataset-" ALNUM 24 24 "dify-key" guarded;
        "dose" HEX 32 40 "databricks-token";
    }
}

fn letter_e(text: &[u8]) -> Option<Token> {
    if text.starts_with(b"eyJ")
        && let Some(token) = shape::jwt(text)
    {
        return Some(token);
    }
    tokens! { text;
        "eyJrIjoi" ANY64 60 LONG "grafana-key";
        "EAAA" WORD 56 68 "square-token";
        "EAAC" ALNUM 80 LONG "facebook-token";
        "EAAM" ALNUM 80 LONG "facebook-token";
        "EAAG" ALNUM 80 LONG "facebook-token";
        "EAAB" ALNUM 80 LONG "facebook-token";
        "EZAK" ALNUM 54 54 "easypost-key";
        "EZTK" ALNUM 54 54 "easypost-key";
        "endr+" ALNUM 20 LONG "endor-key";
        "e2b_" HEX 40 40 "e2b-key";
        "essu_" ANY64 40 LONG "elastic-cloud-key";
        "EXO" HEX 24 32 "exoscale-key" guarded;
        "esecret_" ALNUM 20 LONG "anyscale-key";
        "eu01xx" ALNUM 34 34 "new-relic-key" guarded;
    }
}

fn letter_f(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "figd_" WORD 36 LONG "figma-token";
        "figu_" WORD 36 LONG "figma-token";
        "figo_" WORD 36 LONG "figma-token";
        "FLWSECK_TEST-" WORD 12 LONG "flutterwave-key";
        "FLWSECK-" WORD 12 LONG "flutterwave-key";
        "fio-u-" ANY64 60 LONG "frame-io-token";
        "fm1a_" ANY64 60 LONG "fly-io-token";
        "fm1r_" ANY64 60 LONG "fly-io-token";
        "fm2_" ANY64 60 LONG "fly-io-token";
        "fo1_" WORD 40 LONG "fly-io-token";
        "fc-" HEX 32 32 "firecrawl-key";
        "flb_live_" ALNUM 16 LONG "freemius-key";
        "fw_" ALNUM 22 24 "fireworks-key" guarded;
        "FwoGZXIvYXdz" ANY64 100 LONG "aws-session-token";
        "FQoGZXIvYXdz" ANY64 100 LONG "aws-session-token";
        "fnAE" WORD 32 48 "fauna-key" guarded;
        "fastly_" WORD 32 LONG "fastly-token" guarded;
        "fpk_" ALNUM 30 LONG "api-key" guarded;
    }
}

fn letter_g(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "ghp_" ALNUM 36 255 "github-pat";
        "gho_" ALNUM 36 255 "github-oauth";
        "ghu_" ALNUM 36 255 "github-app-token";
        "ghs_" DOTTED 36 LONG "github-app-token";
        "ghr_" ALNUM 36 255 "github-refresh-token";
        "github_pat_" WORD 50 LONG "github-pat";
        "glpat-" DOTTED 20 LONG "gitlab-pat";
        "glptt-" DOTTED 20 LONG "gitlab-token";
        "gldt-" DOTTED 20 LONG "gitlab-token";
        "glrt-" DOTTED 20 LONG "gitlab-token";
        "glrtr-" DOTTED 20 LONG "gitlab-token";
        "glcbt-" DOTTED 20 LONG "gitlab-token";
        "glft-" DOTTED 20 LONG "gitlab-token";
        "glsoat-" DOTTED 20 LONG "gitlab-token";
        "glagent-" DOTTED 40 LONG "gitlab-token";
        "glimt-" DOTTED 20 LONG "gitlab-token";
        "gloas-" DOTTED 40 LONG "gitlab-token";
        "glffct-" DOTTED 20 LONG "gitlab-token";
        "glwt-" DOTTED 20 LONG "gitlab-token";
        "GR1348941" WORD 20 LONG "gitlab-token";
        "glsa_" WORD 32 LONG "grafana-token";
        "glc_" ANY64 32 LONG "grafana-token";
        "GOCSPX-" WORD 24 32 "google-client-secret";
        "GOOG" CAPS 20 60 "google-hmac-key" guarded;
        "gsk_" ALNUM 40 LONG "groq-key";
        "gcp_" ALNUM 40 LONG "gcp-token" guarded;
        "gAAAAA" ANY64 60 LONG "fernet-token";
        "gitea_" HEX 40 40 "gitea-token";
    }
}

fn letter_h(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "hf_" ALNUM 30 50 "hugging-face-token";
        "hvs." WORD 20 LONG "vault-token";
        "hvb." WORD 20 LONG "vault-token";
        "hvr." WORD 20 LONG "vault-token";
        "HRKU-" WORD 36 LONG "heroku-key";
        "hooks.slack.com/services/" DOTTED64 30 LONG "slack-webhook";
        "hooks.slack.com/workflows/" DOTTED64 30 LONG "slack-webhook";
        "hooks.slack.com/triggers/" DOTTED64 30 LONG "slack-webhook";
        "hsec_" WORD 24 LONG "hookdeck-key";
        "hatch_" ALNUM 30 LONG "hatchet-token" guarded;
        "hcaik_" SMALL 50 64 "honeycomb-key";
        "hcaic_" SMALL 50 64 "honeycomb-key";
        "hcxik_" SMALL 50 64 "honeycomb-key";
        "hcxic_" SMALL 50 64 "honeycomb-key";
        "hcbik_" SMALL 50 64 "honeycomb-key";
        "hcxmk_" SMALL 50 64 "honeycomb-key";
        "hcamk_" SMALL 50 64 "honeycomb-key";
        "hcalk_" SMALL 50 64 "honeycomb-key";
    }
}

fn letters_i_to_k(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "IGQV" WORD 60 LONG "instagram-token";
        "jfrog_" WORD 40 LONG "artifactory-token";
        "jina_" WORD 40 LONG "jina-key";
        "key-" HEX 32 32 "mailgun-key";
        "key_live_" ALNUM 20 LONG "api-key" guarded;
        "key_" HEX 32 40 "api-key" guarded;
        "kratos_" ALNUM 32 LONG "ory-token" guarded;
        "IQoJb3JpZ2lu" ANY64 100 LONG "aws-session-token";
        "isat_" ALNUM 30 LONG "api-key" guarded;
        "jca_" ALNUM 36 LONG "jumpcloud-key" guarded;
        "jsrp_" ALNUM 30 LONG "jsr-token";
        "KEY01" WORD 48 60 "telnyx-key" guarded;
        "key_" HEX 64 64 "cursor-key";
        "k2.secret." WORD 40 LONG "paserk-key";
        "k4.secret." WORD 40 LONG "paserk-key";
        "k4.local." WORD 40 LONG "paserk-key";
        "k2.local." WORD 40 LONG "paserk-key";
    }
}

fn letters_l_m(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "lin_api_" ALNUM 32 LONG "linear-key";
        "lin_oauth_" ALNUM 32 LONG "linear-key";
        "lsv2_pt_" WORD 32 LONG "langsmith-key";
        "lsv2_sk_" WORD 32 LONG "langsmith-key";
        "ls__" HEX 32 LONG "langsmith-key";
        "LTAI" ALNUM 17 24 "alibaba-key-id" guarded;
        "live_" WORD 35 LONG "api-key" guarded;
        "ltsk_" ALNUM 30 LONG "api-key" guarded;
        "mlsn." HEX 60 LONG "mailersend-key";
        "mapi-" WORD 36 36 "api-key" guarded;
        "MG." WORD 30 LONG "mailgun-key" guarded;
        "mdb_sa_sk_" WORD 30 LONG "mongodb-atlas-key";
        "m0-" ALNUM 36 LONG "mem0-key" guarded;
        "llx-" ALNUM 40 LONG "llamacloud-key";
        "md-" WORD 22 22 "mandrill-key" guarded;
        "Mid-server-" WORD 20 LONG "midtrans-key";
        "mob-" WORD 36 36 "launchdarkly-key" guarded;
        "MDE6Y2xp" ANY64 40 LONG "github-token";
        "mat_" ALNUM 30 LONG "matrix-token" guarded;
        "mct_" WORD 30 LONG "matrix-token" guarded;
        "msk_" ALNUM 24 LONG "api-key" guarded;
    }
}

fn letters_n_o(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "npm_" ALNUM 36 36 "npm-token";
        "NRAK-" CAPS 24 32 "new-relic-key";
        "NRII-" WORD 30 40 "new-relic-key";
        "NRIQ-" WORD 30 40 "new-relic-key";
        "NRJS-" HEX 19 19 "new-relic-key";
        "NRRA-" HEX 40 44 "new-relic-key";
        "nfp_" ALNUM 36 LONG "netlify-token";
        "nfc_" ALNUM 36 LONG "netlify-token";
        "ntn_" ALNUM 40 60 "notion-token";
        "nvapi-" WORD 60 70 "nvidia-key";
        "napi_" ALNUM 40 LONG "neon-key";
        "ops_" ANY64 100 LONG "one-password-token";
        "oy2" SMALL 43 43 "nuget-key";
        "ocid1." DOTTED 80 LONG "oracle-ocid" guarded;
        "osb_" ALNUM 32 LONG "api-key" guarded;
        "nbp_" ALNUM 36 36 "netbird-token";
        "nsec1" SMALL 58 58 "nostr-key";
        "os_v2_app_" SMALL 90 LONG "onesignal-key";
        "NRAA-" HEX 27 LONG "new-relic-key";
    }
}

fn letter_p(text: &[u8]) -> Option<Token> {
    if let Some(token) = shape::airtable(text) {
        return Some(token);
    }
    tokens! { text;
        "pypi-AgE" WORD 50 LONG "pypi-token";
        "phx_" ALNUM 32 LONG "posthog-key";
        "pscale_tkn_" DOTTED 30 LONG "planetscale-token";
        "pscale_pw_" DOTTED 30 LONG "planetscale-token";
        "pscale_oauth_" DOTTED 30 LONG "planetscale-token";
        "PMAK-" WORD 50 70 "postman-key";
        "pul-" HEX 40 40 "pulumi-token";
        "pat-na1-" WORD 36 36 "hubspot-token";
        "pat-na2-" WORD 36 36 "hubspot-token";
        "pat-eu1-" WORD 36 36 "hubspot-token";
        "pnu_" ALNUM 36 36 "prefect-token";
        "pplx-" ALNUM 40 LONG "perplexity-key";
        "pdl_live_apikey_" WORD 30 LONG "paddle-key";
        "pdl_sdbx_apikey_" WORD 30 LONG "paddle-key";
        "prk_" ALNUM 30 LONG "api-key" guarded;
        "pcsk_" WORD 50 LONG "pinecone-key";
        "pa-" WORD 40 50 "voyage-key" guarded;
        "polar_oat_" WORD 30 LONG "polar-token";
        "pk_" HEX 34 34 "klaviyo-key" guarded;
        "packagist_ort_" HEX 60 LONG "packagist-token";
        "packagist_uut_" HEX 60 LONG "packagist-token";
        "perm:" DOTTED64 40 LONG "jetbrains-token";
        "perm-" DOTTED64 50 LONG "jetbrains-token" guarded;
        "pina_" ALNUM 60 LONG "pinterest-token";
        "pat." DOTTED 60 LONG "harness-token" guarded;
        "pss_" WORD 40 LONG "api-key" guarded;
        "pypi-" WORD 80 LONG "pypi-token" guarded;
    }
}

fn letters_q_r(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "rubygems_" HEX 48 48 "ruby-gems-token";
        "rdme_" ALNUM 60 LONG "readme-token";
        "rk_live_" ALNUM 10 LONG "stripe-key";
        "rk_test_" ALNUM 10 LONG "stripe-key";
        "rk_prod_" ALNUM 10 LONG "stripe-key";
        "r8_" ALNUM 37 37 "replicate-token";
        "re_" WORD 24 40 "resend-key" guarded;
        "rnd_" ALNUM 26 40 "render-key" guarded;
        "RGAPI-" WORD 36 36 "riot-key";
        "rpa_" ALNUM 38 50 "runpod-key";
        "ragflow-" ALNUM 32 LONG "api-key" guarded;
        "retell_" ALNUM 24 LONG "api-key" guarded;
        "qstash_" ANY64 30 LONG "upstash-token";
        "rzp_live_" ALNUM 14 LONG "razorpay-key";
        "rzp_test_" ALNUM 14 LONG "razorpay-key";
        "RWRTY0Iy" ANY64 80 LONG "minisign-key";
        "RWRCSwAAAA" ANY64 80 LONG "signify-key";
    }
}

fn letter_s(text: &[u8]) -> Option<Token> {
    if let Some(token) = shape::sendgrid(text) {
        return Some(token);
    }
    tokens! { text;
        "sk-ant-" WORD 40 LONG "anthropic-key";
        "sk-proj-" WORD 40 LONG "openai-key";
        "sk-svcacct-" WORD 40 LONG "openai-key";
        "sk-admin-" WORD 40 LONG "openai-key";
        "sk-or-v1-" HEX 40 LONG "openrouter-key";
        "sk-lf-" WORD 30 LONG "langfuse-key";
        "sk-" WORD 20 LONG "openai-key" guarded;
        "sk_live_" WORD 10 LONG "stripe-key";
        "sk_test_" WORD 10 LONG "stripe-key";
        "sk_prod_" WORD 10 LONG "stripe-key";
        "sk_" HEX 32 64 "api-key" guarded;
        "shpat_" HEX 32 32 "shopify-token";
        "shpca_" HEX 32 32 "shopify-token";
        "shppa_" HEX 32 32 "shopify-token";
        "shpss_" HEX 32 32 "shopify-token";
        "shpua_" HEX 32 32 "shopify-token";
        "shpit_" HEX 32 32 "shopify-token";
        "shptka_" HEX 32 32 "shopify-token";
        "s." ALNUM 24 24 "vault-token" guarded;
        "sq0atp-" WORD 22 LONG "square-token";
        "sq0csp-" WORD 40 LONG "square-token";
        "sgp_" WORD 40 LONG "sourcegraph-token";
        "slk_" HEX 60 LONG "sourcegraph-token";
        "sbp_" HEX 40 40 "supabase-token";
        "sb_secret_" WORD 24 LONG "supabase-token";
        "secret_" ALNUM 40 50 "notion-token" guarded;
        "sntrys_" ANY64 60 LONG "sentry-token";
        "sntryu_" HEX 60 LONG "sentry-token";
        "squ_" HEX 40 40 "sonar-token";
        "sqp_" HEX 40 40 "sonar-token";
        "sqa_" HEX 40 40 "sonar-token";
        "sl." DOTTED 100 LONG "dropbox-token";
        "sdk-" WORD 36 36 "launchdarkly-key" guarded;
        "shippo_live_" HEX 40 40 "shippo-token";
        "shippo_test_" HEX 40 40 "shippo-token";
        "samsara_api_" ALNUM 28 LONG "samsara-token";
        "SWMTKN-1-" WORD 50 LONG "docker-swarm-token";
        "SK" HEX 32 32 "twilio-key" guarded;
        "sm_" WORD 60 LONG "supermemory-key" guarded;
        "skybridge_" WORD 30 LONG "api-key" guarded;
        "s-s4t2ud-" HEX 64 64 "intra42-secret";
        "s-s4t2af-" HEX 64 64 "intra42-secret";
        "st." DOTTED 80 LONG "infisical-token" guarded;
        "SB-Mid-server-" WORD 20 LONG "midtrans-key";
        "SCW" CAPS 17 17 "scaleway-key" guarded;
        "sktsec_" WORD 30 LONG "socket-key";
        "snyk_" DOTTED 30 LONG "snyk-token" guarded;
        "secret-" ALNUM 40 LONG "statsig-key" guarded;
        "secret_admin_" ALNUM 24 LONG "growthbook-key";
        "SWMKEY-1-" ANY64 40 LONG "docker-swarm-token";
        "syt_" WORD 30 LONG "matrix-token";
        "sat." DOTTED 60 LONG "harness-token" guarded;
        "SUA" CAPS 55 55 "nats-seed";
        "SAA" CAPS 55 55 "nats-seed";
        "SOA" CAPS 55 55 "nats-seed";
        "SK." DOTTED 40 LONG "api-key" guarded;
        "ser." ALNUM 20 30 "flagsmith-key" guarded;
        "sk.eyJ" DOTTED 60 LONG "mapbox-token";
        "sk" ALNUM 80 LONG "sanity-token" guarded;
        "sk_" WORD 29 29 "freemius-key" guarded;
    }
}

fn letter_t(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "tfp_" DOTTED 40 70 "typeform-token";
        "tskey-" WORD 20 LONG "tailscale-key";
        "tvly-" WORD 24 LONG "tavily-key";
        "tr_dev_" ALNUM 18 LONG "trigger-dev-key";
        "tr_prod_" ALNUM 18 LONG "trigger-dev-key";
        "tgp_v1_" WORD 40 LONG "together-key";
        "tk_" ALNUM 32 LONG "api-key" guarded;
        "TKN-" ALNUM 30 LONG "api-key" guarded;
        "t1." DOTTED64 80 LONG "yandex-token" guarded;
        "tprv" ALNUM 100 110 "bip32-key";
        "test_" WORD 35 LONG "api-key" guarded;
    }
}

fn letters_u_to_z(text: &[u8]) -> Option<Token> {
    tokens! { text;
        "v1.0-" WORD 120 LONG "cloudflare-origin-key";
        "vcp_" ALNUM 24 LONG "vercel-token";
        "vck_" ALNUM 24 LONG "vercel-token";
        "vercel_blob_rw_" WORD 30 LONG "vercel-token";
        "VF.DM." DOTTED 24 LONG "voiceflow-key";
        "whsec_" ANY64 24 LONG "webhook-secret";
        "waka_" WORD 36 36 "wakatime-key";
        "wandb_v1_" WORD 40 LONG "wandb-key";
        "xoxb-" WORD 20 LONG "slack-token";
        "xoxp-" WORD 20 LONG "slack-token";
        "xoxa-" WORD 20 LONG "slack-token";
        "xoxr-" WORD 20 LONG "slack-token";
        "xoxs-" WORD 20 LONG "slack-token";
        "xoxo-" WORD 20 LONG "slack-token";
        "xoxc-" WORD 20 LONG "slack-token";
        "xoxd-" ANY64 20 LONG "slack-token";
        "xoxe-" WORD 20 LONG "slack-token";
        "xoxe.xoxb-" WORD 20 LONG "slack-token";
        "xoxe.xoxp-" WORD 20 LONG "slack-token";
        "xapp-" WORD 30 LONG "slack-token";
        "xwfp-" WORD 30 LONG "slack-token";
        "xkeysib-" WORD 60 LONG "brevo-key";
        "xsmtpsib-" WORD 60 LONG "brevo-key";
        "xai-" ALNUM 60 LONG "xai-key";
        "ya29." DOTTED 20 LONG "google-oauth-token";
        "YCAJ" WORD 20 30 "yandex-key" guarded;
        "YC" WORD 38 38 "yandex-key" guarded;
        "y0_" WORD 50 LONG "yandex-token";
        "zpka_" WORD 24 LONG "zuplo-key";
        "zapv1_" ALNUM 24 LONG "api-key" guarded;
        "unkey_" ALNUM 20 LONG "unkey-key" guarded;
        "v1.local." DOTTED 60 LONG "paseto";
        "v2.local." DOTTED 60 LONG "paseto";
        "v3.local." DOTTED 60 LONG "paseto";
        "v4.local." DOTTED 60 LONG "paseto";
        "v1.public." DOTTED 60 LONG "paseto";
        "v2.public." DOTTED 60 LONG "paseto";
        "v3.public." DOTTED 60 LONG "paseto";
        "v4.public." DOTTED 60 LONG "paseto";
        "vera01ei-" WORD 60 LONG "veracode-key";
        "vera01es-" WORD 60 LONG "veracode-key";
        "WPL_AP1." DOTTED64 20 LONG "linkedin-secret";
        "WPL_AP0." DOTTED64 20 LONG "linkedin-secret";
        "xaat-" WORD 36 36 "axiom-token";
        "xapt-" WORD 36 36 "axiom-token";
        "xau_" ALNUM 30 LONG "xata-key";
        "xnd_production_" ALNUM 40 LONG "xendit-key";
        "xnd_development_" ALNUM 40 LONG "xendit-key";
        "xprv" ALNUM 100 120 "bip32-key";
        "yprv" ALNUM 100 120 "bip32-key";
        "zprv" ALNUM 100 120 "bip32-key";
    }
}

/// Hosts whose addresses are secrets in themselves, and how their paths begin.
const WEBHOOKS: [(&str, &str, &str); 19] = [
    ("hooks.slack.com", "/", "slack-webhook"),
    ("hooks.slack-gov.com", "/", "slack-webhook"),
    ("discord.com", "/api/webhooks/", "discord-webhook"),
    ("discordapp.com", "/api/webhooks/", "discord-webhook"),
    ("hooks.zapier.com", "/hooks/catch/", "zapier-webhook"),
    (".webhook.office.com", "/webhookb2/", "teams-webhook"),
    ("outlook.office.com", "/webhook/", "teams-webhook"),
    (".office365.com", "/webhook/", "teams-webhook"),
    ("open.feishu.cn", "/open-apis/bot/v2/hook/", "feishu-webhook"),
    ("open.larksuite.com", "/open-apis/bot/v2/hook/", "lark-webhook"),
    (".make.com", "/", "make-webhook"),
    (".integromat.com", "/", "make-webhook"),
    ("events.pagerduty.com", "/integration/", "pagerduty-webhook"),
    ("maker.ifttt.com", "/trigger/", "ifttt-webhook"),
    ("hc-ping.com", "/", "healthchecks-address"),
    ("hooks.airtable.com", "/workflows/", "airtable-webhook"),
    ("webhooks.mongodb-realm.com", "/api/", "mongodb-webhook"),
    ("alert.victorops.com", "/integrations/", "victorops-webhook"),
    ("api.opsgenie.com", "/v1/json/", "opsgenie-webhook"),
];

/// The path of an address after its scheme, where it is a secret in itself: where it starts and ends, and the rule.
pub(crate) fn webhook(address: &[u8]) -> Option<(usize, usize, &'static str)> {
    let host = address.iter().take(80).position(|byte| *byte == b'/')?;
    let name = address[..host].split(|byte| *byte == b':').next()?;
    let (_, path, rule) = WEBHOOKS.iter().find(|(known, path, _)| {
        let known = known.as_bytes();
        let fits = name == known
            || name.ends_with(known) && (known[0] == b'.' || name[name.len() - known.len() - 1] == b'.');
        fits && address[host..].starts_with(path.as_bytes())
    })?;
    let start = host + path.len();
    let length =
        address[start..].iter().take_while(|byte| class::is(**byte, DOTTED64) || **byte == b'@').count();
    let secret = &address[start..start + length];
    // A page for people has words in it.
    let made = secret.iter().filter(|byte| class::is(**byte, class::DIGIT)).count() >= 3;
    (length >= 12 && made && !filler(secret)).then_some((start, start + length, *rule))
}
