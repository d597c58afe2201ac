#!/bin/sh
# After a removal. The database and the secret are kept, because nobody else has them.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
case "$1" in purge | 0)
  [ ! -e /var/lib/milaan ] || echo "/var/lib/milaan is kept: delete it if nobody needs its data any more" >&2
  ;;
esac
