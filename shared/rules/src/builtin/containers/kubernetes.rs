//! Kubernetes: kubectl, helm and clusters on a workstation.

use super::deletion::{deletion, names_object};
use crate::builtin::http::Request;
use crate::calls::{Table, calls, is_harmless, names_production};
use crate::command::Command;
use crate::made::takes_own_cluster;
use crate::rule::{Rule, Severity, When};

/// Whole clusters, and what is installed in them.
pub(super) static CLUSTERS: Table = calls!(
    "
    helm:
        uninstall|delete|del|un
    helmfile:
        ... destroy|delete
    kind:
        delete cluster|clusters
    minikube:
        delete
    k3d:
        cluster|registry|node delete|rm|del
    k0s microk8s talosctl kubeadm:
        reset
    talosctl:
        wipe disk
        etcd leave|forfeit-leadership|remove-member
    rke:
        remove
    tkn:
        ... delete --all
    ctlptl eksctl kapp skaffold flux tanzu rancher crossplane kn clusterctl:
        ... delete|rm|uninstall|destroy
    kops:
        delete
    argocd:
        app|proj|project|appset|account|cert|cluster|repo delete|rm|delete-token
    istioctl:
        uninstall
        x uninstall
    linkerd cilium:
        uninstall
    devspace:
        purge
        reset
    okteto:
        destroy
        down -v|--volumes
    oc:
        adm prune --confirm
        adm ... prune --confirm
    kubectl oc k kubecolor:
        minio|cnpg|rook-ceph|hns|directpv|kudo|karmada|vsphere|crossplane|kots|schemahero ... delete|destroy|purge|remove
        rook-ceph|kots destroy-cluster|remove
    linkerd:
        viz|multicluster|jaeger|smi uninstall
"
);

/// What disturbs what is running.
pub(super) static RISKS: Table = calls!(
    "
    kubectl oc k kubecolor:
        drain
        adm drain
        scale --replicas=0
        replace --force
        apply --prune
        apply --force
        create clusterrolebinding --clusterrole=cluster-admin
        adm policy add-cluster-role-to-user cluster-admin
        taint node|nodes
        proxy --address=0.0.0.0
        proxy --accept-hosts=.*
        label ns|namespace|namespaces ... pod-security.kubernetes.io/enforce=privileged
        create clusterrolebinding --clusterrole=admin|edit
        create rolebinding --clusterrole=cluster-admin|admin
        adm policy add-scc-to-user privileged|anyuid
        adm policy add-role-to-user admin|cluster-admin
        set|edit|patch|scale|apply @production
        rollout undo|restart|pause @production
    helm:
        rollback
        upgrade --force
        upgrade --reset-values
        repo add --insecure-skip-tls-verify
        upgrade|install @production
    argocd:
        app rollback
        app sync --prune
        app sync --force
        app set --sync-policy=none|manual
        app terminate-op
        app sync --replace
        cluster|repo add --insecure-skip-server-verification
        app sync|set @production
    kops:
        rolling-update --yes
        update --yes
        replace --force
    eksctl:
        drain
        scale --nodes=0
        upgrade
    flux:
        suspend --all
        suspend @production
    talosctl:
        reboot|shutdown|upgrade|rollback
        apply-config --mode=reboot
    k0s k3s:
        etcd leave
        etcd-snapshot delete|prune
    linkerd cilium:
        upgrade --force
        clustermesh disable
    velero:
        restore create
    kubectl oc k kubecolor:
        argo rollouts promote|abort|undo|restart|set|terminate
        apply --force-conflicts
        uncordon|cordon|taint @production
        cordon ?
    kubectl-argo-rollouts:
        promote|abort|undo|restart|set|terminate
    istioctl:
        install|upgrade @production
    kubeadm:
        token create --print-join-command
        upgrade apply|node
        join
        certs renew
    talosctl:
        apply-config|upgrade-k8s|rotate-ca|bootstrap
        apply-config --insecure|-i
    skaffold:
        run|deploy|apply @production
    devspace okteto:
        deploy|up @production
    kubectl oc k kubecolor:
        create|replace|expose|autoscale|annotate|label|run|cp @production
        expose --type=LoadBalancer
        edit|patch|replace|apply|delete -n=kube-system
        edit|patch|replace|apply|delete --namespace=kube-system
    istioctl:
        install|upgrade -y|--skip-confirmation
    cilium:
        install|upgrade
        config set|delete
    flux:
        reconcile|resume @production
    kapp:
        deploy -y|--yes
    tkn:
        pipeline|task start @production
    eksctl:
        create iamidentitymapping
    okteto devspace:
        deploy|apply|up @production
    rke:
        up
    rancher:
        ... import|kubectl @production
    flux:
        push artifact
    oc:
        rollout latest|retry|cancel @production
        start-build @production
"
);

pub(super) const DELETE: Rule = Rule {
    id: "containers.kubectl-delete",
    severity: Severity::Destructive,
    when: When::Command(|command| deletion(command) == Some(Severity::Destructive)),
    reason: "It deletes resources of a cluster, with what they hold or run.",
    instead: "Check with `kubectl get`, and try `kubectl delete --dry-run=server` on one thing by its name.",
    matches: "
        kubectl delete namespace prod
        kubectl -n prod delete deployment/web
        kubectl --context prod delete pods --all
        kubectl delete pvc data-0 --now
        kubectl delete po,svc -l app=web
        kubectl get pods -o name | xargs kubectl delete
        oc delete project prod
        k3s kubectl delete ns prod
        kubectl delete --raw /api/v1/namespaces/shop
        kustomize build overlays/prod | kubectl delete -f -
    ",
    spares: "
        kubectl delete pod web-0
        kubectl delete ns prod --dry-run=client
        kubectl get secret db
        kubectl config delete-context old
        kubectl logs -f deploy/delete
        kubectl apply -f ns.yaml
    ",
};

pub(super) const CLUSTER: Rule = Rule {
    id: "containers.cluster-delete",
    severity: Severity::Destructive,
    when: When::calls(&CLUSTERS).only(|command| !takes_own_cluster(command)),
    reason: "It deletes a cluster, or what is installed in one.",
    instead: "Check with `helm list` or `kind get clusters`, and try it with `--dry-run` first.",
    matches: "
        helm -n prod uninstall api
        kind delete cluster --name dev
        minikube delete --all
        k3d cluster rm dev
        eksctl delete cluster --name prod
        kubeadm reset -f
        argocd app delete prod
    ",
    spares: "
        helm list
        helm uninstall api --dry-run
        helm repo remove old
        kind create cluster
        minikube stop
        k3d cluster list
        kind create cluster --name ci && kubectl get nodes; kind delete cluster --name ci
    ",
};

pub(super) const API: Rule = Rule {
    id: "containers.api-delete",
    severity: Severity::Destructive,
    when: When::Command(|command| Request::of(command).is_some_and(|request| deletes_by_api(&request))),
    reason: "It deletes something of a cluster, or volumes and containers of Docker, through the API.",
    instead: "Read with a GET request, and let a person delete it by name with `kubectl` or `docker`.",
    matches: "
        curl -k -X DELETE https://10.0.0.1:6443/api/v1/namespaces/prod
        curl -XDELETE -H 'Authorization: Bearer x' https://k8s.corp/apis/apps/v1/namespaces/shop/deployments/web
        curl --unix-socket /var/run/docker.sock -X POST http://localhost/volumes/prune
        curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/v1.43/volumes/pgdata
    ",
    spares: "
        curl -k https://10.0.0.1:6443/api/v1/namespaces/prod
        curl --unix-socket /var/run/docker.sock http://localhost/containers/json
        curl -X DELETE http://localhost:3000/volumes/1
        curl -X DELETE https://app.example.com/api/v1/items/3
    ",
};

/// Whether a request asks Kubernetes or Docker to delete something. A pod alone is made again.
fn deletes_by_api(request: &Request<'_>) -> bool {
    let is_docker = request.urls.iter().any(|url| url.ends_with("docker.sock"));
    match &*request.method {
        "DELETE" => {
            request.urls.iter().any(|url| names_object(url)) || is_docker && request.goes_to(&["/volumes/"])
        }
        "POST" => is_docker && request.goes_to(&["/volumes/prune", "/system/prune"]),
        _ => false,
    }
}

pub(super) const RISK: Rule = Rule {
    id: "containers.disturb",
    severity: Severity::Risky,
    when: When::calls(&RISKS).also(|command| {
        deletion(command) == Some(Severity::Risky) || drops_finalizers(command) || applies_printed(command)
    }),
    reason: "It disrupts what runs in a cluster.",
    instead: "Check with `kubectl get` and `kubectl diff` first, and use `--dry-run=server`.",
    matches: "
        kubectl drain node1 --force
        kubectl scale deploy/web --replicas=0
        kubectl delete -f k8s/
        kubectl delete pod web-0 --force --grace-period=0
        kubectl delete certificate web
        helm rollback api 3
    ",
    spares: "
        kubectl scale deploy/web --replicas=3
        kubectl rollout restart deploy/web
        kubectl uncordon node1
        kubectl delete pod web-0
        helm upgrade --install api ./chart
    ",
};

/// Whether it applies what another program prints for all of the cluster, or for production: `linkerd install | kubectl
/// apply -f -`, `kustomize build overlays/prod | kubectl apply -f -`.
fn applies_printed(command: &Command<'_>) -> bool {
    let prints = |atom: &shell::Atom| match &*atom.program() {
        "linkerd" | "istioctl" | "cilium" => {
            atom.args.iter().any(|arg| matches!(&*arg.text, "install" | "upgrade" | "manifest"))
        }
        "kustomize" => atom.args.iter().any(|arg| names_production(&arg.text)),
        _ => false,
    };
    command.sub(&["apply"])
        && command.value(&["-f", "--filename"]) == Some("-")
        && !is_harmless(command)
        && command.feeders().any(prints)
}

/// Whether a thing is deleted without its controller cleaning up after it.
fn drops_finalizers(command: &Command<'_>) -> bool {
    command.sub(&["patch"])
        && command.value(&["-p", "--patch"]).is_some_and(|patch| {
            let plain: String = patch.chars().filter(|c| !c.is_whitespace()).collect();
            plain.contains("\"finalizers\":null") || plain.contains("\"finalizers\":[]")
        })
}
