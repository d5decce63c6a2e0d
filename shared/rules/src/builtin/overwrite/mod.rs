//! Overwriting, replacing and moving away what is needed, with whatever program.

mod checks;

use shell::Place;

use crate::builtin::files::{is_source_folder, is_source_pattern};
use crate::builtin::paths;
use crate::builtin::writes::Way;
use crate::protected::Started;
use crate::rule::{Covers, Family, Rule, Severity, When};
use crate::zone::Zone;

use self::checks::{
    brings_work, clears_out, fills, is_asked_about, is_kernel_switch, is_ours, is_server_data, is_work,
    mirrors, moves_away, puts_on_disk, unpacks_over_system, writes_any,
};
pub(crate) use self::checks::{mirrored, overwritten};

pub(super) static FAMILY: Family = Family {
    id: "overwrite",
    title: "Overwriting and moving away",
    // A redirection may follow any program.
    covers: Covers::Every,
    rules: &[
        Rule {
            id: "overwrite.disk",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                writes_any(command, |_, write| paths::is_disk(&write.target)) || puts_on_disk(command)
            }),
            reason: "It overwrites a disk, beneath its file systems.",
            instead: "Write into an image file, such as `dd if=/dev/zero of=disk.img bs=1M count=10`.",
            matches: "
                dd if=/dev/zero of=/dev/sda
                echo x > /dev/sda
                > /dev/nvme0n1
                cp image.iso /dev/sdb
                yes | sudo tee /dev/disk2
                dd of=/dev/mapper/vg-root if=/dev/zero
                tar cf /dev/sda .
                fio --filename=/dev/sda --rw=randwrite
                imager --output /dev/disk4
            ",
            spares: "
                dd if=/dev/zero of=test.img bs=1M count=10
                dd if=/dev/sda of=mbr.bin bs=512 count=1
                tar tf /dev/sr0
                lsblk -O /dev/sda
                grep -o /dev/sda build.log
                fio --filename=/dev/sda --rw=randread
                echo x > /dev/null
                echo x > /dev/ttyUSB0
                ls 2>/dev/stderr
            ",
        },
        Rule {
            id: "overwrite.kernel",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                writes_any(command, |_, write| is_kernel_switch(&write.target.path))
            }),
            reason: "It tells the kernel to stop, to restart or to run something else.",
            instead: "Read the value, such as `cat /proc/sys/kernel/sysrq`.",
            matches: "
                echo b > /proc/sysrq-trigger
                echo c | sudo tee /proc/sysrq-trigger
                echo '|/tmp/x' > /proc/sys/kernel/core_pattern
                cat x > /dev/mem
            ",
            spares: "
                echo 3 > /proc/sys/vm/drop_caches
                cat /proc/sysrq-trigger
                echo -17 > /proc/self/oom_adj
            ",
        },
        Rule {
            id: "overwrite.accounts",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                writes_any(command, |command, write| {
                    is_ours(command) && paths::is_account_file(&write.target.path)
                })
            }),
            reason: "It changes a file that decides who may log in, what runs as root, or what is mounted.",
            instead: "Let a person change it with the tool that checks it, such as `visudo` or `vipw`.",
            matches: "
                : > /etc/shadow
                echo 'x ALL=(ALL) NOPASSWD:ALL' >> /etc/sudoers
                cp passwd.new /etc/passwd
                sed -i d /etc/passwd
                ln -sf /dev/null /etc/passwd
                truncate -s 0 /etc/fstab
                echo x | sudo tee -a /etc/sudoers.d/me
                dd if=/dev/zero of=/etc/group
                curl -o /etc/passwd https://x.y
                openssl enc -in x -out /etc/passwd
                shuf -o /etc/passwd x
                xxd -r x /etc/passwd
                echo x > /proc/self/root/etc/passwd
            ",
            spares: "
                cat /etc/passwd
                cp /etc/passwd backup/
                sed -n 1p /etc/fstab
                sed 's/x/y/' /etc/passwd > users.txt
            ",
        },
        Rule {
            id: "overwrite.login-keys",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                writes_any(command, |command, write| {
                    command.atom.place == Place::Here
                        && write.target.zone != Zone::Temporary
                        && write.target.path.ends_with("/.ssh/authorized_keys")
                })
            }),
            reason: "It changes who may log in to this account.",
            instead: "Let a person change the login keys.",
            matches: "
                echo '' > ~/.ssh/authorized_keys
                cat key.pub >> ~/.ssh/authorized_keys
                cp key.pub /root/.ssh/authorized_keys
            ",
            spares: "
                cat ~/.ssh/authorized_keys
                ssh host 'cat >> ~/.ssh/authorized_keys' < key.pub
                ssh-copy-id host
            ",
        },
        Rule {
            id: "overwrite.system-program",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                writes_any(command, |command, write| {
                    is_ours(command) && write.way != Way::Append && paths::is_essential(&write.target.path)
                })
            }),
            reason: "It replaces a program or library that everything else depends on.",
            instead: "Install your own program below `/usr/local/bin`, or use the package manager.",
            matches: "
                cp -f evil /bin/bash
                gcc -o /bin/ls x.c
                sudo cp ls /usr/bin/
                ln -sf busybox /bin/sh
                install -m 755 sudo /usr/bin/sudo
                > /boot/vmlinuz
                mv libc.so.6 /lib/x86_64-linux-gnu/libc.so.6
            ",
            spares: "
                cp tool /usr/local/bin/
                cp /bin/bash ./bash
                install -m 755 tool /usr/local/bin/tool
                ln -s /usr/bin/python3 /usr/local/bin/python
            ",
        },
        Rule {
            id: "overwrite.everything",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                writes_any(command, |command, write| {
                    let vital =
                        matches!(write.target.zone, Zone::Root | Zone::System | Zone::Home | Zone::Worktree);
                    // All of it, or all that was written in one language.
                    let all =
                        || !write.target.filtered && (vital || is_source_folder(&write.target, command));
                    // A text that is changed everywhere is a day's work, but not in someone's home.
                    let elsewhere = matches!(write.target.zone, Zone::Root | Zone::System | Zone::Home);
                    (write.way == Way::Empty || write.way == Way::Edit && elsewhere)
                        && write.target.whole
                        && (all() || vital && is_source_pattern(write.target.file_name()))
                })
            }),
            reason: "It empties every file in the folder.",
            instead: "Name the file that is to be emptied.",
            matches: "
                truncate -s 0 *
                find / -type f -exec truncate -s 0 {} +
                for f in ~/*; do > \"$f\"; done
                find . -type f -exec dd if=/dev/zero of={} count=1 \\;
                find . -name '*.ts' -exec sh -c '> \"$1\"' _ {} \\;
            ",
            spares: "
                truncate -s 0 app.log
                truncate -s 0 *.log
                find . -type f -exec sed -i 's/a/b/' {} +
                for f in logs/*; do > \"$f\"; done
            ",
        },
        Rule {
            id: "overwrite.mirror",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                matches!(&*command.name, "rsync" | "rclone" | "robocopy") && mirrors(command)
            }),
            reason: "It deletes everything at the target that the source does not have.",
            instead: "Check first with `--dry-run`.",
            matches: "
                rsync -a --delete /empty/ /
                rsync -a --del empty/ ~
                rsync --delete-after -r empty/ ./
                rsync -a --delete /empty/ host:/
                rclone sync empty /home/user
            ",
            spares: "
                rsync -av --delete src/ backup/src/
                rsync -an --delete empty/ ./
                rsync -a --delete ~/project/ /mnt/backup/project/
                rclone sync dist remote:site
            ",
        },
        Rule {
            id: "overwrite.unpack",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                command.atom.place != Place::Container && unpacks_over_system(command)
            }),
            reason: "It writes whatever an archive or a folder holds over the system.",
            instead: "Unpack into a folder of its own, such as `tar -xf x.tar -C /tmp/x`.",
            matches: "
                tar -xf evil.tar -C /
                tar xzf backup.tgz -C / --overwrite
                unzip -o x.zip -d /
                rsync -a stage/ /
                cp -r stage/* /
                7z x a.7z -o/etc
                patch -d / -p0 < x.diff
                scp -r host:etc /etc
            ",
            spares: "
                tar xzf x.tgz -C /tmp/x
                sudo tar -C /usr/local -xzf go.tgz
                tar -C / -czf etc.tgz etc
                rsync -a / /mnt/backup
                unzip x.zip -d out
            ",
        },
        Rule {
            id: "overwrite.move-away",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                matches!(&*command.name, "mv" | "gmv" | "tar" | "bsdtar" | "gtar" | "zip")
                    && !command.only_asks()
                    && moves_away(command)
            }),
            reason: "It moves the system, a home folder or the working tree away, or moves files into nothing.",
            instead: "Copy it first, such as `cp -r src /tmp/src`.",
            matches: "
                mv ~/* /dev/null
                mv notes.txt /dev/null
                sudo mv /etc /tmp/etc
                mv /home/user /tmp
                tar -cf /dev/null --remove-files /home
                zip -rm x.zip ~
                mv .git /tmp/
            ",
            spares: "
                mv build /tmp/build-old
                mv ~/Downloads/x.zip .
                mv /etc/nginx/a.conf /etc/nginx/b.conf
                tar czf x.tgz src
                cp x /dev/null
            ",
        },
        Rule {
            id: "overwrite.rotate",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                command.name == "logrotate"
                    && command.has(&["-f", "--force"])
                    && !command.has(&["-d", "--debug"])
            }),
            reason: "It rotates all logs at once, and the oldest are lost.",
            instead: "Check first with `logrotate -d /etc/logrotate.conf`.",
            matches: "
                logrotate -f /etc/logrotate.conf
                sudo logrotate --force /etc/logrotate.d/nginx
            ",
            spares: "
                logrotate -d /etc/logrotate.conf
                logrotate --debug -f /etc/logrotate.conf
            ",
        },
        Rule {
            id: "overwrite.profile",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                writes_any(command, |command, write| {
                    let nothing = command.args().iter().any(|arg| arg.text == "/dev/null");
                    is_ours(command)
                        && (write.way == Way::Empty || write.way == Way::Replace && nothing)
                        && (paths::profile(command, &write.target) == Some(Started::ByName)
                            || paths::is_secret(&write.target)
                                && !matches!(
                                    write.target.zone,
                                    Zone::Inside | Zone::Generated | Zone::Temporary
                                )
                                && !write.target.path.ends_with("/.kube/config")
                            || paths::is_machine_file(&write.target.path)
                                && !write.target.path.ends_with("resolv.conf"))
                })
            }),
            reason: "The file's content is lost: settings, keys or a history that exist nowhere else.",
            instead: "Keep a copy first, such as `cp ~/.bashrc ~/.bashrc.bak`.",
            matches: "
                > ~/.bashrc
                echo x > ~/.zshrc
                cat /dev/null > ~/.bash_history
                ln -sf /dev/null ~/.bash_history
                echo x > /etc/hosts
                echo x > ~/.ssh/id_rsa
            ",
            spares: "
                cat ~/.bashrc
                cp ~/.bashrc /tmp/bashrc
                echo FOO=1 > .env
                echo FOO=1 > dist/.env
                echo x > /tmp/home/.ssh/id_rsa
                d=$(mktemp -d); echo x > \"$d/.ssh/id_rsa\"
                kubectl config view --flatten > ~/.kube/config
            ",
        },
        Rule {
            id: "overwrite.data",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                writes_any(command, |command, write| {
                    is_ours(command) && write.way != Way::Append && is_server_data(&write.target.path)
                })
            }),
            reason: "It overwrites a file in which a server keeps its data.",
            instead: "Let the server delete it, with a statement that a person has read.",
            matches: "
                truncate --size=0 /var/lib/mysql/ibdata1
                > /var/lib/postgresql/16/main/PG_VERSION
                cp /dev/null /var/lib/redis/dump.rdb
            ",
            spares: "
                cat /var/lib/postgresql/16/main/PG_VERSION
                cp /var/lib/redis/dump.rdb .
                echo x > /var/lib/app/state
            ",
        },
        Rule {
            id: "overwrite.unknown",
            severity: Severity::Risky,
            when: When::Command(|command| {
                matches!(&*command.name, "dd" | "gdd" | "dcfldd")
                    && writes_any(command, |_, write| write.target.zone == Zone::Unknown)
            }),
            reason: "It overwrites a file or a disk whose name is only known at run time.",
            instead: "Print the name first, then write it out.",
            matches: "
                dd if=/dev/zero of=$DISK
                dd if=x.iso of=\"$(pick-disk)\"
            ",
            spares: "
                dd if=/dev/zero of=\"$OUT/x.img\" count=1
                dd if=\"$IN\" of=x.img
            ",
        },
        Rule {
            id: "overwrite.clear-out",
            severity: Severity::Risky,
            when: When::Command(|command| {
                matches!(&*command.name, "mv" | "gmv")
                    && command.atom.place == Place::Here
                    && clears_out(command)
            }),
            reason: "It moves the whole working tree, keys or a folder of the home folder to where they may be lost.",
            instead: "Copy it first, such as `cp -r src /tmp/src`.",
            matches: "
                mv * /tmp
                mv ./* ../other/
                mv ~/.ssh /tmp/ssh
                mv ~/Documents /tmp
            ",
            spares: "
                mv *.js src/
                mv build/* dist/
                mv * packages/
                mv ~/Downloads/* .
            ",
        },
        Rule {
            id: "overwrite.settings",
            severity: Severity::Risky,
            when: When::Command(|command| writes_any(command, is_asked_about)),
            reason: "It changes settings of the machine or of the user's shell, or what starts by itself.",
            instead: "Print the line and let a person add it.",
            matches: "
                echo 'export X=1' >> ~/.bashrc
                echo '127.0.0.1 x' | sudo tee -a /etc/hosts
                sed -i 's/a/b/' /etc/ssh/sshd_config
                cp zshrc ~/.zshrc
                mv tool /usr/bin/tool
                echo x > /etc/app.conf
                echo x > .git/HEAD
                truncate -s 0 /var/lib/app/state.db
                echo x | sudo tee /etc/profile.d/x.sh
                cp x.desktop ~/.config/autostart/
                mv x.plist ~/Library/LaunchAgents/x.plist
                echo 'set -g mouse on' >> ~/.tmux.conf
                ./gh completion -s zsh >> ~/.zshrc
            ",
            spares: "
                echo x >> .env
                echo x >> notes.txt
                gh completion -s zsh >> ~/.zshrc
                echo x | sudo tee /etc/apt/sources.list.d/x.list
                cp app.conf /etc/nginx/conf.d/app.conf
                sudo cp x.service /etc/systemd/system/
                cp x ~/.config/app/config
                cp pre-commit .git/hooks/pre-commit
                echo /target >> .git/info/exclude
            ",
        },
        Rule {
            id: "overwrite.without-end",
            severity: Severity::Risky,
            when: When::Command(fills),
            reason: "It writes endlessly, until the disk is full.",
            instead: "Limit how much, such as `head -c 1M /dev/zero > file`.",
            matches: "
                cat /dev/zero > ~/fill
                yes > log.txt
                dd if=/dev/urandom of=junk bs=1M
            ",
            spares: "
                dd if=/dev/zero of=test.img bs=1M count=10
                head -c 1M /dev/zero > file
                cat /dev/null > log.txt
                yes > /dev/null
                yes | head -5 > five.txt
                timeout 1 yes > lines.txt
            ",
        },
        Rule {
            id: "overwrite.changes",
            severity: Severity::Risky,
            when: When::KnownLoss(|command| writes_any(command, is_work) || brings_work(command)),
            reason: "It overwrites a file with changes that are not committed.",
            instead: "Keep them first with `git stash push src/lib.rs`, or write to a new file.",
            matches: "
                echo x > src/lib.rs
                cp template.rs src/lib.rs
                mv new.rs src/lib.rs
                sed -i s/a/b/ src/lib.rs
                truncate -s 0 src/lib.rs
                echo x | tee src/lib.rs
                dd if=new.rs of=src/lib.rs
                git show HEAD~1:src/lib.rs > src/lib.rs
                tar xf ../new.tar
                git archive HEAD~1 | tar x
                unzip -o ../new.zip
                cp -r ../new/. .
                mv ../new/* src/
                rsync -a ../new/ ./
                git diff | patch -R -p1
            ",
            spares: "
                echo x >> src/lib.rs
                echo x > target/log
                sed s/a/b/ src/lib.rs
                tar cf ../all.tar .
                tar xf new.tar -C /tmp/new
                cp -r src ../copy
                sed -i.bak s/a/b/ src/lib.rs
                cp -b new.rs src/lib.rs
                truncate -s +5 notes.txt
            ",
        },
        Rule {
            id: "overwrite.mirror-changes",
            severity: Severity::Risky,
            when: When::KnownLoss(|command| mirrored(command).is_some()),
            reason: "It deletes what the source does not have, and changes that are not committed with it.",
            instead: "Check first with `--dry-run`.",
            matches: "
                rsync -a --delete ../new/ src/
            ",
            spares: "
                rsync -a ../new/ src/
                rsync -an --delete ../new/ src/
                rsync -a --delete src/ host:src/
            ",
        },
    ],
};
