//! Cmdlets of modules that no table names: their verbs and nouns say what they do.

use crate::builtin::has;
use crate::calls::is_in_production;
use crate::command::Command;

/// Verbs that change something.
const CHANGES: &str = "\
    set new add update remove disable enable revoke grant reset restore clear publish import move send suspend \
    start stop restart uninstall approve deny convert complete";

/// Verbs that take something away, or put the old state back over the new one.
const TAKES: &str = "remove clear revoke uninstall reset disable unregister restore dismount delete";

/// How nouns begin that belong to an organisation: its directory, sites, teams and names.
const OF_TENANTS: &[&str] = &[
    "mg",
    "entra",
    "azuread",
    "msol",
    "pnp",
    "spo",
    "csteams",
    "csonline",
    "csuser",
    "cstenant",
    "exo",
    "intune",
    "dlp",
    "retention",
    "compliance",
    "dnsserver",
    "dhcpserver",
    "adfs",
    "safelinks",
    "safeattachment",
    "antiphish",
    "malwarefilter",
    "hostedcontent",
    "hostedoutbound",
    "activesync",
    "managementrole",
    "adreplication",
    "adfinegrained",
    "addefault",
    "gplink",
    "gppermission",
    "gpregistryvalue",
];

/// Nouns of Exchange, which share no beginning.
const OF_EXCHANGE: &str = "\
    mailbox mailboxpermission mailboxfolderpermission recipientpermission transportrule inboundconnector \
    outboundconnector accepteddomain remotedomain organizationconfig inboxrule mailcontact mailuser \
    distributiongroup distributiongroupmember unifiedgroup unifiedgrouplinks casmailbox adminauditlogconfig \
    dkimsigningconfig rolegroupmember rolegroup journalrule sendconnector receiveconnector message sharingpolicy \
    owamailboxpolicy mobiledevice mailboxdatabase mailboxautoreplyconfiguration transportconfig adpermission";

/// Nouns of this session, and those that other rules are about.
const OF_SESSIONS: &str = "\
    item itemproperty content variable alias module job pssession event eventsubscriber typedata psbreakpoint \
    psdrive host history process service scheduledjob psresource script package cimsession dnsclientcache \
    recyclebin psreadlinekeyhandler formatdata markdownoption transcript computer psrepository runspacedebug \
    smbmapping printjob eventlog tempfile psprofile azcontext mgcontext netfirewallrule netroute netipaddress \
    localuser localgroupmember pesternewline mock error screen buffer";

/// The verb and the noun of a cmdlet, in small letters.
fn parts(command: &Command<'_>) -> Option<(String, String)> {
    let (verb, noun) = command.name.split_once('-')?;
    Some((verb.to_ascii_lowercase(), noun.to_ascii_lowercase()))
}

/// Whether it changes what an organisation has in its directory, its mail or its cloud.
pub(super) fn changes_tenant(command: &Command<'_>) -> bool {
    let Some((verb, noun)) = parts(command) else { return false };
    if !has(CHANGES, &verb) || command.only_shows() {
        return false;
    }
    let of_session = ["context", "contextautosave", "config", "default", "alias", "tracelog", "profile"]
        .iter()
        .any(|end| noun.ends_with(end));
    let of_azure = || {
        noun.starts_with("az")
            && !of_session
            && (has("remove stop restart publish reset revoke disable clear restore", &verb)
                || ["roleassignment", "accesspolicy", "securityrule", "firewallrule"]
                    .iter()
                    .any(|part| noun.contains(part)))
    };
    has(OF_EXCHANGE, &noun)
        || OF_TENANTS.iter().any(|start| noun.starts_with(start)) && (!of_session || noun.contains("tenant"))
        || of_azure()
}

/// Whether it takes something away without a question, or changes what is in production.
pub(super) fn takes_unasked(command: &Command<'_>) -> bool {
    // The catalog has rows for cmdlets of which rules know more.
    let Some((verb, noun)) = parts(command).filter(|_| command.known.is_none()) else { return false };
    if command.only_shows() || has(OF_SESSIONS, &noun) {
        return false;
    }
    let says = |text: &str| {
        let text = text.to_ascii_lowercase();
        matches!(&*text, "-force" | "-confirm:false" | "-confirm=false" | "-confirm:$false")
    };
    let unasked = || {
        let args = command.args();
        args.iter().any(|arg| says(&arg.text))
            || args.windows(2).any(|pair| {
                pair[0].text.eq_ignore_ascii_case("-confirm") && pair[1].text.eq_ignore_ascii_case("false")
            })
    };
    has(TAKES, &verb) && (unasked() || is_in_production(command))
        || has("publish update restart stop deploy", &verb) && is_in_production(command)
}
