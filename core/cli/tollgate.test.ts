import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
let folder: string

/** A checkout whose Node says that it is an old one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-command-'))
  await mkdir(join(folder, 'core/cli'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(folder, 'old.mjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`,
  )
  await copyFile(here('tollgate.js'), join(folder, 'core/cli/tollgate.js'))
  await copyFile(here('../check-node.js'), join(folder, 'core/check-node.js'))
})
afterAll(() => rm(folder, { recursive: true }))

const tollgate = (...args: string[]) =>
  run(process.execPath, ['--import', './old.mjs', 'core/cli/tollgate.js', ...args], {
    cwd: folder,
  })

it('runs in the Node that is there where that is new enough', async () => {
  const ended = run(process.execPath, [here('tollgate.js'), 'migrate', 'now'])
  await expect(ended).rejects.toMatchObject({
    code: 2,
    stdout: '"tollgate migrate" takes nothing more: now\n',
  })
})

it('goes on with its work when the reader of its lines has read enough', async () => {
  const { stdout, stderr } = await run('bash', [
    '-c',
    `{ "$0" "$1" routes; echo "exit $?" >&2; } | head -n 1`,
    process.execPath,
    here('tollgate.js'),
  ])
  expect(stdout).toMatch(/^[A-Z]+\t\/\S*\t\S+\t\S+\n$/)
  expect(stderr).toBe('exit 0\n')
})

it('keeps what it has compiled, for the next command', async () => {
  await writeFile(join(folder, 'core/cli/index.ts'), 'export const begin = (): void => {}\n')
  const env = { ...process.env, NODE_COMPILE_CACHE: '' }
  await run(process.execPath, ['core/cli/tollgate.js', 'help'], { cwd: folder, env })
  const versions = await readdir(join(folder, 'node_modules/.cache/tollgate'))
  expect(versions).toHaveLength(1)
  const files = await readdir(join(folder, 'node_modules/.cache/tollgate', versions[0] ?? ''))
  expect(files).not.toEqual([])
})

it('says under an old Node which one is needed where the packages brought none', async () => {
  const ended = tollgate('routes')
  await expect(ended).rejects.toMatchObject({ code: 1 })
  await expect(ended).rejects.toThrow('install Node 24 and put it on the PATH')
})

it('hands arguments over to the Node of the packages, and its exit code on', async () => {
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await writeFile(
    join(folder, 'node_modules/.bin/node'),
    '#!/bin/sh\necho "$@" | sed "s#.*/core/#core/#"\nexit 7\n',
    { mode: 0o755 },
  )
  await expect(tollgate('ledger', 'verify')).rejects.toMatchObject({
    code: 7,
    stdout: 'core/cli/index.ts ledger verify\n',
  })
})
