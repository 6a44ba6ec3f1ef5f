#!/bin/sh
# A hook for certbot: copy it to /etc/letsencrypt/renewal-hooks/deploy/ (chmod 755). It gives the service a
# copy of the new certificate that its user can read; the server looks at the files every minute, so nothing
# has to be restarted. For --tls-cert /etc/annon/fullchain.pem and --tls-key /etc/annon/privkey.pem.
set -eu
to=${ANNON_CERTIFICATES:-/etc/annon}
group=${ANNON_GROUP:-annon}
for file in privkey.pem fullchain.pem; do
    # Written beside it and renamed: the server never reads half of it.
    install -m 0640 -g "$group" "$RENEWED_LINEAGE/$file" "$to/$file.new"
    mv "$to/$file.new" "$to/$file"
done
