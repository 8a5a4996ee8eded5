import type { KeyboardEvent } from 'react'

/** Whether the key belongs to a word of an input method (IME). Safari ends the word before it reports the key that
 *  confirmed it, and then tells it only by the code 229. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}
