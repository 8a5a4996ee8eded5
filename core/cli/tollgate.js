#!/usr/bin/env node
// Plain JavaScript, because it is started by whatever Node is on the PATH: an older one hands over to that which came with the packages.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'
import { isNewEnough, tellNeeded } from '../check-node.js'

const commands = new URL('index.ts', import.meta.url)
/** What an earlier process has compiled, as in core/start.ts: half of a command's processor time. */
const compiled = fileURLToPath(new URL('../../node_modules/.cache/tollgate', import.meta.url))

if (isNewEnough) {
  modules.enableCompileCache(compiled)
  const { begin } = await import(commands.href)
  begin()
} else handOver()

function handOver() {
  // Of a checkout, and of a package among others.
  const places = ['../../node_modules/.bin/node', '../../../.bin/node']
  const node = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync)
  if (node === undefined) return tellNeeded()
  const child = spawn(node, [fileURLToPath(commands), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compiled, ...process.env },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
