import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from './http-client.ts'

const four = (address: string) => ({ address, family: 4 })
const nowhere = four('127.0.0.9')

/** A client for a host of these addresses. */
function ask(port: number, addresses: { address: string; family: number }[]) {
  const client = createHttpClient({ ssrfAllow: [], resolve: async () => addresses })
  onTestFinished(() => client.close())
  return client.json({ method: 'GET', url: `http://host.example:${port}/`, headers: {} })
}

const server = `require('node:http').createServer((request, response) => response.end('"slow"'))
  .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`

/** A server that stands still with all places of its queue taken: the system drops what asks for a connection, as a lossy way does, until it goes on. */
async function standingServer(): Promise<{ port: number; goOn(): void }> {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const port = Number(line)
  child.kill('SIGSTOP')
  await expect.poll(() => stateOf(child)).toBe('T')
  for (let taken = 0; taken < 2; taken += 1) await once(fill(port), 'connect')
  return { port, goOn: () => child.kill('SIGCONT') }
}

const stateOf = ({ pid }: ChildProcess) =>
  /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

/** Whether a connection to the port was asked for and not answered yet (SYN_SENT, in proc_net_tcp). */
function isKnocking(port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readFileSync('/proc/net/tcp', 'utf8').includes(`:${hex} 02 `)
}

function fill(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

describe.runIf(process.platform === 'linux')('a host of several addresses', () => {
  it('is reached where one answers late, beside others that lead nowhere', async () => {
    const { port, goOn } = await standingServer()
    const answer = ask(port, [four('127.0.0.1'), nowhere])
    await expect.poll(() => isKnocking(port)).toBe(true)
    goOn()
    expect((await answer).body).toBe('slow')
  })

  it('is reached where the first never answers', async () => {
    const { port } = await standingServer()
    const other = createServer((_request, response) => response.end('"other"'))
    other.listen(port, '127.0.0.2')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    expect((await ask(port, [four('127.0.0.1'), four('127.0.0.2')])).body).toBe('other')
    await expect.poll(() => isKnocking(port)).toBe(false)
  })

  it('is tried in the other family before a second address of the first', async () => {
    const { port } = await standingServer()
    const asked: string[] = []
    for (const address of ['127.0.0.2', '::1']) {
      const other = createServer((_request, response) => response.end(`"${address}"`))
      other.on('connection', () => asked.push(address))
      other.listen(port, address)
      await once(other, 'listening')
      onTestFinished(() => void other.close())
    }
    const addresses = [four('127.0.0.1'), four('127.0.0.2'), { address: '::1', family: 6 }]
    expect((await ask(port, addresses)).body).toBe('::1')
    expect(asked).toEqual(['::1'])
  })

  it('is unreachable where all of them lead nowhere', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    await once(gone, 'close')
    await expect(ask(port, [nowhere, four('127.0.0.8')])).rejects.toMatchObject({
      code: 'net.unreachable',
      values: { phase: 'connect' },
    })
  })
})
