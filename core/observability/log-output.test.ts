import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

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

it('keeps a bounded part for a reader that has stopped, and says how much is missing', async () => {
  const child = await unreadProcess('process.channel.ref()')
  if (child.stdout === null) throw new Error('the process has no pipe')
  let read = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, lines: missing } = JSON.parse(line) as { msg: string; lines?: number }
    if (msg === 'a line') read += 1
    else {
      expect(msg).toBe('log lines were dropped, for nobody read them')
      expect(missing).toBe(lines - read)
      break
    }
  }
  expect(read).toBeLessThan(lines / 2)
  child.kill()
})
