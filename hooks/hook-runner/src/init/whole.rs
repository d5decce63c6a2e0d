//! Hosts whose configurations are made from their records: groups in a file of others, files of our own, lines of YAML, and
//! scripts around programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use host::Product;
use host::installed::command::{Call, call, script};
use host::layout::Layout;
use host::read::Source;
use host::{Hook, System};

use super::change::Change;
use super::made::{self, Entry};
use super::{Plan, Target, form, read, yaml};
use crate::fault::Fault;

/// The changes for a host, and the files in which its hooks are then.
pub(super) fn made(
    plan: &mut Plan<'_>,
    product: Product,
    changes: &mut Vec<Change>,
) -> Result<Vec<Target>, Fault> {
    if product.written.layout.is_whole() {
        return whole_files(plan, product, changes);
    }
    if product.written.layout == Layout::Yaml {
        return lines(plan, product, changes).map(|target| vec![target]);
    }
    let shipped = made::groups(product, &made::entries(product, &plan.choice.hooks, &|hook| hook.to_owned()));
    let shipped = [("", shipped.as_str())];
    let Some(folder) = product.written.scripts else {
        let command = plan.command(product);
        let (path, _) = plan.groups(product, &shipped, &command, changes)?;
        return Ok(vec![(path, with_events(plan, product))]);
    };
    let (settings, _) = plan.place(product)?;
    // The folder of the host's settings stands in both.
    let base = settings.ancestors().nth(Path::new(folder).components().count()).unwrap_or(Path::new("/"));
    let folder = base.join(folder);
    let path = |hook: &str| folder.join(format!("{hook}.sh")).display().to_string();
    scripts(plan, product, &folder, changes)?;
    let command = |call: &Call| Some(path(call.program));
    let (path, _) = plan.groups(product, &shipped, &command, changes)?;
    Ok(vec![(path, with_events(plan, product))])
}

/// The hooks for which the host has events.
fn with_events(plan: &Plan<'_>, product: Product) -> Vec<&'static str> {
    let hooks = plan.choice.hooks.iter().copied();
    hooks.filter(|hook| !made::entries(product, &[hook], &|hook| hook.to_owned()).is_empty()).collect()
}

/// The scripts that a host calls in the place of our programs: before its settings, as every tool runs where they name one
/// that is missing.
fn scripts(plan: &Plan<'_>, product: Product, folder: &Path, changes: &mut Vec<Change>) -> Result<(), Fault> {
    for hook in &plan.choice.hooks {
        let path = folder.join(format!("{hook}.sh"));
        let before = read(&path)?;
        let after = if plan.options.remove {
            // One that is not as we write it is someone else's.
            before.clone().filter(|text| !text.contains("\n# Written by `hook-runner init`.\n"))
        } else {
            Some(script(&program(plan, product, hook)))
        };
        if before != after {
            changes.push(Change { path, before, after });
        }
    }
    Ok(())
}

/// How a hook's program is called.
fn program(plan: &Plan<'_>, product: Product, hook: &str) -> String {
    call(hook)
        .and_then(|call| plan.choice.form.command(form::quoting(product), &call))
        .unwrap_or_else(|| hook.to_owned())
}

/// How each hook is to be called: those that are meant as the arguments say, those that are there as they are.
fn commands(plan: &Plan<'_>, product: Product, there: &[Call]) -> BTreeMap<&'static str, String> {
    let mut commands = as_they_are(product, there);
    for hook in &plan.choice.hooks {
        if plan.options.remove {
            commands.remove(hook);
        } else {
            commands.insert(hook, program(plan, product, hook));
        }
    }
    commands
}

fn entries(product: Product, commands: &BTreeMap<&str, String>) -> Vec<Entry> {
    let hooks: Vec<&str> = commands.keys().copied().collect();
    made::entries(product, &hooks, &|hook| commands.get(hook).cloned().unwrap_or_default())
}

/// Our lines in a file of YAML.
fn lines(plan: &Plan<'_>, product: Product, changes: &mut Vec<Change>) -> Result<Target, Fault> {
    let (path, _) = plan.place(product)?;
    let before = read(&path)?;
    let there = before.as_deref().map(yaml::calls).unwrap_or_default();
    let entries = entries(product, &commands(plan, product, &there));
    let after =
        match &before {
            Some(text) if entries.is_empty() => yaml::without(text),
            None if entries.is_empty() => None,
            text => Some(yaml::with(product, text.as_deref(), &entries).map_err(|trouble| {
                trouble.fault(plan.project, &path, before.as_deref().unwrap_or_default())
            })?),
        };
    if before != after {
        changes.push(Change { path: path.clone(), before, after });
    }
    Ok((path, with_events(plan, product)))
}

/// Files of our own, each made anew from the hooks that it holds and those that are meant.
fn whole_files(
    plan: &mut Plan<'_>,
    product: Product,
    changes: &mut Vec<Change>,
) -> Result<Vec<Target>, Fault> {
    let (folder, format) = plan.place(product)?;
    let mut there: Vec<(PathBuf, String, Vec<Call>)> = Vec::new();
    for name in made::names(product) {
        let path = folder.join(name);
        let Some(text) = read(&path)? else { continue };
        let source = Source { file: path.clone(), scope: plan.scope(), format, text: &text };
        let hooks = host::read(product, &source, System::HERE).hooks;
        let called = |hook: &Hook| call(&hook.action.describe());
        there.push((path, text, hooks.iter().filter_map(called).collect()));
    }
    let now: Vec<Call> = there.iter().flat_map(|(_, _, calls)| calls.clone()).collect();
    // One that is not what we would write for the same hooks was changed, or is someone else's.
    let made_now = made::files(product, &entries(product, &as_they_are(product, &now)));
    let after = made::files(product, &entries(product, &commands(plan, product, &now)));
    let mut targets = Vec::new();
    for name in made::names(product) {
        let path = folder.join(name);
        let of = |files: &[(String, String)]| {
            files.iter().find(|(of, _)| of == name).map(|(_, text)| text.clone())
        };
        let before = there.iter().find(|(at, ..)| *at == path).map(|(_, text, _)| text.clone());
        let after = of(&after);
        let is_ours = before.is_none() || before == of(&made_now) || before == after;
        if !is_ours {
            others(plan, &path, before.as_deref().unwrap_or_default(), after.is_some());
            continue;
        }
        if before != after {
            changes.push(Change { path: path.clone(), before, after: after.clone() });
        }
        if after.is_some() {
            targets.push((path, Vec::new()));
        }
    }
    Ok(targets)
}

fn as_they_are(product: Product, calls: &[Call]) -> BTreeMap<&'static str, String> {
    let quoting = form::quoting(product);
    let one = |call: &Call| {
        let path = call.path.as_deref();
        (call.program, path.map_or_else(|| call.program.to_owned(), |path| Call::write(path, "", quoting)))
    };
    calls.iter().map(one).collect()
}

/// A file of someone else's, or one that was changed, where one of ours belongs.
fn others(plan: &mut Plan<'_>, path: &Path, text: &str, is_wanted: bool) {
    let short = plan.project.short(path);
    let missing: Vec<&str> = plan.choice.hooks.iter().copied().filter(|hook| !text.contains(hook)).collect();
    if plan.options.remove {
        if missing.len() < plan.choice.hooks.len() {
            plan.remarks.push(format!("{short} was changed and is left alone."));
        }
    } else if is_wanted && missing.is_empty() {
        plan.remarks.push(format!("{short} exists and is not what we ship; it is left alone."));
    } else if is_wanted {
        plan.is_blocked = true;
        let text = "exists, is left alone, and does not call";
        plan.remarks
            .push(format!("{short} {text} {}. Move it away, and run this again.", missing.join(", ")));
    }
}
