import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { canFillDisk, limitFiles } from '../../test/harness/faults/full-disk.ts'

const log = new URL('./log.ts', import.meta.url).href
const lines = 20_000

/** A process that logs 20 MB to a pipe that nobody reads. */
async function unreadProcess(end: string): Promise<ChildProcess> {
  const program = `
    const { createLog } = await import('${log}')
    const log = createLog('info')
    for (let line = 0; line < ${lines}; line += 1) log.info({ text: 'x'.repeat(1_000) }, 'a line')
    process.send('written')
    ${end}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

it('lets a process end whose lines nobody reads', async () => {
  const child = await unreadProcess('process.exit(0)')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it.each(['err', 'error'])(
  'says why in the field %s, and nothing of the statement and its values',
  async (field) => {
    const program = `
    const { createLog } = await import('${log}')
    const cause = Object.assign(new Error('the reason'), { code: 'X1' })
    const facts = { sql: 'SELECT unsaid', parameters: ['unsaid'], original: { unsaid: 1 }, parent: { unsaid: 1 } }
    createLog('info').warn({ ${field}: Object.assign(cause, facts) }, 'a failure')`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const text = (await child.stdout.toArray()).join('')
    const line = JSON.parse(text) as Record<string, unknown>
    expect(line[field]).toMatchObject({ message: 'the reason', code: 'X1' })
    expect(text).not.toMatch(/"unsaid"|SELECT/)
  },
)

it('keeps a bounded part for a reader that has stopped, and says how much is missing', async () => {
  const child = await unreadProcess('process.channel.ref()')
  if (child.stdout === null) throw new Error('the process has no pipe')
  let read = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, lines: missing } = JSON.parse(line) as { msg: string; lines?: number }
    if (msg === 'a line') read += 1
    else {
      expect(msg).toBe('log lines were dropped, for they could not be written')
      expect(missing).toBe(lines - read)
      break
    }
  }
  expect(read).toBeLessThan(lines / 2)
  child.kill()
})

/** A process that logs a line with what it is told and says so, into a file of its own. */
async function writingProcess() {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-log-'))
  const path = join(folder, 'log')
  const file = await open(path, 'a')
  const program = `
    const { fstat } = await import('node:fs')
    const { createLog } = await import('${log}')
    const log = createLog('info')
    process.on('message', (text) => {
      if (text === 'end') process.exit(0)
      log.info({ text }, 'a line')
      // With one thread for files, after the line.
      fstat(1, () => process.send('logged'))
    })
    process.send('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', file.fd, 'inherit', 'ipc'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await file.close()
    await rm(folder, { recursive: true })
  })
  await once(child, 'message')
  return {
    pid: child.pid ?? 0,
    log: async (text: string) => {
      child.send(text)
      await once(child, 'message')
    },
    end: () => {
      child.send('end')
      return once(child, 'exit')
    },
    written: async () => {
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
      return lines.map((line) => (JSON.parse(line) as { text: string }).text)
    },
  }
}

it.runIf(canFillDisk)(
  'goes on beside a full disk, and writes what waits when there is room',
  async () => {
    const { pid, log, end, written } = await writingProcess()
    await log('before')
    limitFiles(pid, '100')
    await log('full')
    await log('still full')
    limitFiles(pid, 'unlimited')
    await log('room')
    await expect.poll(written).toEqual(['before', 'full', 'still full', 'room'])
    expect(await end()).toEqual([0, null])
  },
)

it.runIf(canFillDisk)('lets a process end whose disk is full', async () => {
  const { pid, log, end } = await writingProcess()
  limitFiles(pid, '1')
  await log('full')
  expect(await end()).toEqual([0, null])
})
