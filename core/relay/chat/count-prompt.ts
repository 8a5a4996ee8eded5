import {
  countChatPrompt,
  countInput,
  countRerank,
  countSpeech,
} from '../../billing/counting/prompt-tokens.ts'
import { neutralOf, type NeutralCall } from './prepare/prepare-chat.ts'
import { fieldOf } from '../charge/price-call.ts'
import type { RelaySettings } from '../call/relay-deps.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** What a call needs so that its prompt can be counted. */
export type CountedCall = NeutralCall & Pick<RelayCall, 'form'>

/** Counts a chat. If the body cannot be read into the neutral form (it was passed through to an upstream that
 *  understands it), its raw text is counted. */
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
    case 'responses.input_tokens':
    case 'gemini.count_tokens':
      return countChat(call, readsImages)
    case 'completions':
      return (
        countInput(body['prompt'], call.requestedModel) +
        countInput(body['suffix'], call.requestedModel)
      )
    case 'embeddings':
    case 'moderations':
      return countInput(body['input'], call.requestedModel)
    case 'decisions':
      return (
        countInput(body['input'], call.requestedModel) +
        countInput(body['questions'], call.requestedModel)
      )
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
