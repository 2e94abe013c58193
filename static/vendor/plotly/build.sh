#!/bin/sh
# Builds plotly.min.js, plotly.css and LICENSE.txt anew from the npm packages that
# package-lock.json names. Needs Node 20 or later and npm; running the site needs neither.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cp "$here/package.json" "$here/package-lock.json" "$here/entry.js" "$here/build.mjs" "$work"
cd "$work"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node build.mjs "$here"

cd "$here"
sha256sum plotly.min.js plotly.min.js.br plotly.css LICENSE.txt > SHA256SUMS
cat SHA256SUMS
