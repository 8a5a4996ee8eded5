// The routes that task platforms declare. Each kind of route is served by one function here, which knows no platform.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../contract/json.ts'
import {
  taskRefusal,
  type TaskPlatform,
  type TaskRequest,
  type TaskRoute,
  type TaskSubmit,
  type TaskSubmitRoute,
} from '../contract/task.ts'
import { readObject } from '../relay/intake/read-input.ts'
import { relay } from '../relay/relay.ts'
import { allowAnyOrigin } from '../relay/routes/any-origin.ts'
import { callCheck, callerOf, keyCheck } from '../relay/intake/key-check.ts'
import type { AccessDeps, CallDeps } from '../relay/call/relay-deps.ts'
import type { StoredResponse } from '../relay/conversation/stored-responses.ts'
import { takeCallback } from './callback.ts'
import { forwardTask } from './forward-task.ts'
import { ownTasks } from './own-tasks.ts'
import { serveFile } from './serve-file.ts'
import { TaskSubmission } from './submit-task.ts'
import type { TaskDeps, TaskPlatforms } from './task-deps.ts'
import { hasLiveKey } from './task-key.ts'

export interface TaskRouteDeps {
  tasks: TaskDeps
  relay: AccessDeps & CallDeps
}

export function taskRoutes(
  app: FastifyInstance,
  platforms: TaskPlatforms,
  deps: TaskRouteDeps,
): void {
  if (!app.hasRequestDecorator('relayCaller')) app.decorateRequest('relayCaller', null)
  const paths = platforms.flatMap(({ routes }) => routes.flatMap((route) => route.paths))
  allowAnyOrigin(app, [...new Set(paths)])
  for (const platform of platforms)
    for (const route of platform.routes)
      for (const path of route.paths) addRoute(app, path, route, platform, deps)
}

function addRoute(
  app: FastifyInstance,
  url: string,
  route: TaskRoute,
  platform: TaskPlatform,
  deps: TaskRouteDeps,
): void {
  const config = { relay: { dialect: 'openai-chat' as const, writeError: platform.writeError } }
  const places = platform.keyHeader ? { header: platform.keyHeader } : {}
  const read = (request: FastifyRequest) => taskRequest(request, deps.tasks)
  const own = (request: FastifyRequest) =>
    ownTasks(platform, callerOf(request).identity.userId, deps.tasks.store)
  const onRequest = keyCheck(deps.relay, places)
  switch (route.kind) {
    case 'submit':
      app.post(url, { config, onRequest: callCheck(deps.relay, places) }, (request, reply) =>
        submit(request, reply, route, platform, deps),
      )
      return
    case 'read':
      app.route({
        method: route.method,
        url,
        config,
        onRequest,
        handler: async (request, reply) =>
          reply.send(await route.answer(read(request), own(request))),
      })
      return
    case 'forward':
      app.route({
        method: route.method,
        url,
        config,
        onRequest,
        handler: async (request, reply) =>
          reply.send(await forwardTask(route, platform, read(request), own(request), deps.tasks)),
      })
      return
    case 'file':
      app.get(url, { config }, (request, reply) =>
        serveFile(route, read(request), platform, reply, {
          ...deps.tasks,
          maxBytes: deps.relay.settings.maxFileBytes,
        }),
      )
      return
    case 'callback':
      app.post(url, { config }, async (request, reply) => {
        await takeCallback(route, request, read(request), platform, deps.tasks)
        return reply.code(200).send()
      })
  }
}

async function submit(
  request: FastifyRequest,
  reply: FastifyReply,
  route: TaskSubmitRoute,
  platform: TaskPlatform,
  deps: TaskRouteDeps,
): Promise<void> {
  const caller = callerOf(request)
  const own = ownTasks(platform, caller.identity.userId, deps.tasks.store)
  const wanted = await route.read(taskRequest(request, deps.tasks), own)
  const pinnedChannel = originChannel(wanted, deps.tasks) ?? caller.pinnedChannel
  request.relayCaller = { ...caller, pinnedChannel }
  const task = new TaskSubmission(platform, wanted, deps.tasks, deps.relay)
  try {
    await relay(
      {
        operation: 'task',
        dialect: 'openai-chat',
        requestedModel: wanted.model,
        isStream: false,
        bytes: request.body as Buffer,
        body: wanted.body,
        form: undefined,
        includeUsage: false,
        bound: await originKey(wanted, deps.tasks),
      },
      reply,
      deps.relay,
      { kind: 'task', step: task },
    )
  } finally {
    await task.end()
  }
}

/** A task that continues another one must go to the channel of that one, the only place where it is known. */
function originChannel({ origin }: TaskSubmit, { index }: TaskDeps): number | undefined {
  if (origin === undefined) return undefined
  const channel = index().find(origin.channel_id)
  if (channel === undefined) throw taskRefusal('channel_not_found', 400)
  if (!channel.isEnabled) throw taskRefusal('task_channel_disable', 400)
  return channel.id
}

/** With the key that the origin was submitted with, as long as it is alive. */
async function originKey(
  { origin, model }: TaskSubmit,
  { index, secrets, store }: TaskDeps,
): Promise<StoredResponse | undefined> {
  const channel = origin && index().find(origin.channel_id)
  if (!origin || !channel || channel.keys.length < 2) return undefined
  const keyHash = await store.keyHashOf(origin.id)
  return hasLiveKey(channel, keyHash, secrets)
    ? { channelId: channel.id, keyHash, model }
    : undefined
}

function taskRequest(request: FastifyRequest, { options }: TaskDeps): TaskRequest {
  return {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string>,
    body: bodyOf(request),
    options,
  }
}

function bodyOf({ body, method }: FastifyRequest): JsonObject {
  return method === 'POST' ? readObject(Buffer.isBuffer(body) ? body : Buffer.alloc(0)) : {}
}
