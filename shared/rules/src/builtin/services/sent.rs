//! What is sent to people, or to where everyone may fetch it.

use shell::mark;

use super::super::has;
use super::super::http::Request;
use crate::command::Command;

/// Whether mail goes to whoever a list names.
pub(super) fn mails_a_list(command: &Command<'_>) -> bool {
    let is_list = |to: &str| {
        let name = to.split_once('@').map_or("", |(name, _)| name);
        name.split(['-', '.', '_', '+']).any(|part| has(LISTS, part))
    };
    has("sendmail mail mailx mutt neomutt msmtp s-nail", &command.name)
        && command.args().last().is_some_and(|to| to.text.contains(mark::is_hole) || is_list(&to.text))
        && command.args().len() < 12
}

/// What addresses of many people begin with.
const LISTS: &str =
    "all everyone staff team customers users clients subscribers newsletter announce company list";

/// Interfaces by which a message reaches people.
const MESSENGERS: &str = "\
    slack.com/api/chat. hooks.slack.com/ discord.com/api/webhooks/ discordapp.com/api/webhooks/ \
    api.telegram.org/bot api.sendgrid.com/v3/mail api.mailgun.net/ api.twilio.com/2010-04-01 \
    api.postmarkapp.com/email api.resend.com/emails api.mailchimp.com/ api.brevo.com/v3/ events.pagerduty.com/ \
    onesignal.com/api/ fcm.googleapis.com/ api.twitter.com/2/tweets api.x.com/2/tweets graph.facebook.com/ \
    webhook.office.com/ outlook.office.com/webhook chat.googleapis.com/ api.pushover.net/";

/// Hosts from which everyone who has the address fetches what was sent there.
const SHELVES: &str = "\
    //transfer.sh //0x0.st //file.io //bashupload.com //paste.rs //ix.io //sprunge.us //catbox.moe \
    //litterbox.catbox.moe //tmpfiles.org //store1.gofile.io //upload.gofile.io //pixeldrain.com //temp.sh \
    //uguu.se //envs.sh //dpaste. //paste. //pastebin.com/api //hastebin.com //clbin.com //filebin.net \
    //keep.sh //webhook.site //oshi.at";

/// Whether a request carries a message to people, or a file to where everyone may fetch it.
pub(super) fn posts(command: &Command<'_>) -> bool {
    let Some(request) = Request::of(command) else { return false };
    let carries = !request.bodies.is_empty() || request.method == "POST";
    let uploads = command.has(&["-T", "--upload-file"]) || request.method == "PUT";
    // Some take a message in the address itself.
    let by_address = request.reaches("/sendMessage /sendMail /sendDocument /sendPhoto");
    // Most requests only ask for something.
    if !(carries || uploads || by_address) {
        return false;
    }
    let to_people = request.reaches(MESSENGERS) || by_address && request.reaches("graph.microsoft.com");
    to_people && (carries || by_address) || (carries || uploads) && uploads_to_shelf(command)
}

fn uploads_to_shelf(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| SHELVES.split_ascii_whitespace().any(|host| arg.text.contains(host)))
}

/// Whether it is sent where nothing counts: a chain on this machine, a network for tests.
pub(super) fn is_tried_out(command: &Command<'_>) -> bool {
    let words =
        "localhost 127 anvil devnet testnet sepolia goerli holesky regtest signet hardhat ganache local dev";
    let parts = |text: &'_ str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| has(words, part));
    command.args().iter().filter(|arg| arg.text.len() < 200).any(|arg| parts(&arg.text))
}
