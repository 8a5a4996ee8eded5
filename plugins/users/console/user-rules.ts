import type { Texts } from '#console'

type Answer = (fault?: string) => void

const longestName = 64
const shortestPassword = 8
const longestPassword = 128

export function usernameRule(t: Texts) {
  return {
    validator: (value: string | undefined, answer: Answer) =>
      answer(Array.from(value ?? '').length > longestName ? t('help.username') : undefined),
  }
}

/** Empty is allowed here: where a password is needed, the field says so itself. */
export function passwordRule(t: Texts) {
  return {
    validator: (value: string | undefined, answer: Answer) => {
      const { length } = Array.from(value ?? '')
      const isSound = length === 0 || (length >= shortestPassword && length <= longestPassword)
      answer(isSound ? undefined : t('fault.password'))
    },
  }
}
