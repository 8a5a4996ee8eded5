import { errorType } from './errors.ts'

/** Controls, among them those that turn the direction of writing, and what has no width. Joiners and selectors of variants stay: emoji and some
 *  scripts are written with them. */
const UNSEEN =
  /(?![\p{Join_Control}\p{Variation_Selector}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const unseenCharacter = errorType('request.unseen_character', 400, {
  en: 'The name contains a character that cannot be seen or that turns the text around. Type it anew instead of pasting it.',
  zh: '名称包含不可见或会改变文字方向的字符，请手动输入，不要粘贴。',
})

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text)
}

/** For the names of things: one with such a character looks like another, or changes the look of what stands beside it.
 *  @throws request.unseen_character */
export function requireSeen(name: string, field: string): string {
  if (hasUnseen(name)) throw unseenCharacter({}, { field })
  return name
}
