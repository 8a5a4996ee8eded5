import { nameLength, type Texts } from '#console'

export function usernameRule(t: Texts) {
  return {
    validator: (value: string | undefined, answer: (fault?: string) => void) =>
      answer(Array.from(value ?? '').length > nameLength.max ? t('help.username') : undefined),
  }
}
