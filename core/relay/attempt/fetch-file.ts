import type { HttpClient } from '../../contract/http-client.ts'
import { AppError, errorType } from '../../contract/errors.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import type { AnswerShare } from './answer-room.ts'
import { closeBody } from '../../net/close-body.ts'

const unreachable = errorType<{ reason: string }>(
  'request.unreachable_file',
  400,
  {
    en: 'A file that the request names by URL could not be read: {reason}.',
    zh: '无法读取请求中以 URL 指定的文件：{reason}。',
  },
  { relay: 'invalid_request' },
)

export interface FetchFileDeps {
  http: HttpClient
  options: OptionReader
  maxBytes: number
  signal: AbortSignal
  /** Of the call that needs the file, and keeps it until its end. */
  share: Pick<AnswerShare, 'take'>
}

/** Failures that need no other words. */
const isOwn: ReadonlySet<string> = new Set(['request.unreachable_file', 'relay.answers_full'])

const TIMEOUT_MS = 30_000
/** A server that sends a byte now and then must not keep the call open. */
const WHOLE_FILE_MS = 120_000

/** Downloads a file that the client named by URL, at most `maxBytes`. The SSRF guard treats the URL as user input. Goes
 *  through the worker if one is set.
 *  @throws request.unreachable_file, also after `WHOLE_FILE_MS`; relay.answers_full */
export async function fetchFile(
  url: string,
  deps: FetchFileDeps,
): Promise<{ mediaType: string; data: Uint8Array }> {
  const inline = /^data:([^;,]*)((?:;[^,]*)?),(.*)$/s.exec(url)
  if (inline)
    return {
      mediaType: inline[1] || 'text/plain',
      data: Buffer.from(inline[3] ?? '', inline[2]?.includes('base64') ? 'base64' : 'utf8'),
    }
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(unreachable({ reason: `it did not come within ${WHOLE_FILE_MS / 1000} s` })),
    WHOLE_FILE_MS,
  )
  try {
    const signal = AbortSignal.any([deps.signal, late.signal])
    const response = await open(url, { ...deps, signal })
    if (response.status !== 200) {
      await closeBody(response)
      throw unreachable({ reason: `its server answered ${response.status}` })
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      deps.share.take(chunk.length)
      size += chunk.length
      if (size > deps.maxBytes)
        throw unreachable({
          reason: `it is larger than ${Math.floor(deps.maxBytes / 1_048_576)} MiB`,
        })
      chunks.push(chunk)
    }
    const mediaType =
      (response.headers['content-type'] ?? 'application/octet-stream').split(';')[0]?.trim() ?? ''
    return { mediaType, data: Buffer.concat(chunks) }
  } catch (error) {
    if (error instanceof AppError && isOwn.has(error.code)) throw error
    if (error instanceof AppError && error.code === 'relay.answer_too_large')
      throw unreachable({
        reason: 'together, the files of the call are too large for this gateway',
      })
    throw unreachable(
      { reason: error instanceof Error ? error.message : 'no answer' },
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
  }
}

function open(
  url: string,
  { http, options, signal }: Pick<FetchFileDeps, 'http' | 'options' | 'signal'>,
) {
  const worker = options.get<string>('WorkerUrl')
  const timeouts = { signal, firstByteTimeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS }
  if (worker === '')
    return http.request(
      { method: 'GET', url, headers: {} },
      { ...timeouts, trust: 'user', maxRedirects: 3 },
    )
  const isPlain = !url.startsWith('https://')
  if (isPlain && !options.get<boolean>('WorkerAllowHttpImageRequestEnabled'))
    throw unreachable({ reason: 'only https addresses are allowed' })
  const body = JSON.stringify({ url, key: options.get<string>('WorkerValidKey') })
  return http.request(
    { method: 'POST', url: worker, headers: { 'content-type': 'application/json' }, body },
    { ...timeouts, trust: 'admin' },
  )
}
