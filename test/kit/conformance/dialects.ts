// What must hold of a client API that a plugin adds, found out without knowing its form.
import type { AnswerMeta, ChatEvent, ClientDialect, ClientError, JsonObject, Usage } from '#core'
import { AppError } from '#core'

export function dialectFaults(dialect: ClientDialect, sampleError: ClientError): string[] {
  return [
    ...readingFaults(dialect),
    ...answerFaults(dialect),
    ...streamFaults(dialect),
    ...refusalFaults(dialect, sampleError),
  ]
}

const strange = [undefined, null, 1, -1, true, '', 'a text', [], [null], [1], [{}], {}] as const
const FIELDS_LOOKED_AT = 50

/** Each field that it reads, with each strange value, while the others hold a text or a list: a client's mistake must come back as a refusal. */
function readingFaults(dialect: ClientDialect): string[] {
  const fields = [...fieldsRead(dialect)].slice(0, FIELDS_LOOKED_AT)
  const bodies = new Map<string, string>()
  for (const field of fields)
    for (const value of strange)
      for (const others of ['a text', [{}]]) {
        const body: JsonObject = {
          ...Object.fromEntries(fields.map((name) => [name, others])),
          [field]: value,
        }
        const failure = failureOf(() => read(dialect, body))
        if (failure !== undefined && !bodies.has(failure)) bodies.set(failure, JSON.stringify(body))
      }
  return [...bodies].map(
    ([failure, body]) => `it fails with ${failure} for ${body}; refuse with an errorType`,
  )
}

/** Found by handing it bodies that have every field. */
function fieldsRead(dialect: ClientDialect): Set<string> {
  const fields = new Set<string>()
  for (const value of strange)
    failureOf(() =>
      read(
        dialect,
        new Proxy<JsonObject>(
          {},
          {
            get: (_body, field) => {
              if (typeof field === 'symbol') return undefined
              fields.add(field)
              return value
            },
          },
        ),
      ),
    )
  return fields
}

function read(dialect: ClientDialect, body: JsonObject): void {
  for (const { path } of dialect.routes) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name) => [name, 'a-model']))
    dialect.parseRequest(body, { path, params, query: {} })
  }
}

/** Undefined for a refusal of the dialect's own, which is as it should be. */
function failureOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (!(error instanceof AppError)) return String(error)
    // The gateway's own guard stands around it.
    if (error.code === 'relay.dialect_failed') return String(error.cause)
  }
  return undefined
}

const meta: AnswerMeta = {
  requestId: 'request-of-the-kit',
  requestedModel: 'a-model',
  createdSeconds: 1_700_000_000,
  includeUsage: true,
  estimatedInput: 1,
  legacyFunctions: false,
}

const usage: Usage = {
  input: 1,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  inputAudio: 0,
  inputImage: 0,
  output: 1,
  reasoning: 0,
  outputAudio: 0,
  outputImage: 0,
}

const words = ['Marigold', 'Thimble']
const text = words.map((delta): ChatEvent => ({ type: 'text', delta }))
const plain: readonly ChatEvent[] = [
  { type: 'start', id: 'answer-of-the-kit', model: 'a-model' },
  ...text,
  { type: 'usage', usage },
  { type: 'finish', reason: 'stop' },
]
/** All that a model may say, an answer without words among it. */
const answers: Readonly<Record<string, readonly ChatEvent[]>> = {
  'a plain answer': plain,
  'an answer without words': [{ type: 'start' }, { type: 'finish', reason: 'filtered' }],
  'a call of a tool': [
    { type: 'start' },
    { type: 'reasoning', delta: 'A thought.' },
    { type: 'tool_start', index: 0, id: 'call-1', name: 'look_up' },
    { type: 'tool_args', index: 0, delta: '{}' },
    { type: 'tool_end', index: 0 },
    { type: 'finish', reason: 'tool_calls' },
  ],
  'an answer with pictures and citations': [
    { type: 'start' },
    { type: 'image', mediaType: 'image/png', data: 'AA==' },
    { type: 'citation', citation: {} },
    { type: 'refusal', delta: 'No.' },
    { type: 'finish', reason: 'length' },
  ],
  'a question that the model refused': [{ type: 'start' }, { type: 'blocked', reason: 'SAFETY' }],
}

function answerFaults(dialect: ClientDialect): string[] {
  const problems = Object.entries(answers).flatMap(([name, events]) => {
    const failure = failureOf(() => JSON.stringify(dialect.writeAnswer(events, meta)))
    return failure === undefined ? [] : [`${name}: writeAnswer() fails with ${failure}`]
  })
  if (problems.length > 0) return problems
  const whole = JSON.stringify(dialect.writeAnswer(plain, meta)) ?? ''
  return whole.includes(words.join('')) ? [] : ['its answer lacks what the model said']
}

function streamFaults(dialect: ClientDialect): string[] {
  const problems = Object.entries(answers).flatMap(([name, events]) => {
    const failure = failureOf(() => streamed(dialect, events))
    return failure === undefined ? [] : [`${name}: its stream fails with ${failure}`]
  })
  if (problems.length > 0) return problems
  const pieces = streamed(dialect, plain)
  if (pieces.some((piece) => typeof piece !== 'string'))
    return ['its stream has a piece that is no text']
  const missing = words.filter((word) => !pieces.join('').includes(word))
  if (missing.length > 0) return ['its stream lacks what the model said']
  return [...pacingFaults(pieces), ...sharingFaults(dialect)]
}

function streamed(dialect: ClientDialect, events: readonly ChatEvent[]): string[] {
  const writer = dialect.streamWriter(meta)
  return [...events.map((event) => writer.write(event)), writer.end()]
}

function pacingFaults(pieces: readonly string[]): string[] {
  return pieces.at(-1)?.includes(words[0] ?? '') ? ['its stream is held back until its end'] : []
}

/** Two answers at the same time. */
function sharingFaults(dialect: ClientDialect): string[] {
  const [one, other] = [dialect.streamWriter(meta), dialect.streamWriter(meta)]
  for (const event of plain) one.write(event)
  const written = [other.write({ type: 'start' }), other.end()].join('')
  return words.some((word) => written.includes(word)) ? ['a stream has the words of another'] : []
}

function refusalFaults(dialect: ClientDialect, error: ClientError): string[] {
  const says = {
    'writeError()': JSON.stringify(dialect.writeError(error)) ?? '',
    'streamError()': dialect.streamError(error),
    'error() of its stream': dialect.streamWriter(meta).error(error),
  }
  return Object.entries(says)
    .filter(([, said]) => typeof said !== 'string' || !said.includes(error.message))
    .map(([name]) => `${name} does not say why`)
}
