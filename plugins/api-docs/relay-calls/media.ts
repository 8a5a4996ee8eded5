import {
  any,
  list,
  model,
  number,
  object,
  type RelayCall,
  text,
  whole,
  withExample,
} from './call.ts'

const pictures = object({
  created: whole(),
  data: list(object({ url: text(), b64_json: text(), revised_prompt: text() })),
  usage: any(),
})

const sound = { type: 'string', format: 'binary' }

const transcription: RelayCall = {
  summary: 'Write down what is said',
  description: 'A form (multipart/form-data). The file stays within the limit of the gateway.',
  isForm: true,
  body: object(
    {
      model,
      file: sound,
      language: text(),
      prompt: text(),
      response_format: text('json, text, srt, verbose_json or vtt'),
      temperature: number(),
    },
    ['file'],
  ),
  answer: object({ text: text() }),
}

const rerank: RelayCall = {
  summary: 'Sort documents by how well they answer a query',
  body: withExample(
    object(
      {
        model,
        query: text(),
        documents: list(any('A text or an object with `text`.')),
        top_n: whole(),
      },
      ['model', 'query', 'documents'],
    ),
    { model: 'jina-reranker-v2', query: 'capital of France', documents: ['Paris', 'Berlin'] },
  ),
  answer: object({
    results: list(object({ index: whole(), relevance_score: number(), document: any() })),
    usage: any(),
  }),
}

/** The calls by method and path of the route. */
export const mediaCalls: Readonly<Record<string, RelayCall>> = {
  'POST /v1/images/generations': {
    summary: 'Draw pictures',
    body: withExample(
      object(
        {
          model,
          prompt: text(),
          n: whole(),
          size: text('e.g. 1024x1024'),
          quality: text(),
          response_format: text('url or b64_json'),
        },
        ['prompt'],
      ),
      { model: 'gpt-image-2', prompt: 'A lighthouse at dusk', size: '1024x1024' },
    ),
    answer: pictures,
  },
  'POST /v1/images/edits': {
    summary: 'Change pictures',
    description: 'A form (multipart/form-data).',
    isForm: true,
    body: object({ model, prompt: text(), image: sound, mask: sound, n: whole(), size: text() }, [
      'prompt',
      'image',
    ]),
    answer: pictures,
  },
  'POST /v1/audio/speech': {
    summary: 'Read a text aloud',
    description: 'The answer is the sound itself.',
    body: withExample(
      object(
        {
          model,
          input: text(),
          voice: text(),
          response_format: text('mp3, wav …'),
          speed: number(),
        },
        ['input'],
      ),
      { model: 'tts-1', input: 'Hello', voice: 'alloy' },
    ),
  },
  'POST /v1/audio/transcriptions': transcription,
  'POST /v1/audio/translations': {
    ...transcription,
    summary: 'Write down in English what is said',
  },
  'POST /v1/rerank': rerank,
  'POST /v2/rerank': rerank,
  'GET /v1/realtime': {
    summary: 'Talk in real time (WebSocket)',
    description:
      'Not HTTP: open a WebSocket at `/v1/realtime?model=…`. Browsers name the key in the subprotocol `openai-insecure-api-key.<key>`. For transcripts alone `?intent=transcription`; the first `session.update` names the model.',
  },
  'GET /v1/realtime/translations': {
    summary: 'Have speech translated in real time (WebSocket)',
    description: 'Not HTTP: open a WebSocket at `/v1/realtime/translations?model=…`.',
  },
  'GET /v1/live/sessions': {
    summary: 'Talk at any time (WebSocket)',
    description:
      'Not HTTP: open a WebSocket; the first message, `session.start`, names the model. Charged by the second, and for the work that the session delegates to another model.',
  },
  'GET /ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent': {
    summary: 'Talk with Gemini in real time (WebSocket)',
    description:
      'Not HTTP: open a WebSocket with `?key=…`; the first message, `setup`, names the model. Clients of `v1` and `v1alpha` are served too.',
  },
}
