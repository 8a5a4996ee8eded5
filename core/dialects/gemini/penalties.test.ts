import { expect, it } from 'vitest'
import { buildRequest } from './build-request.ts'

function built(upstreamModel: string, presencePenalty: number) {
  const dropped: string[] = []
  const body = buildRequest(
    {
      model: 'm',
      system: [],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
      tools: [],
      hostedTools: [],
      presencePenalty,
      stream: false,
      includeUsage: false,
    },
    { upstreamModel, dropped, option: () => undefined as never },
  )
  return {
    penalty: (body['generationConfig'] as { presencePenalty?: number })?.presencePenalty,
    dropped,
  }
}

it.each(['gemini-1.5-pro-002', 'models/gemini-2.0-flash'])('reach %s', (model) => {
  expect(built(model, 0.5)).toEqual({ penalty: 0.5, dropped: [] })
})

it.each(['gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-flash-latest', 'gemma-3-27b-it'])(
  'are left out and told for %s, which would refuse the call',
  (model) => {
    expect(built(model, 0.5)).toEqual({ penalty: undefined, dropped: ['presence_penalty'] })
    // As many programs send it: nothing is lost.
    expect(built(model, 0)).toEqual({ penalty: undefined, dropped: [] })
  },
)
