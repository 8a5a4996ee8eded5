// `tollgate plugin dev`: a gateway that follows what an author saves.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const cli = fileURLToPath(new URL('../../core/cli/tollgate.js', import.meta.url))
const parent = mkdtempSync(join(tmpdir(), 'tollgate-dev-test-'))
const folder = join(parent, 'my-dev')

let command: ChildProcess
let said = ''
let url = ''

function save(word: string, server = ''): void {
  writeFileSync(join(folder, 'word.ts'), `export const word = '${word}'\n`)
  writeFileSync(
    join(folder, 'index.ts'),
    `import { definePlugin, envelope } from 'tollgate'
import { word } from './word.ts'
export default definePlugin({
  id: 'my-dev',
  server({ routes }) {
    ${server}
    routes.add((app) => {
      app.get('/api/my-dev', { config: { access: 'public' } }, () => envelope(word))
      app.get('/api/my-dev/open', { config: { access: 'public' } }, async (_request, reply) => {
        reply.hijack()
        reply.raw.write(word)
        await new Promise((resolve) => process.once('my-dev', resolve))
        reply.raw.end(word)
      })
      app.get('/api/my-dev/end', { config: { access: 'public' } }, () => {
        process.emit('my-dev')
        return envelope()
      })
    })
  },
})
`,
  )
}

const word = async () => {
  const answer = await fetch(`${url}/api/my-dev`)
  return ((await answer.json()) as { data?: string }).data
}
const until = (look: () => void | Promise<void>) =>
  vi.waitFor(look, { timeout: 150_000, interval: 30 })

beforeAll(async () => {
  mkdirSync(folder)
  save('one')
  command = spawn(process.execPath, [cli, 'plugin', 'dev', folder], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1' },
  })
  for (const output of [command.stdout, command.stderr])
    output?.on('data', (data: Buffer) => (said += data.toString()))
  await until(() => expect(said).toContain('Loaded in'))
  url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0] ?? ''
})

afterAll(() => {
  command.kill('SIGKILL')
  rmSync(parent, { recursive: true, force: true })
})

it('serves the plugin, which somebody has confirmed', async () => expect(await word()).toBe('one'))

it('follows a save, and lets open requests end with what they began with', async () => {
  const open = await fetch(`${url}/api/my-dev/open`)
  save('two')
  await until(async () => expect(await word()).toBe('two'))
  await fetch(`${url}/api/my-dev/end`)
  expect(await open.text()).toBe('oneone')
})

it.each([
  ['what cannot be read', 'const = 1', /index\.ts:\d+/],
  ['what throws at the start', "throw new Error('no luck')", /no luck[\s\S]*index\.ts:6/],
])('names the place of %s, and goes on with what served', async (_what, broken, place) => {
  said = ''
  save('three', broken)
  await until(() => expect(said).toMatch(place))
  expect(await word()).toBe('two')
})

it('comes back when it is mended, and ends with Ctrl-C', async () => {
  save('four')
  await until(async () => expect(await word()).toBe('four'))
  const gone = once(command, 'exit')
  command.kill('SIGINT')
  expect(await gone).toEqual([0, null])
})
