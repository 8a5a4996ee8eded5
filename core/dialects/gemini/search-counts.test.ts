import { describe, expect, it } from 'vitest'
import { parseAnswer } from './parse-answer.ts'
import { GeminiStreamParser } from './parse-stream.ts'
import type { ChatEvent } from '../../contract/neutral.ts'

const grounded = (groundingMetadata: unknown, modelVersion?: string) => ({
  candidates: [
    { content: { parts: [{ text: 'Rain.' }] }, finishReason: 'STOP', groundingMetadata },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  ...(modelVersion === undefined ? {} : { modelVersion }),
})

function searchesIn(events: readonly ChatEvent[]): number | undefined {
  const reported = events.findLast((event) => event.type === 'usage')
  return reported?.type === 'usage' ? reported.usage.toolCalls?.['google_search'] : undefined
}

const several = { webSearchQueries: ['rain?', 'rain tomorrow?', ''], imageSearchQueries: ['cloud'] }

describe('searches of Gemini', () => {
  it.each([
    ['gemini-3.5-flash', several, 3],
    ['models/gemini-3-pro-preview', { webSearchQueries: ['rain?'] }, 1],
    ['gemini-2.5-flash', several, 1],
    [undefined, several, 1],
    ['gemini-3.5-flash', { webSearchQueries: [''], imageSearchQueries: null }, undefined],
    ['gemini-3.5-flash', { webSearchQueries: 'rain?', imageSearchQueries: [7] }, undefined],
  ])('are counted as %s charges for them', (model, grounding, searches) => {
    expect(searchesIn(parseAnswer(grounded(grounding, model)))).toBe(searches)
  })

  it('on Google Maps are one for an answer, beside those on the web', () => {
    const maps = { maps: { uri: 'https://maps.google.com/?cid=1', title: 'Cafe' } }
    const events = parseAnswer(grounded({ groundingChunks: [maps, maps] }, 'gemini-2.5-flash'))
    const reported = events.findLast((event) => event.type === 'usage')
    expect(reported).toMatchObject({ usage: { toolCalls: { google_maps: 1 } } })
    expect(searchesIn(events)).toBe(undefined)
  })

  it('are counted once in a stream whose chunks repeat them', () => {
    const parser = new GeminiStreamParser()
    const events = [['rain?'], ['rain?', 'wind?']].flatMap((webSearchQueries) =>
      parser.read(grounded({ webSearchQueries }, 'gemini-3.5-flash')),
    )
    expect(searchesIn(events)).toBe(2)
  })
})
