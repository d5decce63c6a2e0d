//! Global options with values.

/// Those of our own programs, of any of their sub-commands; a test compares them with what the programs say of
/// themselves.
const OWN: &str = "--color --host --event --deadline-ms --mode --profile --when --cwd --shell --command --edit --from --ignore \
    --hook --input --project --prompt --record --tool --format --output -o --policy --scenarios --junit --fail-expiring \
    --anchor --decision --head --limit --lines --log --rule --session --since --until --programs --syslog-socket --text --to -n";

/// Options that take the next argument and may stand in front of the words that matter.
pub(crate) fn valued(program: &str) -> &'static str {
    match program {
        "hook-runner" | "command-blocker" | "approval-gate" | "audit-logger" | "stop-guard"
        | "context-injector" | "formatter-trigger" => OWN,
        "docker" | "podman" | "nerdctl" | "finch" | "docker-compose" | "podman-compose" => {
            "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name \
             --profile --env-file --project-directory --ansi --parallel --progress --namespace --address --url \
             --connection --identity --root --runroot --storage-driver"
        }
        "kubectl" | "oc" | "k" | "kubecolor" | "helm" | "flux" | "argocd" | "istioctl" | "linkerd"
        | "kapp" => {
            "-n --namespace --context --cluster --kubeconfig --user --as --as-group --as-uid -s --server --token \
             --request-timeout -v --v --cache-dir --certificate-authority --client-certificate --client-key --username \
             --password --tls-server-name --profile --kube-context --kube-apiserver --kube-token --kube-as-user \
             --registry-config --repository-config --repository-cache --grpc-web-root-path --auth-token -l --selector \
             --field-selector --grace-period --timeout -o --output -k --kustomize --replicas --revision"
        }
        "aws" => {
            "--profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout --cli-connect-timeout \
             --color --cli-binary-format"
        }
        "gcloud" | "gsutil" | "bq" => {
            "--project --account --configuration --verbosity --format --zone --region --impersonate-service-account \
             --billing-project --flags-file --access-token-file -h -o --project_id --location --dataset_id --job_id"
        }
        "az" => "--subscription --output -o --query --resource-group -g --organization --org --project -p",
        "terraform" | "tofu" | "terragrunt" => {
            "-chdir --terragrunt-working-dir --working-dir --terragrunt-config --config"
        }
        "pulumi" => "-C --cwd -s --stack --color --verbose -v --profiling --tracing",
        "cdk" | "cdktf" => {
            "-a --app -c --context -p --profile --profiling -o --output -r --role-arn --plugin"
        }
        "vault" | "consul" | "nomad" => {
            "-address -namespace -token -region -http-addr -datacenter -ca-cert -mount"
        }
        "gh" | "glab" | "tea" => "-R --repo --hostname -r --remote -l --login",
        "npm" | "pnpm" | "yarn" => {
            "--registry --workspace -w --prefix --otp --tag --userconfig --loglevel --cwd -C --dir --filter -F --access \
             --scope --cache"
        }
        "cargo" => "--color --config -Z -C --manifest-path --registry --index --token -p --package",
        "heroku" => "-a --app -r --remote",
        "fly" | "flyctl" => "-a --app -c --config -o --org -t --access-token",
        "vercel" | "now" => "-S --scope -T --team -t --token --cwd -A --local-config -Q --global-config",
        "netlify" | "ntl" => "--auth --filter --site -s --cwd",
        "wrangler" => "-c --config -e --env --cwd --env-file",
        "firebase" => "-P --project --token --account --config -c",
        "doctl" => "-t --access-token -c --config --context -o --output -u --api-url",
        "linode-cli" => "--as-user --format --target",
        "oci" => "--profile --region --config-file --auth --output --query --endpoint --cert-bundle",
        "openstack" => {
            "--os-cloud --os-project-name --os-username --os-password --os-auth-url --os-region-name --os-token"
        }
        "supabase" => "--workdir --experimental --profile --project-ref",
        "stripe" => "--api-key --project-name -p --config --device-name --log-level --color",
        "rclone" | "mc" | "mcli" => {
            "--config -C --config-dir --log-file --log-level --transfers --checkers --include --exclude"
        }
        "s3cmd" => "-c --config --access_key --secret_key --host --host-bucket --region --exclude --include",
        "s5cmd" => "--endpoint-url --profile --credentials-file --log --numworkers -r --retry-count",
        "borg" | "restic" | "kopia" => {
            "--remote-path --rsh -r --repo --repository-file -p --password-file --password-command -o --option \
             --cache-dir --host --tag --path --keep-last --keep-daily --keep-weekly --keep-monthly --keep-hourly \
             --keep-yearly --keep-within -P --prefix -a --glob-archives --match-archives --config-file"
        }
        "velero" => "-n --namespace --kubeconfig --kubecontext -l --selector",
        "salt" => "-E -G -C -t --timeout -L -N -I -b --batch-size",
        "etcdctl" => {
            "--endpoints --user --password --cacert --cert --key --command-timeout --dial-timeout -w --write-out -u"
        }
        "rails" | "rake" | "bundle" => "-e --environment -f --rakefile -C --directory",
        "alembic" | "flask" => "-c --config -n --name -x -A --app -e --env-file -d --directory",
        "dotnet" => "--project -p --startup-project -s --context -c --framework --configuration",
        "influx" => "--host --token -t --org -o --org-id --active-config -c --configs-path",
        "hg" | "chg" | "rhg" | "sl" => "--config -R --repository --cwd",
        "virsh" => "-c --connect",
        "migrate" | "golang-migrate" => "-path -database -source -lock-timeout -prefetch",
        "goose" | "dbmate" => "-dir --dir -d --migrations-dir --url -u -table --env -e",
        "juju" | "knife" => "-m --model -c --controller -c --config",
        _ => "",
    }
}
