#!/usr/bin/env bash
# Makes with gcloud and kubectl what the Terraform of the same spec makes. Made by gke-rdma from the spec: change that and
# generate again. Run it as often as you like: it makes what is missing, and changes nothing that is there.
#
# Needs gcloud 550.0.0 or later with its GKE auth plugin, kubectl, and quota for the GPUs (two nodes have 16).
set -euo pipefail

# Nothing here waits for an answer: gcloud takes its defaults.
export CLOUDSDK_CORE_DISABLE_PROMPTS=1

note() {
  printf '%s\n' "$*" >&2
}

fail() {
  note "$*"
  exit 1
}

# What cannot be looked at for another reason is not there either: gcloud then says why when it is to be made.
exists() {
  gcloud "$@" >/dev/null 2>&1
}

# at_least VERSION FLOOR: compares versions as numbers, never as text: 1.34.10 is newer than 1.34.8.
at_least() {
  local -a have need
  local i
  IFS=. read -r -a have <<<"${1//-gke/}"
  IFS=. read -r -a need <<<"${2//-gke/}"
  for i in "${!need[@]}"; do
    if ((10#${have[i]:-0} != 10#${need[i]})); then
      ((10#${have[i]:-0} > 10#${need[i]}))
      return
    fi
  done
}

for tool in gcloud kubectl; do
  command -v "$tool" >/dev/null || fail "$tool is not installed, or not on PATH."
done

if [[ $(gcloud version 2>/dev/null) =~ Google\ Cloud\ SDK\ ([0-9]+\.[0-9]+\.[0-9]+) ]]; then
  at_least "${BASH_REMATCH[1]}" 550.0.0 ||
    fail "gcloud ${BASH_REMATCH[1]} is too old: 550.0.0 or later is needed. Run: gcloud components update"
else
  note "warning: gcloud does not say its version; 550.0.0 or later is needed."
fi

# The cluster.

if exists container clusters describe example-rdma-tf --location=us-central1-b --project=my-project; then
  note 'There already: cluster example-rdma-tf'
else
  note 'Making: cluster example-rdma-tf'
  gcloud container clusters create example-rdma-tf \
    --location=us-central1-b \
    --project=my-project \
    --cluster-version=1.34.8-gke.1278000 \
    --enable-dataplane-v2 \
    --enable-ip-alias \
    --num-nodes=3 \
    --workload-pool=my-project.svc.id.goog
fi

# GKE installs the NCCL libraries for RDMA from 1.34.8-gke.1278000 on.
version=$(gcloud container clusters describe example-rdma-tf --location=us-central1-b --project=my-project --format='value(currentMasterVersion)')
if [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+-gke\.[0-9]+$ ]] && ! at_least "$version" 1.34.8-gke.1278000; then
  fail "The cluster runs GKE $version; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
fi

# The GPU nodes. The local SSDs come with the machine type, and the network profile's label with the profile.

if exists container node-pools describe rdma-pool --location=us-central1-b --cluster=example-rdma-tf --project=my-project; then
  note 'There already: node pool rdma-pool'
else
  note 'Making: node pool rdma-pool'
  gcloud container node-pools create rdma-pool \
    --location=us-central1-b \
    --cluster=example-rdma-tf \
    --project=my-project \
    --node-locations=us-central1-b \
    --accelerator type=nvidia-h200-141gb,count=8 \
    --machine-type=a3-ultragpu-8g \
    --num-nodes=3 \
    --accelerator-network-profile=auto \
    --node-labels=cloud.google.com/gke-networking-dra-driver=true \
    --gpudirect-strategy=rdma
fi

# kubectl reaches the cluster.
gcloud container clusters get-credentials example-rdma-tf \
  --location=us-central1-b \
  --project=my-project

# kubernetes/all-mrdma-template.yaml
kubectl apply -f - <<'YAML'
# Lets a Pod claim every RDMA NIC of its node. It has to be in the namespace of the Pods that use it.
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: all-mrdma
spec:
  spec:
    devices:
      requests:
        - name: req-mrdma
          exactly:
            deviceClassName: mrdma.google.com
            allocationMode: All
YAML

cat >&2 <<'NEXT'

All there. Next, in the generated folder (or after `gke-rdma manifests SPEC -o kubernetes`), test RDMA between two nodes:

  kubectl apply -f kubernetes/nccl-test.yaml
  kubectl wait --for=condition=Ready pod/nccl-test-host-1 pod/nccl-test-host-2 --timeout=30m
  kubectl exec nccl-test-host-1 -it -- /usr/local/gib/scripts/run_nccl_tests.sh -t all_gather -b 1K -e 8G nccl-host-1 nccl-host-2
  kubectl delete -f kubernetes/nccl-test.yaml
NEXT
