#!/bin/sh
# Runs at the end of `npm ci` where the Node of the packages cannot run: since 25 it needs libatomic, which slim images and small servers lack.
# Node 24 does without. `npm_node_execpath` and `npm_execpath` are the Node and the npm that run this.
older=config/older-node/node_modules/.bin/node

rm -f node_modules/.bin/node
# Node 24.7 or newer on the PATH will do as well.
node core/check-node.js 2>/dev/null && exit 0
"$npm_node_execpath" "$npm_execpath" ci --prefix config/older-node --ignore-scripts &&
  mkdir -p node_modules/.bin && "$older" --version && ln -s "../../$older" node_modules/.bin/node && exit 0
echo 'The Node of the packages cannot run here. Install libatomic (Debian and Ubuntu: libatomic1), or Node 24.7 or newer, and run npm ci again.' >&2
exit 1
