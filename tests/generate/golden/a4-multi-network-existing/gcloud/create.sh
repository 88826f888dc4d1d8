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

# The cluster exists, and is only looked at.

exists container clusters describe production --location=europe-west4 --project=my-project ||
  fail 'There is no cluster production in europe-west4 of project my-project, or it cannot be seen.'

datapath=$(gcloud container clusters describe production --location=europe-west4 --project=my-project --format='value(networkConfig.datapathProvider)')
[[ $datapath == ADVANCED_DATAPATH ]] ||
  fail "The cluster does not have GKE Dataplane V2, which RDMA needs and which cannot be turned on later."

# GKE installs the NCCL libraries for RDMA from 1.34.8-gke.1278000 on.
version=$(gcloud container clusters describe production --location=europe-west4 --project=my-project --format='value(currentMasterVersion)')
if [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+-gke\.[0-9]+$ ]] && ! at_least "$version" 1.34.8-gke.1278000; then
  fail "The cluster runs GKE $version; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
fi

# Pods reach the RDMA NICs through multi-networking.
multi_networking=$(gcloud container clusters describe production --location=europe-west4 --project=my-project --format='value(networkConfig.enableMultiNetworking)')
[[ $multi_networking == [Tt]rue ]] ||
  fail "The cluster does not have multi-networking; make it with --enable-multi-networking."

# The GPU nodes. The local SSDs come with the machine type, and the network profile's label with the profile.

if exists container node-pools describe a4-pool --location=europe-west4 --cluster=production --project=my-project; then
  note 'There already: node pool a4-pool'
else
  note 'Making: node pool a4-pool'
  gcloud container node-pools create a4-pool \
    --location=europe-west4 \
    --cluster=production \
    --project=my-project \
    --node-locations=europe-west4-b \
    --accelerator type=nvidia-b200,count=8 \
    --machine-type=a4-highgpu-8g \
    --num-nodes=0 \
    --enable-autoscaling \
    --min-nodes=0 \
    --max-nodes=4 \
    --scopes https://www.googleapis.com/auth/cloud-platform \
    --spot \
    --additional-node-network network=a4-gvnic-net,subnetwork=a4-gvnic-sub \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-0 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-1 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-2 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-3 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-4 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-5 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-6 \
    --additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-7 \
    --gpudirect-strategy=rdma
fi

# kubectl reaches the cluster.
gcloud container clusters get-credentials production \
  --location=europe-west4 \
  --project=my-project

# kubernetes/multi-network.yaml
kubectl apply -f - <<'YAML'
# Names for the networks behind the node's interfaces, for the annotations of Pods: gvnic-1 is the second gVNIC, and
# rdma-0 to rdma-7 are the RDMA NICs.
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: gvnic-1
spec:
  vpc: a4-gvnic-net
  vpcSubnet: a4-gvnic-sub
  deviceMode: "NetDevice"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: gvnic-1
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: gvnic-1
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-0
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-0
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-0
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-0
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-1
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-1
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-1
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-1
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-2
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-2
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-2
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-2
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-3
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-3
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-3
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-3
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-4
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-4
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-4
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-4
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-5
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-5
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-5
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-5
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-6
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-6
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-6
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-6
---
apiVersion: networking.gke.io/v1
kind: GKENetworkParamSet
metadata:
  name: rdma-7
spec:
  vpc: a4-rdma-net
  vpcSubnet: a4-rdma-sub-7
  deviceMode: "RDMA"
---
apiVersion: networking.gke.io/v1
kind: Network
metadata:
  name: rdma-7
spec:
  type: Device
  parametersRef:
    group: networking.gke.io
    kind: GKENetworkParamSet
    name: rdma-7
YAML

cat >&2 <<'NEXT'

All there. Next, in the generated folder (or after `gke-rdma manifests SPEC -o kubernetes`), test RDMA between two nodes:

  kubectl apply -f kubernetes/nccl-test.yaml
  kubectl wait --for=condition=Ready pod/nccl-test-host-1 pod/nccl-test-host-2 --timeout=30m
  kubectl exec nccl-test-host-1 -it -- /usr/local/gib/scripts/run_nccl_tests.sh -t all_gather -b 1K -e 8G nccl-host-1 nccl-host-2
  kubectl delete -f kubernetes/nccl-test.yaml
NEXT
