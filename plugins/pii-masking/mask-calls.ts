import {
  errorType,
  isObject,
  type JsonObject,
  type PluginServices,
  type RelayView,
  type RequestDraft,
  type Text,
} from '#core'
import type { MaskingCounts } from './counts.ts'
import { kindNames } from './kind-names.ts'
import { Marks } from './marks.ts'
import type { Rules } from './rules.ts'
import { showMarks } from './show-marks.ts'

const refused = errorType<{ kinds: Text }>(
  'pii_masking.refused',
  400,
  {
    en: 'The request holds personal data ({kinds}), which may not be sent to this model. Remove it and send the request again.',
    zh: '请求包含个人信息（{kinds}），不允许发送给该模型，请删除后重试。',
  },
  { relay: 'invalid_request' },
)
const unchangeable = errorType(
  'pii_masking.unchangeable',
  403,
  {
    en: 'Sessions in real time are not offered here: personal data could not be masked in them.',
    zh: '实时会话无法屏蔽个人信息，因此不可用。',
  },
  { relay: 'invalid_request' },
)

/** Nothing can be replaced in these calls: their texts come later, or were read before. */
const isFixed = ({ operation }: RelayView): boolean =>
  operation === 'task' || operation === 'realtime'

/** Hides personal data from upstreams and restores it in their answers, or refuses calls that contain any. */
export function maskCalls(
  relayHooks: PluginServices['relayHooks'],
  rules: () => Rules,
  counts: MaskingCounts,
): void {
  const hidden = new WeakMap<RelayView, ReadonlyMap<string, string>>()
  relayHooks.add({
    id: 'pii-masking-refuse',
    stage: 'relay.admit',
    onFailure: 'closed',
    applies: (view) => isFixed(view) && rules().isMeant(view),
    run: (view) => refuseFixed(view, rules(), counts),
  })
  relayHooks.add({
    id: 'pii-masking-hide',
    stage: 'relay.request',
    // A call that could not be searched must not be sent.
    onFailure: 'closed',
    applies: (view) => !isFixed(view) && rules().isMeant(view),
    run(view, draft) {
      const { action, isRestored, searches } = rules()
      const marks = new Marks(searches, tagOf(view))
      if (isRestored) for (const text of view.texts()) marks.reserve(text)
      hideIn(draft, marks)
      if (marks.counts.size === 0) return
      counts.add(marks.counts)
      if (action === 'refuse') throw refused({ kinds: kindNames([...marks.counts.keys()]) })
      if (isRestored) hidden.set(view, marks.hidden)
    },
  })
  relayHooks.add({
    id: 'pii-masking-show',
    stage: 'relay.text',
    onFailure: 'open',
    applies: (view) => hidden.has(view),
    open(view) {
      const marks = hidden.get(view)
      return marks && showMarks(marks)
    },
  })
}

function refuseFixed(view: RelayView, { searches }: Rules, counts: MaskingCounts): void {
  if (view.operation === 'realtime') throw unchangeable()
  const marks = new Marks(searches)
  for (const text of view.texts()) marks.hide(text)
  if (marks.counts.size === 0) return
  counts.add(marks.counts)
  throw refused({ kinds: kindNames([...marks.counts.keys()]) })
}

/** Fields beside the texts that are searched, too: names of the end user, notes of the client, and stop words, in
 *  which the model writes marks as well. */
const besideTexts = [
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'metadata',
  'labels',
  'stop',
  'stop_sequences',
] as const

function hideIn(draft: RequestDraft, marks: Marks): void {
  draft.mapTexts((text) => marks.hide(text))
  const { body } = draft
  if (!body) return
  const changed: JsonObject = {}
  for (const name of besideTexts) {
    const next = hiddenIn(body[name], marks)
    if (next !== body[name]) changed[name] = next
  }
  if (Object.keys(changed).length > 0) draft.replace({ ...body, ...changed })
}

/** Returns the same value where nothing in it was hidden. */
function hiddenIn(value: unknown, marks: Marks): unknown {
  if (typeof value === 'string') return marks.hide(value)
  if (Array.isArray(value)) {
    const list = value.map((inner) => hiddenIn(inner, marks))
    return list.some((inner, at) => inner !== value[at]) ? list : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, hiddenIn(inner, marks)] as const,
  )
  return entries.some(([name, inner]) => value[name] !== inner)
    ? Object.fromEntries(entries)
    : value
}

/** Tags the marks of a call that continues a conversation: the upstream has stored that with marks of other calls. */
function tagOf({ body, requestId }: RelayView): string {
  const goesOn = body?.['previous_response_id'] ?? body?.['conversation']
  if (goesOn === undefined || goesOn === null) return ''
  return `${requestId
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .slice(-6)
    .toUpperCase()}_`
}
