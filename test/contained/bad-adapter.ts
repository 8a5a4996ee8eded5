// An adapter that does wrong what the name of the model says. It needs no upstream: `transport` answers.
import { module } from './plugin-folders.ts'

export interface AdapterFault {
  /** The model that is asked for. */
  fault: string
  /** The function that does wrong. */
  part: string
  /** Its body. */
  does: string
  /** As the log names it, where it is not `part`. */
  blamed?: string
  /** What the log says of it. */
  says: RegExp
  /** The provider answers 400, which the function reads. The call fails as it would without the function. */
  isOfFailure?: boolean
  isStream?: boolean
}

const event = `{ type: 'start' }, { type: 'text', delta: 'Hi' }`
const end = `{ type: 'finish', reason: 'stop' }`

const whole: readonly AdapterFault[] = [
  { fault: 'model-number', part: 'resolveModel', does: `return { model: 5 }`, says: /no model/ },
  { fault: 'send-throws', part: 'send', does: `throw new TypeError('no')`, says: /no$/ },
  { fault: 'send-rejects', part: 'send', does: `return Promise.reject(null)`, says: /null$/ },
  { fault: 'send-null', part: 'send', does: `return null`, says: /no request/ },
  {
    fault: 'send-header',
    part: 'send',
    does: `return { method: 'POST', url: 'https://a.example', headers: { a: 'b\\n' } }`,
    says: /header/i,
  },
  { fault: 'transport-null', part: 'transport', does: `return null`, says: /no answer/ },
  {
    fault: 'transport-body',
    part: 'transport',
    does: `return { status: 200, headers: {}, body: 5 }`,
    says: /no answer/,
  },
  { fault: 'answer-throws', part: 'readAnswer', does: `throw new Error('no')`, says: /no$/ },
  { fault: 'answer-null', part: 'readAnswer', does: `return null`, says: /no list/ },
  {
    fault: 'answer-promise',
    part: 'readAnswer',
    does: `return Promise.reject(5)`,
    says: /a promise/,
  },
  { fault: 'answer-events', part: 'readAnswer', does: `return [null, 5]`, says: /an event/ },
  {
    fault: 'answer-text',
    part: 'readAnswer',
    does: `return [{ type: 'text', delta: {} }, ${end}]`,
    says: /event "text"/,
  },
  {
    fault: 'answer-error',
    part: 'readAnswer',
    does: `return [{ type: 'error', failure: null }]`,
    says: /event "error"/,
  },
  {
    fault: 'answer-failure',
    part: 'readAnswer',
    does: `throw new UpstreamError({ status: 'x', message: {}, code: [] }, 'silly')`,
    says: /no sound failure/,
  },
]

const streamed: readonly AdapterFault[] = [
  { fault: 'reader-null', part: 'streamReader', does: `return null`, says: /no reader/ },
  {
    fault: 'reader-throws',
    part: 'streamReader',
    blamed: 'push',
    does: `return { isComplete: true, push() { throw new Error('no') }, end: () => [] }`,
    says: /no$/,
  },
  {
    fault: 'reader-null-events',
    part: 'streamReader',
    blamed: 'push',
    does: `return { isComplete: true, push: () => null, end: () => [] }`,
    says: /no list/,
  },
].map((one) => ({ ...one, isStream: true }))

const failed: readonly AdapterFault[] = [
  { fault: 'error-throws', part: 'readError', does: `throw new Error('no')`, says: /no$/ },
  { fault: 'error-number', part: 'readError', does: `return 5`, says: /does not allow/ },
  {
    fault: 'error-words',
    part: 'readError',
    does: `return { message: 5 }`,
    says: /does not allow/,
  },
  { fault: 'class-throws', part: 'classify', does: `throw new Error('no')`, says: /no$/ },
  { fault: 'class-silly', part: 'classify', does: `return 'silly'`, says: /does not allow/ },
  { fault: 'retry-throws', part: 'isRetryable', does: `throw new Error('no')`, says: /no$/ },
].map((one) => ({ ...one, isOfFailure: true }))

export const adapterFaults: readonly AdapterFault[] = [...whole, ...streamed, ...failed]

/** Answers that are sound but for their usage. */
export const badUsage = ['usage-null', 'usage-nan', 'usage-negative', 'usage-delegated']

const usageOf = `({
  'usage-null': null,
  'usage-nan': { ...none, input: NaN, output: NaN },
  'usage-negative': { ...none, input: -1e9, output: -1e9 },
  'usage-delegated': { ...none, input: 3, output: 2, delegated: 5 },
})`

const parts = Map.groupBy(adapterFaults, ({ part }) => part)
const call = (part: string, otherwise: string) => `${part}(...args) {
    switch (fault) {
      ${(parts.get(part) ?? []).map(({ fault, does }) => `case '${fault}': ${does}`).join('\n')}
    }
    ${otherwise}
  }`

export const badAdapter = module(
  'bad-adapter',
  `import { defineAdapter, UpstreamError } from 'tollgate'
let fault = ''
const none = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, inputAudio: 0, inputImage: 0, output: 0, reasoning: 0, outputAudio: 0, outputImage: 0 }
const usages = ${usageOf}
const events = () => [${event}, ...(fault in usages ? [{ type: 'usage', usage: usages[fault] }] : []), ${end}]
const bytes = (isStream) => Buffer.from(isStream ? 'data: {}\\n\\n' : '{}')
export default defineAdapter({
  id: 'bad-adapter',
  channelTypes: { 300002: 'Bad' },
  baseUrl: 'https://bad.example',
  models: [],
  summary: 'Does wrong.',
  resolveModel(model) {
    fault = model === 'shared' ? 'send-throws' : model
    if (fault === 'model-number') return { model: 5 }
    return { model }
  },
  operations: {
    chat: {
      ${call('send', `return { method: 'POST', url: 'https://bad.example', headers: {} }`)},
      ${call('readAnswer', 'return events()')},
      ${call('streamReader', `return { isComplete: true, push: events, end: () => [] }`)},
    },
  },
  async ${call(
    'transport',
    `const { isStream } = args[1]
    const isFailed = ${JSON.stringify(failed.map(({ fault }) => fault))}.includes(fault)
    const type = isStream && !isFailed ? 'text/event-stream' : 'application/json'
    const body = async function* () { yield bytes(isStream && !isFailed) }
    return { status: isFailed ? 400 : 200, headers: { 'content-type': type }, body: body() }`,
  )},
  ${call('readError', 'return undefined')},
  ${call('classify', 'return undefined')},
  ${call('isRetryable', 'return undefined')},
})
`,
)
