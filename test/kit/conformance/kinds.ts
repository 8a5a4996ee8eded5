// What must hold of each thing that a plugin adds, found out without knowing what it is for.
import {
  AppError,
  type AuthProvider,
  type BotCheck,
  type ClientError,
  isObject,
  type Job,
  type Metric,
  type Notifier,
  type OptionAction,
  type OptionReader,
  type PaymentProvider,
  type RelayHook,
  type RelayView,
  type ResponseCache,
  type RoutingPolicy,
  type RequestDraft,
  type StatusField,
  type TaskPlatform,
} from '#core'
import { type Check, refuse } from '../../harness/adapters/adapter-checks.ts'
import { eventually } from '../eventually.ts'
import { dialectFaults } from './dialects.ts'
import { sampleViews } from './sample-views.ts'
import { eventFaults } from './stream-events.ts'
import type { Room } from './room.ts'

const PATIENCE_MS = 10_000

export function kindChecks({ gateway, id }: Room): Check[] {
  const { contributions } = gateway.host.current
  const of = <T extends { id: string }>(
    registry: string,
    entries: readonly { owner: string; entry: T }[],
    check: (entry: T) => Promise<string[]> | string[],
  ): Check[] =>
    entries
      .filter(({ owner }) => owner === id)
      .map(({ entry }) => ({
        name: `${registry} "${entry.id}"`,
        run: async () => refuse(await check(entry)),
      }))
  return [
    ...of('authProviders', contributions.authProviders.owned(), signInFaults),
    ...of('paymentProviders', contributions.paymentProviders.owned(), paymentFaults),
    ...of('notifiers', contributions.notifiers.owned(), notifierFaults),
    ...of('relayHooks', contributions.relayHooks.owned(), hookFaults),
    ...of('dialects', contributions.dialects.owned(), (entry) => dialectFaults(entry, sampleError)),
    ...of('taskPlatforms', contributions.taskPlatforms.owned(), platformFaults),
    ...of('botChecks', contributions.botChecks.owned(), botCheckFaults),
    ...of('jobs', contributions.jobs.owned(), jobFaults),
    ...of('responseCaches', contributions.responseCaches.owned(), cacheFaults),
    ...of('routingPolicies', contributions.routingPolicies.owned(), policyFaults),
    ...of('optionActions', contributions.optionActions.owned(), (entry) =>
      actionFaults(entry, gateway.services.options),
    ),
    ...of('metrics', contributions.metrics.owned(), metricFaults),
    ...of('statusFields', contributions.statusFields.owned(), fieldFaults),
  ]
}

async function signInFaults(provider: AuthProvider): Promise<string[]> {
  const problems: string[] = []
  if (!provider.name.en.trim() || !provider.name.zh.trim())
    problems.push('it has no name in en and zh')
  if (provider.isEnabled()) problems.push('it is offered although nothing of it is set')
  if (provider.kind === 'direct') return problems
  const asked = {
    state: 'state-of-the-kit',
    nonce: 'n',
    codeChallenge: 'challenge',
    redirectUri: 'https://kit.example/oauth/x',
  }
  const page = await tried(() => provider.authorizeUrl(asked))
  // Without its settings it may have no address.
  if (typeof page === 'string' && !page.includes(encodeURIComponent(asked.state)))
    problems.push('its page gets no state: anybody could sign somebody else in')
  const answer = {
    code: 'no-code',
    parameters: {},
    redirectUri: asked.redirectUri,
    codeVerifier: 'v',
    nonce: 'n',
  }
  const identity = await tried(() => provider.identify(answer))
  if (identity !== undefined) problems.push('it knows somebody by a code that nobody gave out')
  return problems
}

async function paymentFaults(provider: PaymentProvider): Promise<string[]> {
  const problems: string[] = []
  if (provider.methods().length > 0) problems.push('it sells although it has no secret')
  const { code, decimals } = provider.currency()
  if (!/^[A-Z]{3}$/.test(code)) problems.push(`its currency is "${code}", not three capitals`)
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 8)
    problems.push(`its amounts have ${decimals} decimals`)
  for (const body of [
    '',
    '{}',
    'null',
    'a=b',
    '{"type":"paid","status":"paid","order":"1","trade_no":"1"}',
  ]) {
    const notice = await tried(() =>
      provider.readNotice({ query: {}, body: Buffer.from(body), headers: {} }),
    )
    if (notice && notice.kind !== 'ignored')
      problems.push(`it takes the unsigned notice ${JSON.stringify(body)} for ${notice.kind}`)
  }
  const [taken, refused] = [provider.answerNotice(true), provider.answerNotice(false)]
  if (JSON.stringify(taken) === JSON.stringify(refused))
    problems.push('it answers a refused notice as a taken one: it would not be sent again')
  return problems
}

async function notifierFaults(notifier: Notifier): Promise<string[]> {
  const message = {
    to: { userId: 1 },
    language: 'en',
    kind: 'test',
    title: 'Title',
    content: 'Text',
    values: [],
  } as const
  const late = Symbol('late')
  const sent = notifier.send({ ...message, values: [] }).then(
    () => undefined,
    () => undefined,
  )
  const end = await Promise.race([sent, afterMs(PATIENCE_MS).then(() => late)])
  return end === late ? [`send() has not ended after ${PATIENCE_MS / 1000} seconds`] : []
}

async function hookFaults(hook: RelayHook): Promise<string[]> {
  const problems: string[] = []
  for (const { name, view } of sampleViews()) {
    try {
      await tryHook(hook, view)
    } catch (error) {
      if (!(error instanceof AppError))
        problems.push(`${name}: it fails with ${String(error)}; refuse with an errorType`)
    }
  }
  return problems
}

function tryHook(hook: RelayHook, view: RelayView): Promise<void> | void {
  if (hook.applies && !hook.applies(view)) return
  if (hook.stage === 'relay.request') return hook.run(view, draftOf(view))
  if (hook.stage === 'relay.text')
    return void hook.open(view, { kind: 'content', choice: 0 })?.('A sentence.', true)
  if (hook.stage === 'relay.event') return eventFaults(hook, view)
  if (hook.stage === 'relay.observe')
    return hook.run(view, {
      status: 200,
      channelId: 1,
      error: undefined,
      answer: {},
      isCut: false,
      durationMs: 1,
    })
  return hook.run(view, { status: 200, channelId: 1, setHeader: () => undefined })
}

function draftOf(view: RelayView): RequestDraft {
  return {
    body: view.body,
    replace: () => undefined,
    instruct: () => true,
    mapTexts: (change) => [...view.texts()].filter((text) => change(text, []) !== text).length > 0,
  }
}

const sampleError: ClientError = {
  status: 400,
  message: 'A sentence.',
  code: 'a_code',
  openaiType: 'invalid_request_error',
  anthropicType: 'invalid_request_error',
  geminiStatus: 'INVALID_ARGUMENT',
  param: null,
  requestId: 'request-of-the-kit',
}

function platformFaults(platform: TaskPlatform): string[] {
  const problems: string[] = []
  const { status } = platform.writeError(sampleError)
  if (!(status >= 200 && status < 600)) problems.push(`writeError() gives status ${status}`)
  const price = platform.defaultPrice('a-model')
  if (!(Number.isFinite(price) && price >= 0)) problems.push(`defaultPrice() gives ${price}`)
  if (!platform.routes.some(({ kind }) => kind === 'submit' || kind === 'read'))
    problems.push('it has no route to submit or read')
  return problems
}

async function botCheckFaults(check: BotCheck): Promise<string[]> {
  const problems: string[] = []
  if (check.isEnabled()) problems.push('it is on although nothing of it is set')
  const isThrough = await check.check('', '192.0.2.1').then(
    () => true,
    () => false,
  )
  if (isThrough) problems.push('it lets an empty token through')
  return problems
}

async function jobFaults(job: Job): Promise<string[]> {
  const everyMs = typeof job.everyMs === 'function' ? job.everyMs() : job.everyMs
  const problems = everyMs >= 1_000 ? [] : [`it runs every ${everyMs} ms: a second is the least`]
  const late = Symbol('late')
  const run = job.run(AbortSignal.abort()).catch(() => undefined)
  const end = await Promise.race([run, afterMs(PATIENCE_MS).then(() => late)])
  return end === late ? [...problems, 'it does not end when it is told to'] : problems
}

async function cacheFaults(cache: ResponseCache): Promise<string[]> {
  const [{ view } = { view: undefined }] = sampleViews()
  if (!view) return []
  const problems: string[] = []
  const share = typeof cache.priceShare === 'function' ? cache.priceShare(view) : cache.priceShare
  if (!(share >= 0 && share <= 1)) problems.push(`its share of the price is ${share}, not 0 to 1`)
  if ((await cache.lookup('key-of-the-kit', view)) !== undefined)
    problems.push('it answers a question that nobody asked before')
  await cache.store('key-of-the-kit', 'An answer.', view)
  const found = await eventually(() => cache.lookup('key-of-the-kit', view))
  if (found !== undefined && found !== 'An answer.') problems.push('it gives back something else')
  return problems
}

function policyFaults(policy: RoutingPolicy): string[] {
  const figures = { succeeded: 9, failed: 1, firstByteMs: undefined, durationMs: undefined }
  const candidates = [1, 2, 3].map((id) =>
    Object.freeze({ id, type: 1, name: `channel ${id}`, weight: 1, priority: 0, ...figures }),
  )
  return sampleViews().flatMap(({ name, view }) => {
    if (!policy.applies(view)) return []
    const choice = policy.choose(view, Object.freeze(candidates))
    const ids = !choice ? [] : 'order' in choice ? choice.order : [...choice.weights.keys()]
    const strange = ids.filter((id) => !candidates.some((one) => one.id === id))
    return strange.map((id) => `${name}: it chooses channel ${id}, which is no candidate`)
  })
}

/** Pressed with what is stored, and told to end at once. */
async function actionFaults(action: OptionAction, values: OptionReader): Promise<string[]> {
  const { label, options } = action
  const problems: string[] = []
  if (!label.en.trim() || !label.zh.trim()) problems.push('its button has no words in en and zh')
  if (options.length === 0) problems.push('it names no option that it tries')
  const context = { userId: 1, language: 'en', input: '', signal: AbortSignal.abort() } as const
  const late = Symbol('late')
  const said = await Promise.race([
    tried(() => action.run(values, context)),
    afterMs(PATIENCE_MS).then(() => late),
  ])
  if (said === late) return [...problems, 'it does not end when its signal does']
  const message = isObject(said) && isObject(said['message']) ? said['message'] : undefined
  if (isObject(said) && !(message?.['en'] && message['zh']))
    problems.push('it says nothing in en and zh')
  return problems
}

function fieldFaults(field: StatusField): string[] {
  const value = field.value()
  try {
    return JSON.stringify(value) === undefined ? ['its value is nothing that JSON can say'] : []
  } catch (error) {
    return [`its value cannot be sent: ${String(error)}`]
  }
}

/** @throws TypeError */
function metricFaults(metric: Metric): string[] {
  return Number.isFinite(metric.value()) ? [] : ['its value is no number']
}

async function tried<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

function afterMs(limitMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, limitMs).unref())
}
