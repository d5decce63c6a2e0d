//! `kubectl delete`, and how bad it is.

use super::super::has;
use std::borrow::Cow;

use crate::calls::{is_harmless, is_in_production, is_listed, names_production};
use crate::command::Command;
use crate::rule::Severity;

/// Things that a controller makes again, or that no one keeps.
const FLEETING: &str = "\
    pod pods po job jobs event events ev rs replicaset replicasets lease leases endpoints ep csr \
    certificatesigningrequest componentstatus";

/// Things that belong to Kubernetes itself; others come from extensions, and are at least worth a question.
const KEPT: &str = "\
    all namespace namespaces ns pv pvs persistentvolume persistentvolumes pvc pvcs persistentvolumeclaim \
    persistentvolumeclaims crd crds customresourcedefinition customresourcedefinitions node nodes no \
    secret secrets deploy deployment deployments sts statefulset statefulsets ds daemonset daemonsets \
    svc service services ingress ingresses ing sa serviceaccount serviceaccounts role roles rolebinding \
    rolebindings clusterrole clusterroles clusterrolebinding clusterrolebindings cj cronjob cronjobs sc \
    storageclass storageclasses project projects dc deploymentconfig route routes bc buildconfig \
    imagestream is machineset volumesnapshot apiservice mutatingwebhookconfiguration \
    validatingwebhookconfiguration priorityclass cm configmap configmaps replicationcontroller rc \
    application applications cluster clusters kustomization helmrelease";

/// How bad a `kubectl delete` is, if it is one.
pub(super) fn deletion(command: &Command<'_>) -> Option<Severity> {
    if !command.is(&["kubectl", "oc", "k", "kubecolor", "k3s", "microk8s", "minikube"])
        || is_harmless(command)
    {
        return None;
    }
    let mut words: Vec<Cow<'_, str>> =
        command.operands().iter().copied().map(|arg| arg.without_unset()).collect();
    // They bring kubectl as a sub-command.
    if matches!(&*command.name, "k3s" | "microk8s" | "minikube") {
        if words.first().is_none_or(|word| word != "kubectl") {
            return None;
        }
        words.remove(0);
    }
    if words.first().is_none_or(|word| word != "delete") {
        return None;
    }
    let many = command.args().iter().any(|arg| {
        matches!(
            arg.text.as_str(),
            "--all" | "--all=true" | "-A" | "--all-namespaces" | "--all-namespaces=true"
        )
    });
    // Whatever the kind: what goes was not named.
    if many || command.args().iter().any(is_listed) {
        return Some(Severity::Destructive);
    }
    if let Some(path) = command.value(&["--raw"]) {
        return Some(if names_object(path) { Severity::Destructive } else { Severity::Risky });
    }
    // `-f FILE` says what goes, and the file is not read here: its name, or that of what is rendered, says where.
    let Some(first) = words.get(1) else {
        let feeds = || command.feeders().any(|atom| atom.args.iter().any(|arg| names_production(&arg.text)));
        let is_live = is_in_production(command) || feeds();
        return Some(if is_live { Severity::Destructive } else { Severity::Risky });
    };
    let named = words.len() > 2 || first.contains('/');
    let mut worst = None;
    // `deploy/web svc/web`, or `deploy,svc -l app=web`, or `deploy web`.
    let kinds = words[1..].iter().filter(|word| word.contains('/')).chain([first]);
    for kind in kinds.flat_map(|word| word.split('/').next().unwrap_or(word).split(',')) {
        let name = kind.split('.').next().unwrap_or(kind).to_ascii_lowercase();
        let severity = if has(KEPT, name.as_str()) {
            Some(Severity::Destructive)
        } else if has(FLEETING, name.as_str()) {
            // A pod comes back from its controller, unless it is killed without a chance to finish.
            let forced = command.value(&["--grace-period"]) == Some("0") || command.has(&["--force"]);
            (!named || forced).then_some(Severity::Risky)
        } else {
            Some(Severity::Risky)
        };
        worst = worst.max(severity);
    }
    worst
}

/// Whether a path of the API is that of something with more in it than a pod, which is made again.
pub(super) fn names_object(path: &str) -> bool {
    let kinds = ["/namespaces/", "/persistentvolumes/", "/nodes/", "/customresourcedefinitions/"];
    (path.contains("/apis/") || path.contains("/api/v1/"))
        && kinds.iter().any(|kind| path.contains(kind))
        && !path.contains("/pods/")
}
