// npm run bench:call [-- --beside ../other-checkout --scenario small --rounds 60 --see heap]
// What one call costs the gateway without the network: whole calls through sockets in memory, with an upstream in memory, in windows in which checkouts
// take turns. Time has noise; bytes differ by one in a hundred between processes, promises by less.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { answers } from './answers.ts'
import type { Question, Reply } from './call-cost-probe.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { startMeteredGateway, type Target } from './targets.ts'

const { values } = parseArgs({
  options: {
    beside: { type: 'string', multiple: true, default: [] },
    /** The whole name. */
    scenario: { type: 'string', default: 'small' },
    rounds: { type: 'string', default: '60' },
    /** Of each checkout: those of the same code settle at different figures. */
    processes: { type: 'string', default: '2' },
    calls: { type: 'string', default: '1600' },
    wave: { type: 'string', default: '32' },
    /** heap, cpu: also who allocates, or where the time goes; counts: also all that async_hooks counts. */
    see: { type: 'string' },
    top: { type: 'string', default: '60' },
  },
})
const chosen = scenarios.find(({ name }) => name === values.scenario)
if (chosen === undefined) throw new Error(`no scenario is called ${values.scenario}`)
const scenario: Scenario = chosen

/** The calls until V8 has compiled what they need. */
const WARM_UP_CALLS = 40_000
/** Where the probe has its upstream. */
const inMemory = 'http://127.0.0.1:9'

interface Probed {
  name: string
  target: Target
  ask(see: Question['see'], calls?: number): Promise<Reply>
  replies: Reply[]
}

/** Of the sockets over which the probes are asked. */
const room = mkdtempSync(join(tmpdir(), 'call-cost-'))

async function start(folder: string, index: number): Promise<Probed> {
  const path = join(room, String(index))
  const probe = fileURLToPath(new URL('call-cost-probe.ts', import.meta.url))
  const env = { NODE_OPTIONS: `--import=${probe}`, CALL_COST_SOCKET: path }
  const upstreams = { whole: inMemory, dripping: inMemory }
  const beside = { env, isFree: true, ...(folder === '.' ? {} : { folder }) }
  const target = await startMeteredGateway(upstreams, 'sqlite', [scenario], beside)
  const socket = connect(path)
  await once(socket, 'connect')
  const aim = target.aim(scenario)
  if (aim === undefined) throw new Error('the gateway serves no such scenario')
  const ask = (see: Question['see'], calls = Number(values.calls)) =>
    answerTo(socket, { aim, answer: answerOf(scenario), calls, wave: Number(values.wave), see })
  return { name: folder, target, ask, replies: [] }
}

async function answerTo(socket: Socket, question: Question): Promise<Reply> {
  const lines = createInterface({ input: socket })
  const line = once(lines, 'line')
  socket.write(`${JSON.stringify(question)}\n`)
  const [text] = (await line) as [string]
  lines.close()
  const reply = JSON.parse(text) as Reply
  if (reply.failures > 0) throw new Error(`${reply.failures} calls failed`)
  return reply
}

/** Chunked if it is a stream, all at once. */
function answerOf({ answer }: Scenario): string {
  const { contentType, pieces } = answers[answer]
  const body = pieces.join('')
  const length = Buffer.byteLength(body)
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\n`
  return pieces.length === 1
    ? `${head}content-length: ${length}\r\n\r\n${body}`
    : `${head}transfer-encoding: chunked\r\n\r\n${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** Of the windows, that which a tenth lies below: other work of the machine only adds. */
function least(replies: readonly Reply[], read: (reply: Reply) => number): number {
  return replies.map(read).toSorted((a, b) => a - b)[Math.floor(replies.length / 10)] ?? Number.NaN
}
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folders = ['.', ...values.beside]
const probed: Probed[] = []
for (let index = 0; index < Number(values.processes); index += 1)
  for (const folder of folders) probed.push(await start(folder, probed.length))
for (const { ask } of probed) await ask('cost', WARM_UP_CALLS)
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const { ask, replies } of probed) replies.push(await ask('cost'))

for (const { name, replies, ask } of probed) {
  const { counts } = await ask('counts')
  const figures = [
    `${least(replies, (reply) => reply.mainMicroseconds).toFixed(1)} µs`,
    `median ${median(replies.map((reply) => reply.mainMicroseconds)).toFixed(1)}`,
    `all threads ${least(replies, (reply) => reply.microseconds).toFixed(1)}`,
    `${(median(replies.map((reply) => reply.bytes)) / 1024).toFixed(2)} kB`,
    `${counts['PROMISE']?.toFixed(1)} promises`,
  ]
  console.log(name.padEnd(24), figures.join('  '))
  if (values.see === 'counts') console.table(counts)
}
if (values.see === 'heap' || values.see === 'cpu')
  for (const { name, ask } of probed.slice(0, folders.length)) {
    const { places } = await ask(values.see, 8_000)
    console.log(name, places.reduce((sum, [, amount]) => sum + amount, 0).toFixed(1))
    for (const [place, amount] of places.slice(0, Number(values.top)))
      console.log(amount.toFixed(2).padStart(9), place)
  }
for (const { target } of probed) await target.close()
rmSync(room, { recursive: true })
