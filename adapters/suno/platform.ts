import {
  taskRefusal,
  type ChannelView,
  type JsonObject,
  type OwnTasks,
  type TaskPlatform,
  type TaskRequest,
  type TaskSubmit,
  type UpstreamRequest,
} from '#core'
import { readSubmitAnswer, writeSunoError } from './answers.ts'
import { readTaskList, showTask } from './task-object.ts'

const invalid = (text: string) => taskRefusal('invalid_request', 400, text)

export const suno: TaskPlatform = {
  id: 'suno',
  routes: [
    { kind: 'submit', paths: ['/suno/submit/:action'], read: readSubmit },
    {
      kind: 'read',
      method: 'POST',
      paths: ['/suno/fetch'],
      answer: async ({ body }, own) => {
        const ids = Array.isArray(body['ids']) ? body['ids'].map(String) : []
        return success((await own.list(ids)).map(showTask))
      },
    },
    {
      kind: 'read',
      method: 'GET',
      paths: ['/suno/fetch/:id'],
      answer: async ({ params }, own) => {
        const task = await own.find(params['id'] ?? '')
        if (task === undefined) throw taskRefusal('task_not_exist', 400)
        return success(showTask(task))
      },
    },
  ],
  writeError: writeSunoError,
  defaultPrice: (model) => (model === 'suno_lyrics' ? 0.01 : 0.1),
  // The service answers a lyrics submit only when the text is there.
  submitTimeoutMs: 120_000,
  isRetryable: true,
  send: ({ path, body }, { channel }) => call(channel, path, body),
  readAnswer: readSubmitAnswer,
  poll: {
    idsPerCall: 100,
    lifetimeMs: 24 * 3_600_000,
    request: (tasks, channel) =>
      call(channel, '/suno/fetch', { ids: tasks.map(({ task_id }) => task_id) }),
    read: readTaskList,
  },
  show: showTask,
}

async function readSubmit({ params, body }: TaskRequest, own: OwnTasks): Promise<TaskSubmit> {
  const action = (params['action'] ?? '').toLowerCase()
  if (action !== 'music' && action !== 'lyrics') throw invalid('invalid_action')
  if (action === 'lyrics' && !isFilled(body['prompt'])) throw invalid('prompt_empty')
  const origin = await originOf(body, own)
  const { gpt_description_prompt: description, prompt } = body
  const input = isFilled(description) ? description : prompt
  return {
    action: action.toUpperCase(),
    model: `suno_${action}`,
    path: `/suno/submit/${action}`,
    body: action === 'music' && !isFilled(body['mv']) ? { ...body, mv: 'chirp-v3-0' } : body,
    input: isFilled(input) ? input : '',
    ...(origin === undefined ? {} : { origin }),
  }
}

/** A clip is continued where it was made. */
async function originOf(body: JsonObject, own: OwnTasks) {
  if (!isFilled(body['continue_clip_id'])) return undefined
  const { task_id: taskId } = body
  if (!isFilled(taskId)) throw invalid('task id is empty')
  const origin = await own.find(taskId)
  if (origin === undefined) throw taskRefusal('task_not_exist', 400)
  return origin
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function success(data: unknown) {
  return { code: 'success', message: '', data }
}

function call({ baseUrl, key }: ChannelView, path: string, body: object): UpstreamRequest {
  return {
    method: 'POST',
    url: baseUrl + path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  }
}
