#!/usr/bin/env bash
# Waits until a server is ready, and walks through it as two people would: somebody signs up, a stranger
# leaves a note, and the note is in the inbox. For packages that were just built.
#
#   scripts/walk.sh URL PROCESS    the walk ends if the process does
set -euo pipefail
site=$1
server=$2
fail() { echo "walk: FAILED: $*" >&2; exit 1; }
for _ in $(seq 600); do
    ready=$(curl -sf "$site/readyz") && break
    kill -0 "$server" 2>/dev/null || fail "the server has ended"
    sleep 0.1
done
[ -n "${ready:-}" ] || fail "the server isn't ready after a minute"
# (grep -q would end before curl has written all, which counts as a failure.)
[[ $(curl -sf "$site/") == *'<html'* ]] || fail "there is no page"

name=walker-$RANDOM
password="correct horse $RANDOM battery"
words="You were great on stage, $RANDOM."
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
answer=$(curl -s --fail-with-body --json "{\"username\":\"$name\",\"email\":\"$name@mail.example\",\"password\":\"$password\"}" \
    "$site/api/register") || fail "nobody can sign up: $answer"
token=$(curl -s --fail-with-body --json "{\"email_or_username\":\"$name\",\"password\":\"$password\"}" "$site/api/login" | field access_token)
[ -n "$token" ] || fail "nobody can sign in"
target=$(curl -sf "$site/api/annon/$name" | field message)
answer=$(curl -s --fail-with-body --json "{\"id\":\"$target\",\"message\":\"$words\"}" "$site/api/annon-message") || fail "a note isn't taken: $answer"
[[ $(curl -sf -H "Authorization: Bearer $token" "$site/api/messages") == *"$words"* ]] || fail "the note isn't in the inbox"
