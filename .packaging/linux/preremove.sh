#!/bin/sh
# Before a removal (Debian: remove, rpm: 0), and not before an upgrade.
set -e
case "$1" in remove | 0)
  [ ! -d /run/systemd/system ] || systemctl disable --now milaan.service
  ;;
esac
