import type { AttemptContext, Endpoint, Operations } from '../../contract/adapter.ts'
import { fromImageGeneration, toImageGeneration } from './image-generation.ts'
import { fromImagen, toImagen } from './imagen.ts'
import { fromGeminiSpeech, toGeminiSpeech } from './speech.ts'

/** Pictures of Imagen and of Gemini's models, and their speech, for upstreams that name Google's methods in the address. */
export function geminiMedia(
  endpoint: (method: 'predict' | 'generateContent', context: AttemptContext) => Endpoint,
): Pick<Operations, 'images.generations' | 'audio.speech'> {
  return {
    'images.generations': {
      endpoint: (context) =>
        endpoint(isImagen(context.model) ? 'predict' : 'generateContent', context),
      body: (body, { model }) => (isImagen(model) ? toImagen(body) : toImageGeneration(body)),
      answer: (body, { model, now }) => {
        const seconds = Math.floor(now().getTime() / 1000)
        return isImagen(model) ? fromImagen(body, seconds) : fromImageGeneration(body, seconds)
      },
    },
    'audio.speech': {
      endpoint: (context) => endpoint('generateContent', context),
      body: toGeminiSpeech,
      answer: (body, { clientBody }) => fromGeminiSpeech(body, clientBody),
    },
  }
}

function isImagen(model: string): boolean {
  return model.startsWith('imagen')
}
