//! Files that belong to one person and are what they seem: no link, no pipe, no one else's.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{
    identity, is_network, may_write_in, only_mine, open_log, open_plain, private_folder, room_for, user_id,
};

#[cfg(not(unix))]
mod portable;
#[cfg(not(unix))]
pub(crate) use portable::{
    identity, is_network, may_write_in, only_mine, open_log, open_plain, private_folder, room_for, user_id,
};
