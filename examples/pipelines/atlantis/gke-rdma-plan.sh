#!/bin/sh
# Plan in Atlantis; put it on the server's PATH. COMMENT_ARGS holds what follows `--` in a comment: each character with a
# backslash before it, arguments separated by commas. Only approvals are taken: any other option is somebody's mistake.
set -eu
set -f
plain=$(printf %s "${COMMENT_ARGS:-}" | sed 's/\\\(.\)/\1/g')
set --
IFS=,
for argument in $plain; do
  case $argument in
    --allow-replace=* | --allow-destroy=*) set -- "$@" "$argument" ;;
    *)
      echo "gke-rdma-plan: $argument is not taken; write --allow-replace=ADDRESS or --allow-destroy=ADDRESS" >&2
      exit 2
      ;;
  esac
done
exec gke-rdma plan . --out "$PLANFILE" --lock-timeout 5m "$@"
