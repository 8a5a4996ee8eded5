import {
  type ChannelView,
  isObject,
  type TaskAnswer,
  type TaskPlatform,
  type TaskRecord,
  taskRefusal,
  type TaskReport,
  type TaskRequest,
  type TaskSubmit,
  type UpstreamRequest,
  UpstreamError,
} from 'tollgate/contract'
import { readFailure } from 'tollgate/adapter-kit'

/** Rows, charges, polls, refunds and hooks are the gateway's. */
export const platform: TaskPlatform = {
  id: 'acme',
  routes: [
    { kind: 'submit', paths: ['/acme/drawings'], read: readSubmit },
    {
      kind: 'read',
      method: 'GET',
      paths: ['/acme/drawings/:id'],
      // Tasks of others do not exist for the caller.
      answer: async ({ params }, own) => {
        const task = await own.find(params['id'] ?? '')
        if (!task) throw taskRefusal('no_such_drawing', 404, 'There is no such drawing.')
        return show(task)
      },
    },
  ],
  writeError: ({ status, code, message }) => ({ status, body: { error: { code, message } } }),
  /** US dollars for a model that the price options do not know. */
  defaultPrice: () => 0.04,
  // A failed hand-in may be tried on another channel.
  isRetryable: true,
  send: ({ path, body }, { channel }) => call(channel, 'POST', path, body),
  readAnswer,
  poll: {
    idsPerCall: 50,
    // What has not ended by then has failed, and is paid back.
    lifetimeMs: 3_600_000,
    request: (tasks, channel) =>
      call(channel, 'GET', `/drawings?ids=${tasks.map(({ task_id }) => task_id).join(',')}`),
    read: readReports,
  },
  show,
}

function readSubmit({ body }: TaskRequest): TaskSubmit {
  const { prompt } = body
  if (typeof prompt !== 'string' || prompt === '')
    throw taskRefusal('no_prompt', 400, 'The field "prompt" is missing.')
  return { action: 'DRAW', model: 'acme-draw', path: '/drawings', body: { prompt }, input: prompt }
}

function call(
  { baseUrl, key }: ChannelView,
  method: string,
  path: string,
  body?: object,
): UpstreamRequest {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const request = { method, url: baseUrl + path, headers }
  return body ? { ...request, body: JSON.stringify(body) } : request
}

/** @throws UpstreamError for an error inside a 200 */
function readAnswer(body: unknown): TaskAnswer {
  const id = isObject(body) ? body['id'] : undefined
  if (typeof id !== 'string') throw new UpstreamError(readFailure(200, body))
  return { isAccepted: true, taskId: id, body: { id, state: 'open' } }
}

const states: Readonly<Record<string, TaskReport['state']>> = {
  done: 'succeeded',
  failed: 'failed',
}

function readReports(body: unknown): TaskReport[] {
  const drawings = isObject(body) ? body['drawings'] : undefined
  if (!Array.isArray(drawings)) throw new UpstreamError(readFailure(200, body))
  return drawings.filter(isObject).flatMap((drawing) => {
    const { id, state, percent, url, reason } = drawing
    if (typeof id !== 'string') return []
    return {
      taskId: id,
      state: states[String(state)] ?? 'open',
      status: String(state),
      progress: typeof percent === 'number' ? `${percent}%` : '',
      failReason: typeof reason === 'string' ? reason : '',
      ...(typeof url === 'string' ? { data: { url } } : {}),
    }
  })
}

/** A task as its clients read it. */
function show({ task_id: id, status, progress, fail_reason: reason, data }: TaskRecord) {
  return { id, state: status, progress, reason, result: data }
}
