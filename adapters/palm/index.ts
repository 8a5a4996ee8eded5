// PaLM 2, which Google shut down in August 2024: kept for older channels and private mirrors.
import { defineAdapter, type AttemptContext, type FailureClass, type RawFailure } from '#core'
import { codecs, isGoogleKeyRefused } from '#adapter-kit'
import { fromPalm } from './from-palm.ts'
import { toPalm } from './to-palm.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'palm',
  channelTypes: { 11: 'Google PaLM2' },
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: ['PaLM-2'],
  prices,
  mark: 'palm',
  picker: { zh: '谷歌 PaLM 2（已停用）', aliases: ['Bard', '谷歌'] },
  summary: 'PaLM 2 on private mirrors of the withdrawn API.',
  ownedBy: 'google',
  operations: {
    chat: {
      send(request, context) {
        const { baseUrl, key } = context.channel
        return {
          method: 'POST',
          url: `${baseUrl}/v1beta2/models/${upstreamName(context)}:generateMessage`,
          headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
          body: JSON.stringify(toPalm(request, context)),
        }
      },
      readAnswer: fromPalm,
      // The API answers whole; core plays such an answer to a client that asked for a stream.
      streamReader: () => ({ push: () => [], end: () => [], isComplete: false }),
    },
  },
  readError: (status, body) => codecs.gemini.readError(status, body),
  classify,
})

function upstreamName({ model }: AttemptContext): string {
  return model.includes('bison') ? encodeURIComponent(model) : 'chat-bison-001'
}

function classify(failure: RawFailure): FailureClass | undefined {
  return (failure.bodyStatus ?? failure.status) === 403 || isGoogleKeyRefused(failure)
    ? 'invalid-credentials'
    : undefined
}
