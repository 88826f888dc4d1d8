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

# The networks of the nodes' interfaces: a VPC for the second gVNIC, and the RoCE VPC with one subnetwork for each RDMA NIC.
# The RoCE VPC belongs to one zone and takes no VPC firewall rules.

if exists compute networks describe rdma-cluster-gvnic-net --project=my-project; then
  note 'There already: network rdma-cluster-gvnic-net'
else
  note 'Making: network rdma-cluster-gvnic-net'
  gcloud compute networks create rdma-cluster-gvnic-net \
    --project=my-project \
    --subnet-mode=custom
fi

if exists compute networks subnets describe rdma-cluster-gvnic-sub --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-gvnic-sub'
else
  note 'Making: subnetwork rdma-cluster-gvnic-sub'
  gcloud compute networks subnets create rdma-cluster-gvnic-sub \
    --project=my-project \
    --network=rdma-cluster-gvnic-net \
    --region=us-central1 \
    --range=192.168.64.0/18
fi

if exists compute firewall-rules describe rdma-cluster-gvnic-internal --project=my-project; then
  note 'There already: firewall rule rdma-cluster-gvnic-internal'
else
  note 'Making: firewall rule rdma-cluster-gvnic-internal'
  gcloud compute firewall-rules create rdma-cluster-gvnic-internal \
    --project=my-project \
    --network=rdma-cluster-gvnic-net \
    --allow=tcp,udp,icmp \
    --source-ranges=192.168.64.0/18
fi

if exists compute networks describe rdma-cluster-rdma-net --project=my-project; then
  note 'There already: network rdma-cluster-rdma-net'
else
  note 'Making: network rdma-cluster-rdma-net'
  gcloud compute networks create rdma-cluster-rdma-net \
    --project=my-project \
    --subnet-mode=custom \
    --network-profile=us-central1-b-vpc-roce \
    --mtu=8896
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-0 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-0'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-0'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-0 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.128.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-1 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-1'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-1'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-1 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.136.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-2 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-2'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-2'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-2 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.144.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-3 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-3'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-3'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-3 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.152.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-4 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-4'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-4'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-4 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.160.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-5 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-5'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-5'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-5 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.168.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-6 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-6'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-6'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-6 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.176.0/21
fi

if exists compute networks subnets describe rdma-cluster-rdma-sub-7 --project=my-project --region=us-central1; then
  note 'There already: subnetwork rdma-cluster-rdma-sub-7'
else
  note 'Making: subnetwork rdma-cluster-rdma-sub-7'
  gcloud compute networks subnets create rdma-cluster-rdma-sub-7 \
    --project=my-project \
    --network=rdma-cluster-rdma-net \
    --region=us-central1 \
    --range=192.168.184.0/21
fi

# The cluster.
# Its deletion protection is a guard of Terraform's own; here nothing keeps the cluster from being deleted.

if exists container clusters describe rdma-cluster --location=us-central1 --project=my-project; then
  note 'There already: cluster rdma-cluster'
else
  note 'Making: cluster rdma-cluster'
  gcloud container clusters create rdma-cluster \
    --location=us-central1 \
    --project=my-project \
    --cluster-version=1.34 \
    --enable-dataplane-v2 \
    --enable-ip-alias \
    --enable-multi-networking \
    --num-nodes=1 \
    --workload-pool=my-project.svc.id.goog
fi

# GKE installs the NCCL libraries for RDMA from 1.34.8-gke.1278000 on.
version=$(gcloud container clusters describe rdma-cluster --location=us-central1 --project=my-project --format='value(currentMasterVersion)')
if [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+-gke\.[0-9]+$ ]] && ! at_least "$version" 1.34.8-gke.1278000; then
  fail "The cluster runs GKE $version; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
fi

# Pods reach the RDMA NICs through multi-networking.
multi_networking=$(gcloud container clusters describe rdma-cluster --location=us-central1 --project=my-project --format='value(networkConfig.enableMultiNetworking)')
[[ $multi_networking == [Tt]rue ]] ||
  note "warning: the cluster does not say that it has multi-networking; without it GKE refuses the node pool."

# The GPU nodes. The local SSDs come with the machine type, and the network profile's label with the profile.

if exists container node-pools describe rdma-pool --location=us-central1 --cluster=rdma-cluster --project=my-project; then
  note 'There already: node pool rdma-pool'
else
  note 'Making: node pool rdma-pool'
  gcloud container node-pools create rdma-pool \
    --location=us-central1 \
    --cluster=rdma-cluster \
    --project=my-project \
    --node-locations=us-central1-b \
    --accelerator type=nvidia-h200-141gb,count=8 \
    --machine-type=a3-ultragpu-8g \
    --num-nodes=2 \
    --scopes https://www.googleapis.com/auth/cloud-platform \
    --additional-node-network network=rdma-cluster-gvnic-net,subnetwork=rdma-cluster-gvnic-sub \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-0 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-1 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-2 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-3 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-4 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-5 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-6 \
    --additional-node-network network=rdma-cluster-rdma-net,subnetwork=rdma-cluster-rdma-sub-7 \
    --gpudirect-strategy=rdma
fi

# kubectl reaches the cluster.
gcloud container clusters get-credentials rdma-cluster \
  --location=us-central1 \
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
  vpc: rdma-cluster-gvnic-net
  vpcSubnet: rdma-cluster-gvnic-sub
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-0
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-1
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-2
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-3
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-4
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-5
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-6
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
  vpc: rdma-cluster-rdma-net
  vpcSubnet: rdma-cluster-rdma-sub-7
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
