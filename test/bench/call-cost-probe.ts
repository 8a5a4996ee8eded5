// Loaded into a gateway's process before its code (`--import`): sends it calls through sockets in memory, with an upstream in memory, so that no
// kernel is measured with it. Asked by call-cost.ts over a socket of its own, one line of JSON a question.
import { createHook } from 'node:async_hooks'
import http from 'node:http'
import { Session } from 'node:inspector/promises'
import { syncBuiltinESMExports } from 'node:module'
import net, { type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { Duplex } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import type { Aim } from './targets.ts'

export interface Question {
  aim: Aim
  /** What the upstream answers, head and body, in Latin-1. */
  answer: string
  calls: number
  /** How many are under way at a time. */
  wave: number
  see: 'cost' | 'counts' | 'heap' | 'cpu'
}

export interface Reply {
  mainMicroseconds: number
  microseconds: number
  bytes: number
  /** Of what async_hooks counts: promises, timers, ticks. */
  counts: Record<string, number>
  /** By function, largest first: bytes or microseconds a call. */
  places: [string, number][]
  failures: number
}

/** Nobody listens there. */
const UPSTREAM_PORT = 9

let server: http.Server | undefined
let answer = Buffer.alloc(0)

/** What both ends of a connection in memory have in common with a socket of net. */
class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 40_000
  readonly remoteFamily = 'IPv4'
  readonly bytesRead = 1
  #take: (text: string) => void

  constructor(take: (text: string) => void) {
    super({ decodeStrings: false, emitClose: true })
    this.#take = take
  }

  setTimeout = () => this
  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this
  override _read(): void {}

  override _write(chunk: Buffer | string, _: string, done: () => void): void {
    this.#take(typeof chunk === 'string' ? chunk : chunk.toString('latin1'))
    done()
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: string }[],
    done: (error?: Error) => void,
  ): void {
    this.#take(
      chunks
        .map(({ chunk }) => (typeof chunk === 'string' ? chunk : chunk.toString('latin1')))
        .join(''),
    )
    done()
  }
}

function connectInMemory(): MemorySocket {
  let isDue = false
  const socket = new MemorySocket(() => {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      socket.push(answer)
    })
  })
  setImmediate(() => socket.emit('connect'))
  return socket
}

const connect = net.connect.bind(net) as (...words: unknown[]) => Socket
const createServer = http.createServer.bind(http) as (...words: unknown[]) => http.Server
Object.assign(net, {
  connect: (...words: unknown[]) => {
    const [options] = words as [{ port?: number | string }]
    return Number(options?.port) === UPSTREAM_PORT ? connectInMemory() : connect(...words)
  },
})
// The first server is the gateway's.
Object.assign(http, {
  createServer: (...words: unknown[]) => {
    const made = createServer(...words)
    server ??= made
    return made
  },
})
syncBuiltinESMExports()

class Client {
  failures = 0
  readonly #socket: MemorySocket
  #head = ''
  #missing = -1
  #end: (() => void) | undefined

  constructor() {
    this.#socket = new MemorySocket((text) => this.#take(text))
    server?.emit('connection', this.#socket)
  }

  ask(request: Buffer, end: () => void): void {
    this.#head = ''
    this.#missing = -1
    this.#end = end
    this.#socket.push(request)
  }

  #take(text: string): void {
    let body = text
    if (this.#missing < 0) {
      this.#head += text
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!this.#head.startsWith('HTTP/1.1 200')) this.failures += 1
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, end))?.[1]
      this.#missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
      body = this.#head.slice(end + 4)
    }
    this.#missing -= body.length
    if (this.#missing > 0 && !(this.#missing === Infinity && body.endsWith('0\r\n\r\n'))) return
    this.#end?.()
  }
}

const clients: Client[] = []

/** One wave after the other, each of which begins in a turn of its own. */
async function run({ aim, calls, wave }: Question): Promise<void> {
  while (clients.length < wave) clients.push(new Client())
  const head = Object.entries({
    host: 'gateway',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(aim.body)),
    ...aim.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`POST ${aim.path} HTTP/1.1\r\n${head.join('')}\r\n${aim.body}`)
  for (let sent = 0; sent < calls; sent += wave)
    await new Promise<void>((resolve) => {
      let open = wave
      const end = () => {
        open -= 1
        if (open === 0) setImmediate(resolve)
      }
      for (const client of clients) client.ask(request, end)
    })
}

async function measure(question: Question): Promise<Reply> {
  answer = Buffer.from(question.answer, 'latin1')
  const { calls } = question
  const counts: Record<string, number> = {}
  const hook = createHook({
    init: (_id, type) => void (counts[type] = (counts[type] ?? 0) + 1 / calls),
  })
  const failed = clients.reduce((sum, { failures }) => sum + failures, 0)
  if (question.see === 'counts') hook.enable()
  const { total_allocated_bytes: bytes } = heap()
  const main = process.threadCpuUsage()
  const all = process.cpuUsage()
  const places =
    question.see === 'heap' || question.see === 'cpu'
      ? await profiled(question.see, () => run(question), calls)
      : (await run(question), [])
  const mainUsed = process.threadCpuUsage(main)
  const used = process.cpuUsage(all)
  const grown = heap().total_allocated_bytes - bytes
  hook.disable()
  return {
    mainMicroseconds: (mainUsed.user + mainUsed.system) / calls,
    microseconds: (used.user + used.system) / calls,
    bytes: grown / calls,
    counts,
    places,
    failures: clients.reduce((sum, { failures }) => sum + failures, 0) - failed,
  }
}

/** Since Node 24; its types do not know it yet. */
const heap = () =>
  getHeapStatistics() as ReturnType<typeof getHeapStatistics> & { total_allocated_bytes: number }

interface Frame {
  callFrame: { functionName: string; url: string; lineNumber: number }
}
interface HeapNode extends Frame {
  selfSize: number
  children: HeapNode[]
}

async function profiled(
  kind: 'heap' | 'cpu',
  work: () => Promise<void>,
  calls: number,
): Promise<[string, number][]> {
  const session = new Session()
  session.connect()
  const sums = new Map<string, number>()
  const add = ({ callFrame: { functionName, url, lineNumber } }: Frame, amount: number) => {
    const file = url.replace(/^.*?\/(?=(?:core|plugins|adapters|node_modules)\/)/, '')
    const name = `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
    sums.set(name, (sums.get(name) ?? 0) + amount / calls)
  }
  if (kind === 'heap') {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 256,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await work()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    const visit = (node: HeapNode) => {
      add(node, node.selfSize)
      node.children.forEach(visit)
    }
    visit(profile.head)
  } else {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 100 })
    await session.post('Profiler.start')
    await work()
    const { profile } = await session.post('Profiler.stop')
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
    const { samples = [], timeDeltas = [] } = profile
    for (const [index, id] of samples.entries()) add(nodes.get(id) as Frame, timeDeltas[index] ?? 0)
  }
  session.disconnect()
  return [...sums].sort(([, a], [, b]) => b - a)
}

const control = net.createServer((socket) => {
  createInterface({ input: socket }).on('line', (line) => {
    measure(JSON.parse(line) as Question).then(
      (reply) => socket.write(`${JSON.stringify(reply)}\n`),
      (error: unknown) => socket.destroy(error as Error),
    )
  })
})
// Threads of the process load this file too.
const { CALL_COST_SOCKET } = process.env
if (isMainThread && CALL_COST_SOCKET) control.listen(CALL_COST_SOCKET)
control.unref()
