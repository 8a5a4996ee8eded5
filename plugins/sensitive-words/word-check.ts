import { errorType, type OptionService, type Logger, type RelayHook } from '#core'
import { WordMatcher } from './word-matcher.ts'

const wordFound = errorType(
  'sensitive_words.found',
  400,
  {
    en: 'The prompt holds a word that is not allowed here.',
    zh: '提示词包含敏感词，请求被拒绝。',
  },
  { relay: 'sensitive_words_detected' },
)

/** Checks the prompt of every call, in all dialects. The word found is written to the server's log, never to the answer. */
export function createWordCheck(deps: {
  options: Pick<OptionService, 'get'>
  log: Logger
}): RelayHook {
  const { options, log } = deps
  let list = ''
  let matcher = new WordMatcher([])
  /** The option store returns the same string object until the option changes, so the comparison is by reference. */
  const current = (): WordMatcher => {
    const saved = options.get<string>('SensitiveWords')
    if (saved !== list) {
      matcher = new WordMatcher(saved.split('\n'))
      list = saved
    }
    return matcher
  }
  const isOn = () =>
    options.get<boolean>('CheckSensitiveEnabled') &&
    options.get<boolean>('CheckSensitiveOnPromptEnabled')
  return {
    id: 'sensitive-words',
    stage: 'relay.admit',
    onFailure: 'closed',
    applies: () => isOn() && !current().isEmpty,
    run(view) {
      for (const text of view.texts()) {
        const word = matcher.find(text)
        if (word === undefined) continue
        const { requestId, userId, tokenId, model } = view
        log.warn({ requestId, userId, tokenId, model, word }, 'a prompt holds a sensitive word')
        throw wordFound()
      }
    },
  }
}
