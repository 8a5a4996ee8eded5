// Pictures of the older models are made by a task: submitted by the call itself, then asked for until it is done.
// Source: help.aliyun.com/zh/model-studio, "Text to image V2 API".
import {
  isObject,
  objectsOf,
  UpstreamError,
  type AttemptContext,
  type Body,
  type JsonObject,
} from '#core'
import { askJson, compact, pause, readFailure } from '#adapter-kit'
import { nativeUrl } from './native-url.ts'

const POLLS = 20
const POLL_MS = 2_500

export function toImageTask(body: Body): Body {
  const { model, prompt, negative_prompt, size, n, seed, style, prompt_extend, watermark } = body
  return {
    model,
    input: compact({ prompt, negative_prompt }),
    parameters: compact({ size: toSize(size), n, seed, style, prompt_extend, watermark }),
  }
}

/** Width and height with a star between them; a word such as `auto` leaves the size to the model. */
export function toSize(size: unknown): string | undefined {
  return typeof size === 'string' && /^\d+[x*]\d+$/.test(size) ? size.replace('x', '*') : undefined
}

/** @throws UpstreamError when the task fails, all its pictures failed, or it is not done in time */
export async function awaitImages(submitted: Body, context: AttemptContext): Promise<Body> {
  const output = await finishedTask(outputOf(submitted), context)
  const results = objectsOf(output.results)
  const urls = results.flatMap(({ url }) => (typeof url === 'string' ? [url] : []))
  // A single failed picture is left out. If all fail, the first one's failure is reported.
  if (urls.length === 0) throw new UpstreamError(readFailure(200, results[0] ?? output))
  return imageAnswer(urls, context)
}

/** Addresses of pictures as the client asked for them: as they are, or the bytes behind them. */
export async function imageAnswer(urls: readonly string[], context: AttemptContext): Promise<Body> {
  const wantsBytes = context.clientBody?.response_format === 'b64_json'
  return {
    created: Math.floor(context.now().getTime() / 1000),
    data: wantsBytes
      ? await Promise.all(urls.map((url) => asBase64(url, context)))
      : urls.map((url) => ({ url })),
  }
}

async function finishedTask(output: JsonObject, context: AttemptContext): Promise<JsonObject> {
  const { channel, http, httpOptions, signal } = context
  const request = {
    url: nativeUrl(channel.baseUrl, `/tasks/${encodeURIComponent(String(output.task_id))}`),
    headers: { authorization: `Bearer ${channel.key}` },
  }
  for (let poll = 0; poll < POLLS; poll += 1) {
    await pause(POLL_MS, signal)
    const state = outputOf(await askJson(http, request, httpOptions))
    switch (state.task_status) {
      case 'PENDING':
      case 'RUNNING':
        break
      case 'SUCCEEDED':
        return state
      default:
        throw new UpstreamError(readFailure(200, state))
    }
  }
  throw new UpstreamError(
    {
      status: 504,
      message: 'The picture was not ready in time.',
      code: null,
      isKnownShape: true,
    },
    'timeout',
  )
}

function outputOf(body: JsonObject): JsonObject {
  if (isObject(body.output)) return body.output
  throw new UpstreamError(readFailure(200, body))
}

async function asBase64(url: string, { fetchFile }: AttemptContext): Promise<JsonObject> {
  const { data } = await fetchFile(url)
  return { b64_json: Buffer.from(data).toString('base64') }
}
