import {
  taskRefusal,
  type ChannelView,
  type OwnTasks,
  type TaskPlatform,
  type TaskRecord,
  type TaskRequest,
  type TaskRoute,
  type UpstreamRequest,
} from '#core'
import { defaultPrice } from './actions.ts'
import { readSubmitAnswer, writeMidjourneyError } from './answers.ts'
import { bothPaths, submitRoutes } from './submits.ts'
import { isOn } from './switches.ts'
import { imageOf, readTask, readTaskList, showTask } from './task-object.ts'

const secretHeader = 'mj-api-secret'

export const midjourney: TaskPlatform = {
  id: 'midjourney',
  screen: 'drawing',
  keyHeader: { name: secretHeader, placeholder: 'midjourney-proxy' },
  routes: [...submitRoutes, ...taskRoutes()],
  writeError: writeMidjourneyError,
  defaultPrice,
  submitTimeoutMs: 60_000,
  send: ({ path, body }, { channel, hookUrl }) =>
    call(channel, 'POST', path, hookUrl === undefined ? body : { ...body, notifyHook: hookUrl }),
  readAnswer: readSubmitAnswer,
  poll: {
    idsPerCall: 100,
    lifetimeMs: 3_600_000,
    request: (tasks, channel) =>
      call(channel, 'POST', '/mj/task/list-by-condition', {
        ids: tasks.map(({ task_id }) => task_id),
      }),
    read: readTaskList,
  },
  show: showTask,
}

function taskRoutes(): TaskRoute[] {
  return [
    {
      kind: 'read',
      method: 'GET',
      paths: bothPaths('task/:id/fetch'),
      answer: async (request, own) => showTask(await namedTask(request, own), request.options),
    },
    {
      kind: 'read',
      method: 'POST',
      paths: bothPaths('task/list-by-condition'),
      answer: async ({ body, options }, own) => {
        const ids = Array.isArray(body['ids']) ? body['ids'].map(String) : []
        return (await own.list(ids)).map((task) => showTask(task, options))
      },
    },
    {
      kind: 'forward',
      method: 'GET',
      paths: bothPaths('task/:id/image-seed'),
      timeoutMs: 30_000,
      task: namedTask,
      send: ({ task_id }, channel) =>
        call(channel, 'GET', `/mj/task/${encodeURIComponent(task_id)}/image-seed`),
    },
    {
      kind: 'file',
      paths: bothPaths('image/:id'),
      taskId: ({ params }) => params['id'] ?? '',
      locate: imageOf,
      mediaType: { prefix: 'image/', fallback: 'image/jpeg' },
      missing: { error: 'midjourney_task_not_found' },
    },
    {
      kind: 'callback',
      paths: bothPaths('notify'),
      isOn: (options) => isOn(options, 'MjNotifyEnabled'),
      read: readTask,
    },
  ]
}

async function namedTask({ params }: TaskRequest, own: OwnTasks): Promise<TaskRecord> {
  const task = await own.find(params['id'] ?? '')
  if (task === undefined) throw taskRefusal('task_no_found', 400)
  return task
}

function call(
  { baseUrl, key }: ChannelView,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): UpstreamRequest {
  return {
    method,
    url: baseUrl + path,
    headers: { 'content-type': 'application/json', [secretHeader]: key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}
