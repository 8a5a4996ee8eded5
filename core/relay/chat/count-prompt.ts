import {
  countChatPrompt,
  countInput,
  countRerank,
  countSpeech,
} from '../../billing/counting/prompt-tokens.ts'
import { neutralOf, type NeutralCall } from './prepare-chat.ts'
import { fieldOf } from '../charge/price-call.ts'
import type { RelaySettings } from '../call/relay-deps.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** A call whose prompt can be counted. */
export type CountedCall = NeutralCall & Pick<RelayCall, 'form'>

/** A body that was passed on may hold what only its own upstream can read: it is counted as the text that it is. */
function countChat(call: CountedCall, readsImages: boolean): number {
  try {
    return countChatPrompt(neutralOf(call), call.requestedModel, { readsImages })
  } catch {
    return countInput(JSON.stringify(call.body ?? {}), call.requestedModel)
  }
}

/** Prompt tokens by our own count: for answers whose upstream reports none. */
export function countPrompt(call: CountedCall, settings?: RelaySettings): number {
  const readsImages =
    settings === undefined ||
    (settings.readsImages && (call.isStream || settings.readsImagesOfWholeAnswers))
  const body = call.body ?? {}
  switch (call.operation) {
    case 'chat':
    case 'count_tokens':
    case 'responses.compact':
      return countChat(call, readsImages)
    case 'completions':
      return (
        countInput(body['prompt'], call.requestedModel) +
        countInput(body['suffix'], call.requestedModel)
      )
    case 'embeddings':
    case 'moderations':
      return countInput(body['input'], call.requestedModel)
    case 'rerank':
      return countRerank(
        fieldOf(call, 'query') ?? '',
        Array.isArray(body['documents']) ? body['documents'] : [],
        call.requestedModel,
      )
    case 'audio.speech':
      return countSpeech(fieldOf(call, 'input') ?? '', call.requestedModel)
    case 'images.generations':
    case 'images.edits':
      return countInput(body['prompt'], call.requestedModel)
    default:
      return 0
  }
}
