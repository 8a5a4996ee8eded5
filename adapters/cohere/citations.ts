// Documents to be cited and the citations of them. Source: docs.cohere.com/docs/rag-citations and /docs/tool-use-citations.
import {
  type ChatEvent,
  type ChatRequest,
  isObject,
  type JsonObject,
  type Part,
  type PartOf,
} from '#core'
import { compact, documentCitation, urlCitation } from '#adapter-kit'

/** The text that a citation shows if the cited words do not occur in the document: its beginning. */
const EXCERPT_CHARACTERS = 200
/** Longer documents are not searched for each citation: the work would be their length times the citations. */
const LONGEST_SEARCHED = 100_000

export interface CitedDocument {
  part: PartOf<'file'>
  index: number
  title: string | undefined
  text: string
}

/** Texts that the client wants cited. Beside tools, and in a turn that says nothing else, they stay text of the conversation. */
export function citedDocuments({ tools, turns }: ChatRequest): CitedDocument[] {
  if (tools.length > 0) return []
  return turns.flatMap(({ parts }) =>
    parts.some((part) => part.kind !== 'file') ? parts.flatMap(documentOf) : [],
  )
}

function documentOf(part: Part): CitedDocument[] {
  if (part.kind !== 'file' || part.cited === undefined || part.source.type !== 'text') return []
  return [{ part, index: part.cited.index, title: part.name, text: part.source.text }]
}

export function toDocuments(documents: readonly CitedDocument[]): JsonObject[] | undefined {
  if (documents.length === 0) return undefined
  return documents.map((document) => ({
    id: idOf(document),
    data: compact({ title: document.title, snippet: document.text }),
  }))
}

function idOf({ index }: CitedDocument): string {
  return `doc_${index}`
}

/** Reads one citation: a place in a document of the request, or the page that a document or the result of a tool names. Sources that are
 *  neither have no word in any client's dialect. */
export function citationReader(request: ChatRequest): (citation: JsonObject) => ChatEvent[] {
  const documents = new Map(citedDocuments(request).map((document) => [idOf(document), document]))
  return (citation) => {
    // Plans and thoughts are cited too; their clients see them as thoughts, which carry no citations.
    if (citation.type === 'PLAN' || citation.type === 'THINKING_CONTENT') return []
    const sources: unknown[] = Array.isArray(citation.sources) ? citation.sources : []
    return sources.filter(isObject).flatMap((source): ChatEvent[] => {
      const document = typeof source.id === 'string' ? documents.get(source.id) : undefined
      const found = document ? inDocument(document, citation) : onPage(source, citation)
      return found === undefined ? [] : [{ type: 'citation', citation: found }]
    })
  }
}

/** Cohere tells which words of the answer rest on a document, not where in it they stand. */
function inDocument({ index, title, text }: CitedDocument, citation: JsonObject): JsonObject {
  const words = typeof citation.text === 'string' ? citation.text : ''
  const at = words === '' || text.length > LONGEST_SEARCHED ? -1 : text.indexOf(words)
  return documentCitation({
    index,
    ...(title === undefined ? {} : { title }),
    ...(at < 0
      ? { text: text.slice(0, EXCERPT_CHARACTERS), start: 0, end: text.length }
      : { text: words, start: at, end: at + words.length }),
  })
}

function onPage(source: JsonObject, { start, end }: JsonObject): JsonObject | undefined {
  const held = isObject(source.document) ? source.document : source.tool_output
  if (!isObject(held) || typeof held.url !== 'string') return undefined
  return urlCitation({
    url: held.url,
    title: typeof held.title === 'string' ? held.title : '',
    start: typeof start === 'number' ? start : 0,
    end: typeof end === 'number' ? end : 0,
  })
}
