import { fieldRule, nameLength, type Texts } from '#console'

export function usernameRule(t: Texts) {
  return fieldRule<string>((value) =>
    Array.from(value ?? '').length > nameLength.max ? t('help.username') : undefined,
  )
}
