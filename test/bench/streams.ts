// npm run bench:streams [-- --beside ../other-checkout --scenario responses --pieces whole,drips,events,700 --rounds 200]
// What the reading, counting and writing of a stream costs alone, without the network and the call around it: time and allocation of one stream.
// Checkouts take turns in every round of one process.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { AnswerMeta, ChatDialect } from '../../core/contract/dialect.ts'
import { answers, type AnswerName } from './answers.ts'

type Streamed = Exclude<AnswerName, 'whole'>

const { values } = parseArgs({
  options: {
    beside: { type: 'string' },
    /** The whole name. */
    scenario: { type: 'string' },
    /** How the bytes come: all at once, ten events at a time, one at a time, or in pieces of so many bytes. */
    pieces: { type: 'string', default: 'whole,drips,events,700' },
    rounds: { type: 'string', default: '200' },
    streams: { type: 'string', default: '40' },
  },
})
const rounds = Number(values.rounds)
const streams = Number(values.streams)
const eventsPerDrip = 10
const MOST_COPIED_CHARS = 16_384

const dialectOf: Record<Streamed, ChatDialect> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  anthropic: 'anthropic-messages',
  gemini: 'gemini',
}
const ways: readonly (readonly [Streamed, Streamed])[] = [
  ['chat', 'chat'],
  ['responses', 'responses'],
  ['anthropic', 'anthropic'],
  ['gemini', 'gemini'],
  ['chat', 'anthropic'],
  ['anthropic', 'chat'],
  ['gemini', 'chat'],
  ['responses', 'chat'],
  ['chat', 'responses'],
]

const meta: AnswerMeta = {
  requestId: '20261122175500abcdefghij',
  requestedModel: 'bench',
  createdSeconds: 1_767_322_800,
  includeUsage: false,
  estimatedInput: 60,
  legacyFunctions: false,
}

type Run = (answer: Streamed, client: Streamed, chunks: readonly Buffer[]) => number

/** As `answer-stream.ts` does it, without a client. */
async function load(folder: string): Promise<Run> {
  const from = async <T>(path: string) =>
    (await import(pathToFileURL(resolve(folder, path)).href)) as T
  const { codecs } =
    await from<typeof import('../../core/dialects/index.ts')>('core/dialects/index.ts')
  const { SseSplitter } = await from<typeof import('../../core/wire/sse.ts')>('core/wire/sse.ts')
  const { UsageTally } = await from<typeof import('../../core/relay/charge/usage-tally.ts')>(
    'core/relay/charge/usage-tally.ts',
  )
  const { passPipeline, convertPipeline } = await from<
    typeof import('../../core/relay/chat/stream-pipeline.ts')
  >('core/relay/chat/stream-pipeline.ts')
  return (answer, client, chunks) => {
    const codec = codecs[dialectOf[client]]
    const pipeline =
      answer === client
        ? passPipeline(codec, meta, {})
        : convertPipeline(codecs[dialectOf[answer]].streamParser(), codec, meta, {
            isOfDialect: true,
          })
    const splitter = new SseSplitter()
    const tally = new UsageTally('bench', () => 60)
    let length = 0
    for (const chunk of chunks) {
      let text = ''
      splitter.read(
        chunk,
        (event) => {
          const translated = pipeline.push(event)
          for (const each of translated.events) tally.see(each)
          if (translated.usage) tally.seeLater(translated.usage)
          text += translated.text
        },
        pipeline.skim,
      )
      // A text is made whole before it is written; what is long and was not touched goes on as the bytes that came.
      const goesAsBytes = answer === client && text.length > MOST_COPIED_CHARS
      length += goesAsBytes ? text.length : Buffer.byteLength(text)
    }
    const last = pipeline.end(() => undefined)
    for (const each of last.events) tally.see(each)
    if (tally.complete().output !== 128) throw new Error(`${answer}: not the usage that was told`)
    return length + last.text.length
  }
}

function chunksOf(answer: Streamed, form: string): Buffer[] {
  const { pieces } = answers[answer]
  if (form === 'events') return pieces.map((piece) => Buffer.from(piece))
  if (form === 'drips')
    return Array.from({ length: Math.ceil(pieces.length / eventsPerDrip) }, (_, index) =>
      Buffer.from(pieces.slice(index * eventsPerDrip, (index + 1) * eventsPerDrip).join('')),
    )
  const bytes = Buffer.from(pieces.join(''))
  const size = form === 'whole' ? bytes.length : Number(form)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

interface Cost {
  microseconds: number
  kilobytes: number
}

/** The young generation is large enough that no collection falls into a round: what a stream allocates is what the heap grows by. */
function costOf(once: () => number): Cost {
  globalThis.gc?.({ type: 'minor' })
  const heap = process.memoryUsage().heapUsed
  const begunAt = performance.now()
  for (let count = 0; count < streams; count += 1) once()
  const milliseconds = performance.now() - begunAt
  const grown = process.memoryUsage().heapUsed - heap
  return { microseconds: (milliseconds * 1000) / streams, kilobytes: grown / 1024 / streams }
}

/** Of a tenth of the rounds: other work of the machine only adds. Processor time is told in steps of 4 ms, which is too coarse. */
function least(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 10)] ?? Number.NaN
}

const folders = ['.', ...(values.beside === undefined ? [] : [values.beside])]
const runs = await Promise.all(folders.map(load))
for (const [answer, client] of ways) {
  const name = answer === client ? answer : `${answer} for ${client}`
  if (values.scenario !== undefined && name !== values.scenario) continue
  for (const form of values.pieces.split(',')) {
    const chunks = chunksOf(answer, form)
    const costs = runs.map((): Cost[] => [])
    for (let round = -20; round < rounds; round += 1)
      for (const [index, run] of runs.entries()) {
        const cost = costOf(() => run(answer, client, chunks))
        if (round >= 0) costs[index]?.push(cost)
      }
    const translated = costs.map((each) => {
      const time = least(each.map(({ microseconds }) => microseconds))
      const room = least(each.map(({ kilobytes }) => kilobytes))
      return `${time.toFixed(1).padStart(7)} µs ${room.toFixed(0).padStart(4)} kB`
    })
    console.log(`${name.padEnd(20)} ${form.padEnd(6)} ${translated.join('   beside ')}`)
  }
}
