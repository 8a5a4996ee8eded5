// A signal that comes before the code is loaded ends the process all the same: the first one of a container has no other way to be ended.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const start = fileURLToPath(new URL('../../../core/start.ts', import.meta.url))
/** Sends itself a signal as soon as it listens to it. */
const hasty = (signal: string) =>
  `data:text/javascript,process.on('newListener', (name) => {
    if (name === '${signal}') process.nextTick(() => process.kill(process.pid, '${signal}'))
  })`

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  '%s before anything has begun ends it without a word',
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'early-stop-'))
    try {
      const child = spawn(process.execPath, ['--import', hasty(signal), start], {
        env: { ...process.env, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const ended = await new Promise((resolve) =>
        child.once('close', (code, by) => resolve({ code, by })),
      )
      expect({ ended, output }).toEqual({ ended: { code: 0, by: null }, output: '' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
