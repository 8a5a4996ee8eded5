// Reads the body of each submit route: its action, the task that it follows, and the body to send.
import {
  taskRefusal,
  type JsonObject,
  type OptionReader,
  type OwnTasks,
  type TaskRecord,
  type TaskRequest,
  type TaskSubmit,
  type TaskSubmitRoute,
} from '#core'
import { actionOfButton, freeActions, modelOf, readSimpleChange } from './actions.ts'
import { isOn } from './switches.ts'

/** The result of a route's own reader. */
interface Wish {
  action: string
  /** The id of the task that this one follows. */
  originId?: string
  /** The follow-up may go on while its origin still waits. */
  followsOpenTask?: boolean
}

type WishReader = (body: JsonObject) => Wish

const readers: Readonly<Record<string, WishReader>> = {
  'submit/imagine': (body) => {
    if (!textOf(body['prompt'])) throw taskRefusal('prompt_is_required', 400)
    return { action: 'IMAGINE' }
  },
  'submit/describe': () => ({ action: 'DESCRIBE' }),
  'submit/blend': () => ({ action: 'BLEND' }),
  'submit/shorten': () => ({ action: 'SHORTEN' }),
  'submit/edits': () => ({ action: 'EDITS' }),
  'submit/video': () => ({ action: 'VIDEO' }),
  'submit/upload-discord-images': () => ({ action: 'UPLOAD' }),
  'submit/change': readChange,
  'submit/simple-change': (body) => {
    const { taskId, action } = readSimpleChange(body['content'])
    return { action, originId: taskId }
  },
  'submit/action': (body) => ({
    originId: requiredId(body),
    action: actionOfButton(body['customId']),
  }),
  'submit/modal': (body) => ({
    originId: requiredId(body),
    action: 'MODAL',
    followsOpenTask: true,
  }),
  'insight-face/swap': (body) => {
    if (!textOf(body['sourceBase64']) || !textOf(body['targetBase64']))
      throw taskRefusal('sour_base64_and_target_base64_is_required', 400)
    return { action: 'SWAP_FACE' }
  },
}

export const submitRoutes: readonly TaskSubmitRoute[] = Object.entries(readers).map(
  ([name, readWish]) => ({
    kind: 'submit',
    paths: bothPaths(name),
    read: (request, own) => readSubmit(`/mj/${name}`, readWish, request, own),
  }),
)

/** The routes exist with and without a mode such as mj-fast in front. The upstream always gets the path without it. */
export function bothPaths(name: string): string[] {
  return [`/mj/${name}`, `/:mode/mj/${name}`]
}

async function readSubmit(
  path: string,
  readWish: WishReader,
  { body, options }: TaskRequest,
  own: OwnTasks,
): Promise<TaskSubmit> {
  const wish = readWish(body)
  const origin = await originOf(wish, options, own)
  const hook = isOn(options, 'MjNotifyEnabled') ? textOf(body['notifyHook']) : undefined
  return {
    action: wish.action,
    model: modelOf(wish.action),
    path,
    body: cleaned(body, options),
    input: textOf(body['prompt']) ?? origin?.input ?? '',
    isFree: freeActions.has(wish.action),
    ...(origin === undefined ? {} : { origin }),
    ...(hook === undefined ? {} : { hook }),
  }
}

async function originOf(
  { originId, followsOpenTask }: Wish,
  options: OptionReader,
  own: OwnTasks,
): Promise<TaskRecord | undefined> {
  if (originId === undefined) return undefined
  const origin = await own.find(originId)
  if (origin === undefined) throw taskRefusal('task_not_found', 400)
  const isChecked = isOn(options, 'MjActionCheckSuccessEnabled') && !followsOpenTask
  if (isChecked && origin.status !== 'SUCCESS') throw taskRefusal('task_status_not_success', 400)
  return origin
}

function readChange(body: JsonObject): Wish {
  const originId = requiredId(body)
  const action = textOf(body['action'])?.toUpperCase()
  if (action === undefined) throw taskRefusal('action_is_required', 400)
  if (!['UPSCALE', 'VARIATION', 'REROLL'].includes(action))
    throw taskRefusal('unknown_action', 400, `unknown_action:${action.slice(0, 200)}`)
  const index = Number(body['index'])
  if (action !== 'REROLL' && !(Number.isInteger(index) && index >= 1 && index <= 4))
    throw taskRefusal('index_is_required', 400)
  return { action, originId }
}

function requiredId(body: JsonObject): string {
  const id = textOf(body['taskId'])
  if (id === undefined) throw taskRefusal('task_id_is_required', 400)
  return id
}

/** The body without what the options keep from the upstream; everything else goes on untouched. */
function cleaned(body: JsonObject, options: OptionReader): JsonObject {
  const { notifyHook: _hook, accountFilter, prompt, ...rest } = body
  const keepsFilter = accountFilter !== undefined && isOn(options, 'MjAccountFilterEnabled')
  return {
    ...rest,
    ...(prompt === undefined ? {} : { prompt: withoutMode(prompt, options) }),
    ...(keepsFilter ? { accountFilter } : {}),
  }
}

function withoutMode(prompt: unknown, options: OptionReader): unknown {
  if (typeof prompt !== 'string' || !isOn(options, 'MjModeClearEnabled')) return prompt
  return prompt
    .split(/--(?:fast|relax|turbo)\b/i)
    .map((piece) => piece.trimEnd())
    .join('')
    .trim()
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
