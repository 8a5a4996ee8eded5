// Source: replicate.com/docs/reference/http, "Create a prediction" and "Get a prediction".
import {
  isObject,
  UpstreamError,
  type AttemptContext,
  type Body,
  type FailureClass,
  type JsonObject,
} from '#core'
import { askJson, compact, joinUrl, pause } from '#adapter-kit'

const POLL_MS = 1000
const LONGEST_MS = 600_000

const RATIOS: ReadonlyMap<unknown, string> = new Map([
  ['1024x1024', '1:1'],
  ['1792x1024', '16:9'],
  ['1024x1792', '9:16'],
  ['1536x1024', '3:2'],
  ['1024x1536', '2:3'],
])

/** Fields that OpenAI's clients do not send are the model's own and go into its input as they came. */
export function toPrediction(body: Body, { model }: AttemptContext): Body {
  const { model: _model, n, size, response_format: _format, user: _user, ...own } = body
  const ratio = RATIOS.get(size)
  const version = model.split(':')[1]
  return compact({ version, input: compact({ num_outputs: n, aspect_ratio: ratio, ...own }) })
}

/** @throws UpstreamError when the prediction failed */
export async function fromPrediction(body: unknown, context: AttemptContext): Promise<Body> {
  const done = await finished(isObject(body) ? body : {}, context)
  const { output } = done
  const urls = (Array.isArray(output) ? output : [output]).filter((url) => typeof url === 'string')
  const wantsData = context.clientBody?.['response_format'] === 'b64_json'
  return {
    created: Math.floor(context.now().getTime() / 1000),
    data: await Promise.all(
      urls.map(async (url) => (wantsData ? { b64_json: await base64Of(url, context) } : { url })),
    ),
  }
}

/** `prefer: wait` holds the first answer for a minute; slower models are asked for. */
async function finished(first: JsonObject, context: AttemptContext): Promise<JsonObject> {
  const { channel, http, httpOptions, signal, now } = context
  const endsAtMs = now().getTime() + LONGEST_MS
  let prediction = first
  while (prediction['status'] === 'starting' || prediction['status'] === 'processing') {
    if (now().getTime() > endsAtMs) throw failed('The prediction took too long.', 'timeout')
    await pause(POLL_MS, signal)
    const id = encodeURIComponent(String(prediction['id']))
    prediction = await askJson(
      http,
      {
        url: joinUrl(channel.baseUrl, `/v1/predictions/${id}`),
        headers: { authorization: `Bearer ${channel.key}` },
      },
      httpOptions,
    )
  }
  if (prediction['status'] === 'succeeded') return prediction
  throw failed(reasonOf(prediction))
}

function reasonOf({ error, status }: JsonObject): string {
  if (typeof error === 'string' && error !== '') return error
  return typeof status === 'string'
    ? `The prediction ended as ${status}.`
    : 'The answer of Replicate was no prediction.'
}

function failed(message: string, failureClass?: FailureClass): UpstreamError {
  return new UpstreamError(
    { status: 200, message, code: 'prediction_failed', isKnownShape: true },
    failureClass,
  )
}

async function base64Of(url: string, { fetchFile }: AttemptContext): Promise<string> {
  const { data } = await fetchFile(url)
  return Buffer.from(data).toString('base64')
}
