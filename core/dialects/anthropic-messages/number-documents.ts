import type { Part, PartOf, Turn } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'

interface DocumentBlock {
  isCited: boolean
  /** Documents made of blocks become texts in the neutral form. */
  isFile: boolean
  /** Files that are put into a container are not documents. */
  isDocument: boolean
}

/** Marks the documents that the client wants cited with their number among all documents of the request. Answers refer to them by it. */
export function numberDocuments(messages: unknown, turns: readonly Turn[]): void {
  const blocks = documentsOf(messages)
  if (!blocks.some(({ isCited }) => isCited)) return
  const files = turns.flatMap(({ parts }) => filesOf(parts))
  let place = 0
  let index = -1
  for (const { isCited, isFile, isDocument } of blocks) {
    if (isDocument) index += 1
    if (!isFile) continue
    const file = files[place]
    place += 1
    if (isCited && file !== undefined) file.cited = { index }
  }
}

/** In the order of the request, those in results of tools included. */
function documentsOf(holders: unknown): DocumentBlock[] {
  if (!Array.isArray(holders)) return []
  return holders.flatMap((holder: unknown): DocumentBlock[] => {
    if (!isObject(holder)) return []
    if (holder.type === 'container_upload') return [upload]
    return holder.type === 'document' ? [blockOf(holder)] : documentsOf(holder.content)
  })
}

const upload: DocumentBlock = { isCited: false, isFile: true, isDocument: false }

function blockOf({ source, citations }: JsonObject): DocumentBlock {
  return {
    isCited: isObject(citations) && citations.enabled === true,
    isFile: isObject(source) && source.type !== 'content',
    isDocument: true,
  }
}

function filesOf(parts: readonly Part[]): PartOf<'file'>[] {
  return parts.flatMap((part) => {
    if (part.kind === 'tool_result') return filesOf(part.content)
    return part.kind === 'file' ? [part] : []
  })
}
