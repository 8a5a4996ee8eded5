// The two commands of the README, from a clone in an empty folder, with whatever Node is on the machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const minutes = 60_000

let folder: string
let clone: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-clone-'))
  clone = join(folder, 'tollgate')
  expect(await run('git', ['clone', '--quiet', repository, clone], folder)).toBe(0)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The machine's own PATH: without the packages, and so the Node, of this repository. */
function bareEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((place) => !place.includes('node_modules'))
    .join(':')
  return { PATH: path, HOME: process.env['HOME'] ?? '', LANG: 'C.UTF-8', ...more }
}

function start(
  command: string,
  args: string[],
  cwd: string,
  env = bareEnvironment(),
): ChildProcess {
  return spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
}

async function run(command: string, args: string[], cwd: string): Promise<number | null> {
  const child = start(command, args, cwd)
  child.stdout?.pipe(process.stdout)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

describe('the README commands in a fresh clone', () => {
  it(
    'build the console once, where two of them begin at the same moment',
    async () => {
      expect(await run('npm', ['ci'], clone)).toBe(0)
      const node = join(clone, 'node_modules/.bin/node')
      const starting = [1, 2].map(() => start(node, ['console/ensure-built.ts'], clone))
      const said = await Promise.all(
        starting.map(async ({ stdout }) => (stdout ? text(stdout) : '')),
      )
      expect(said.join('').match(/Building/g)).toHaveLength(1)
    },
    10 * minutes,
  )

  it(
    'npm ci && npm start brings the console up',
    async () => {
      expect(await run('npm', ['ci'], clone)).toBe(0)
      const child = start('npm', ['start'], clone, bareEnvironment({ PORT: '0' }))
      try {
        const url = await listeningAddress(child)
        expect((await fetch(`${url}/healthz`)).status).toBe(200)
        expect(await (await fetch(url)).text()).toContain('<div id="root">')
      } finally {
        // npm, its shell and the gateway are one group.
        process.kill(-(child.pid ?? 0), 'SIGTERM')
        await once(child, 'exit')
      }
    },
    15 * minutes,
  )

  it(
    'npm ci && npm test passes',
    async () => {
      expect(await run('npm', ['ci'], clone)).toBe(0)
      const begin = Date.now()
      expect(await run('npm', ['test'], clone)).toBe(0)
      expect(Date.now() - begin).toBeLessThan(10 * minutes)
    },
    20 * minutes,
  )
})

async function listeningAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('npm start has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /"address":"(http:[^"]+)"/.exec(line)?.[1]
    if (line.includes('"listening"') && address !== undefined) return address
  }
  throw new Error('npm start ended before it listened')
}
