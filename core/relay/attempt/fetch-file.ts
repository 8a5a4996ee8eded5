import type { HttpClient } from '../../contract/http-client.ts'
import { AppError, errorType, type Text } from '../../contract/errors.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import type { Logger } from '../../contract/services.ts'
import { isUnresolved } from '../../net/addresses/host-names.ts'
import type { AnswerShare } from './answer-room.ts'
import { closeBody } from '../../net/close-body.ts'
import { plainTypeOf } from '../../wire/media-type.ts'

const unreachable = errorType<{ reason: Text }>(
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
  /** Told the host and the real reason. */
  log: Pick<Logger, 'info'>
  requestId: string
  /** Of the call that needs the file, and keeps it until its end. */
  share: Pick<AnswerShare, 'takeFile'>
}

/** Failures that need no other words. */
const isOwn: ReadonlySet<string> = new Set(['request.unreachable_file', 'relay.answers_full'])

/** One text for a name that leads to a forbidden address and for one that leads nowhere: clients must not learn which names the
 *  gateway's own network knows. */
const noAddress: Text = {
  en: 'its address is unknown or not allowed',
  zh: '其地址未知或不允许访问',
}

/** By the code of the failure; those speak of upstreams, and this is a server of the client's choice. */
const reasons: ReadonlyMap<string, Text> = new Map([
  [
    'relay.answer_too_large',
    {
      en: 'together, the files of the call are too large for this gateway',
      zh: '本次请求的文件合计过大，超出网关的限制',
    },
  ],
  ['net.forbidden_address', noAddress],
  ['net.invalid_url', { en: 'its URL is not usable', zh: '其 URL 不可用' }],
  ['net.timeout', { en: 'its server did not answer in time', zh: '其服务器未在规定时间内响应' }],
  [
    'net.too_many_redirects',
    { en: 'its server redirects too often', zh: '其服务器重定向次数过多' },
  ],
])

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
    () =>
      late.abort(
        unreachable({
          reason: {
            en: `it did not come within ${WHOLE_FILE_MS / 1000} s`,
            zh: `${WHOLE_FILE_MS / 1000} 秒内未下载完成`,
          },
        }),
      ),
    WHOLE_FILE_MS,
  )
  try {
    const signal = AbortSignal.any([deps.signal, late.signal])
    const response = await open(url, { ...deps, signal })
    if (response.status !== 200) {
      await closeBody(response)
      const { status } = response
      throw unreachable({
        reason: { en: `its server answered ${status}`, zh: `其服务器返回 ${status}` },
      })
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      deps.share.takeFile(chunk.length)
      size += chunk.length
      if (size > deps.maxBytes) throw unreachable({ reason: largerThan(deps.maxBytes) })
      chunks.push(chunk)
    }
    const mediaType = plainTypeOf(response.headers) || 'application/octet-stream'
    return { mediaType, data: Buffer.concat(chunks) }
  } catch (error) {
    if (error instanceof AppError && isOwn.has(error.code)) throw error
    const { requestId } = deps
    deps.log.info({ requestId, host: hostOf(url), err: error }, 'a file of a call was not read')
    throw unreachable({ reason: reasonOf(error) }, { cause: error })
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
    throw unreachable({
      reason: { en: 'only https addresses are allowed', zh: '只允许 https 地址' },
    })
  const body = JSON.stringify({ url, key: options.get<string>('WorkerValidKey') })
  return http.request(
    { method: 'POST', url: `${worker}/`, headers: { 'content-type': 'application/json' }, body },
    { ...timeouts, trust: 'admin' },
  )
}

function largerThan(maxBytes: number): Text {
  const size = `${Math.floor(maxBytes / 1_048_576)} MiB`
  return { en: `it is larger than ${size}`, zh: `文件大于 ${size}` }
}

function reasonOf(error: unknown): Text {
  if (!(error instanceof AppError)) return unreached('', '')
  const known = reasons.get(error.code)
  if (known) return known
  if (isUnresolved(error.cause)) return noAddress
  const { reason: en } = error.valuesIn('en')
  const { reason: zh } = error.valuesIn('zh')
  return en === undefined ? unreached('', '') : unreached(` (${String(en)})`, `（${String(zh)}）`)
}

/** Without the path and query, which may hold a key of the client's. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

function unreached(whyInEnglish: string, whyInChinese: string): Text {
  return {
    en: `its server could not be reached${whyInEnglish}`,
    zh: `无法连接其服务器${whyInChinese}`,
  }
}
