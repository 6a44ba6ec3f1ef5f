#!/usr/bin/env bash
# Makes contract/src/common_passwords.txt: see contract/src/passwords.rs.
set -euo pipefail

package="@zxcvbn-ts/language-common@4.1.3"
file="$(cd "$(dirname "$0")/.." && pwd)/contract/src/common_passwords.txt"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent "$package" >/dev/null
tar xzf ./*.tgz
node -e '
  const commonest = require("./package/src/passwords.json").slice(0, 10000);
  const written = new Set(commonest.map((one) => one.toLowerCase()).filter((one) => one.length > 5));
  process.stdout.write([...written, ""].join("\n"));
' >"$file"
