// What several operations have in common.
import type { CallOperation } from '../../contract/adapter.ts'

export function isOfPictures(operation: CallOperation): boolean {
  return operation.startsWith('images.')
}

/** Sound in, text out. */
export function isOfTranscripts(operation: CallOperation): boolean {
  return operation === 'audio.transcriptions' || operation === 'audio.translations'
}

export function isOfMedia(operation: CallOperation): boolean {
  return isOfPictures(operation) || operation.startsWith('audio.')
}
