// Replicate: images by predictions, which are asked for until they are done. Source: replicate.com/docs/reference/http.
import { defineAdapter, type AttemptContext, type Endpoint } from '#core'
import { joinUrl } from '#adapter-kit'
import { fromPrediction, toPrediction } from './predictions.ts'

export default defineAdapter({
  id: 'replicate',
  // The model project's own number, so that its databases can be imported.
  channelTypes: { 56: 'Replicate' },
  baseUrl: 'https://api.replicate.com',
  // Names as of the provider's catalogue (unconfirmed), without Imagen, which Google shut down everywhere in August 2026
  // (firebase.google.com/docs/ai-logic/imagen-models-migration).
  models: [
    'black-forest-labs/flux-schnell',
    'black-forest-labs/flux-dev',
    'black-forest-labs/flux-1.1-pro',
    'ideogram-ai/ideogram-v3-turbo',
  ],
  mark: 'replicate',
  picker: { section: 'media', aliases: ['Flux', 'drawing', '绘图', 'image', '图片'] },
  summary: 'Image models of many makers on Replicate, by owner/name.',
  // Each model names its fields in its own way; these are the makers' usual names.
  countFields: ['num_outputs', 'num_images', 'number_of_images', 'batch_size', 'max_images'],
  operations: {
    'images.generations': {
      endpoint,
      body: toPrediction,
      answer: fromPrediction,
    },
  },
  // The words of the models' own safety filters.
  classify: ({ message }) =>
    /nsfw|safety|flagged as sensitive/i.test(message) ? 'content' : undefined,
})

/** A name with a version behind a colon is a prediction of its own. */
function endpoint({ channel, model }: AttemptContext): Endpoint {
  const path = model.includes(':') ? 'predictions' : `models/${model}/predictions`
  return {
    url: joinUrl(channel.baseUrl, `/v1/${path}`),
    headers: { authorization: `Bearer ${channel.key}`, prefer: 'wait' },
  }
}
