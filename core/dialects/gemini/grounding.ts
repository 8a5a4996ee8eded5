// Google's grounding metadata: one list of sources, and another with the spans of the answer that they support.
import type { ChatEvent } from '../../contract/neutral.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { pagePlace, type PagePlace, urlCitation } from '../neutral/citations.ts'
import { bytesBefore, charSlice, placeOf } from '../neutral/text-places.ts'
import type { CandidateState } from './read-candidate.ts'

/** Limited, because each one is searched for in the answer. */
const MOST_SUPPORTS = 200

type Source = Pick<PagePlace, 'url' | 'title'>

/** Google's sources as citations: each once, or once for each span that it supports. */
export function citationEvents(
  candidate: JsonObject,
  state: CandidateState,
  choice = 0,
): ChatEvent[] {
  const grounding = isObject(candidate.groundingMetadata) ? candidate.groundingMetadata : undefined
  if (grounding === undefined) return []
  for (const query of queriesOf(grounding)) state.queries.add(query)
  const chunks = objectsIn(grounding.groundingChunks)
  if (chunks.some(({ maps }) => isObject(maps))) state.hasPlaces = true
  const sources = chunks.map(sourceOf)
  const text = state.texts?.get(choice)
  const spans = text === undefined ? [] : spansOf(grounding, sources, text)
  const bare = sources.flatMap((source): PagePlace[] => {
    if (source === undefined || spans.some(({ url }) => url === source.url)) return []
    return [{ ...source, start: 0, end: 0 }]
  })
  return [...spans, ...bare].flatMap((place): ChatEvent[] => {
    const isBare = place.end === 0
    const key = isBare ? place.url : `${place.start} ${place.end} ${place.url}`
    if (state.cited.has(key)) return []
    state.cited.add(key).add(place.url)
    return [{ type: 'citation', citation: urlCitation(place) }]
  })
}

/** Empty queries are not charged (ai.google.dev, grounding with Google Search). */
function queriesOf({ webSearchQueries, imageSearchQueries }: JsonObject): string[] {
  return [webSearchQueries, imageSearchQueries]
    .flatMap((queries): unknown[] => (Array.isArray(queries) ? queries : []))
    .map(asText)
    .filter((query) => query !== '')
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map((entry) => (isObject(entry) ? entry : {})) : []
}

/** A web page, a place on a map, or a document of a store. */
function sourceOf(chunk: JsonObject): Source | undefined {
  const source = [chunk.web, chunk.maps, chunk.retrievedContext].find(isObject)
  const url = asText(source?.uri)
  return url === '' ? undefined : { url, title: asText(source?.title) }
}

function spansOf(
  { groundingSupports }: JsonObject,
  sources: readonly (Source | undefined)[],
  text: string,
): PagePlace[] {
  return objectsIn(groundingSupports)
    .slice(0, MOST_SUPPORTS)
    .flatMap(({ segment, groundingChunkIndices: indices }) => {
      const { text: piece, startIndex } = isObject(segment) ? segment : {}
      const about = typeof startIndex === 'number' ? startIndex : 0
      const place = placeOf(text, asText(piece), about)
      if (place === undefined || !Array.isArray(indices)) return []
      return indices.flatMap((index) => {
        const source = typeof index === 'number' ? sources[index] : undefined
        return source === undefined ? [] : [{ ...source, ...place }]
      })
    })
}

/** The reverse; `text` is the answer, if it is known. */
export function groundingOf(citations: readonly JsonObject[], text = ''): JsonObject {
  const places = citations.flatMap((citation) => pagePlace(citation) ?? [])
  if (places.length === 0) return {}
  const urls = [...new Set(places.map(({ url }) => url))]
  const groundingChunks = urls.map((url) => ({
    web: { uri: url, title: places.find((place) => place.url === url)?.title ?? '' },
  }))
  const placed = places.filter(
    ({ start, end }) => end > start && charSlice(text, start, end) !== '',
  )
  const groundingSupports = placed.slice(0, MOST_SUPPORTS).map(({ url, start, end }) => ({
    segment: {
      startIndex: bytesBefore(text, start),
      endIndex: bytesBefore(text, end),
      text: charSlice(text, start, end),
    },
    groundingChunkIndices: [urls.indexOf(url)],
  }))
  return {
    groundingMetadata: {
      groundingChunks,
      ...(groundingSupports.length === 0 ? {} : { groundingSupports }),
    },
  }
}
