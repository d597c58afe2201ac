#!/bin/sh
# After an installation or an upgrade. Nothing is started that did not run; a service that runs is restarted, which lets
# its requests end first. One that does not start again leaves the package installed: its log says why.
set -e
systemd-sysusers milaan.conf
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart milaan.service || echo "milaan.service did not start again: journalctl -u milaan says why" >&2
fi
