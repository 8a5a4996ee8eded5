import type { Language } from '../stores/preferences.ts'

/** Chinese leaves room around Latin letters and none around its own; its sentences leave it to the name. */
export function nameInSentence(name: string, language: Language): string {
  if (language !== 'zh') return name
  const isLatin = (letter: string) => /[!-~]/.test(letter)
  const before = isLatin(name.slice(0, 1)) ? ' ' : ''
  const after = isLatin(name.slice(-1)) ? ' ' : ''
  return before + name + after
}
