import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { UpstreamResponse } from '../contract/http-client.ts'
import type { TaskFileRoute, TaskPlatform, TaskRequest } from '../contract/task.ts'
import { isSameSecret } from '../contract/same-secret.ts'
import { isWebAddress } from '../contract/web-address.ts'
import { closeBody } from '../net/close-body.ts'
import { plainTypeOf } from '../wire/media-type.ts'
import type { TaskDeps } from './task-deps.ts'

const timeoutMs = 30_000
const mostRedirects = 3

/** Streams a result file to anyone who knows the task's id. The address comes from an upstream, so it is treated like a
 *  user's: public hosts only. The file must be of the platform's media type, is limited in size, and cannot run scripts
 *  in a browser. */
export async function serveFile(
  route: TaskFileRoute,
  request: TaskRequest,
  platform: TaskPlatform,
  reply: FastifyReply,
  deps: Pick<TaskDeps, 'store' | 'http' | 'log'> & { maxBytes: number },
): Promise<FastifyReply> {
  const found = await deps.store.find(platform.id, route.taskId(request))
  const task = found && isOpenedBy(found.file_key, request.query['key']) ? found : undefined
  const url = task && route.locate(task)
  const file = url !== undefined && isWebAddress(url) ? await opened(url, route, deps) : undefined
  if (task === undefined || file === undefined) return reply.code(400).send(route.missing)
  return reply
    .headers({
      'content-type': file.mediaType,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': task.is_open ? 'no-store' : 'public, max-age=86400',
    })
    .send(Readable.from(bounded(file.response, deps.maxBytes)))
}

/** A task from before there were keys is open to everybody who knows its id, as it was. */
function isOpenedBy(fileKey: string, given: string | undefined): boolean {
  return fileKey === '' || (typeof given === 'string' && isSameSecret(given, fileKey))
}

async function opened(
  url: string,
  { mediaType }: TaskFileRoute,
  { http, log }: Pick<TaskDeps, 'http' | 'log'>,
): Promise<{ response: UpstreamResponse; mediaType: string } | undefined> {
  try {
    const response = await http.request(
      { method: 'GET', url, headers: { accept: `${mediaType.prefix}*` } },
      {
        trust: 'user',
        maxRedirects: mostRedirects,
        firstByteTimeoutMs: timeoutMs,
        idleTimeoutMs: timeoutMs,
      },
    )
    const type = plainTypeOf(response.headers) || mediaType.fallback
    if (response.status === 200 && type.startsWith(mediaType.prefix)) {
      return { response, mediaType: type }
    }
    await closeBody(response)
  } catch (error) {
    log.info({ err: error }, 'the file of a task could not be fetched')
  }
  return undefined
}

async function* bounded({ body }: UpstreamResponse, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the file is larger than ${maxBytes} bytes`)
    yield chunk
  }
}
