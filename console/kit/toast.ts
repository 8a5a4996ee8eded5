import { Message } from '@arco-design/web-react'
import { createElement } from 'react'
import { useTexts } from '../texts/use-texts.ts'

type Content = string | (() => string)

/** Short messages at the top of the window, which screen readers announce and which disappear by themselves. */
export const toast = {
  success: (content: Content, topic?: string) => show('success', content, topic),
  error: (content: Content, topic?: string) => show('error', content, topic),
  warning: (content: Content, topic?: string) => show('warning', content, topic),
  info: (content: Content, topic?: string) => show('info', content, topic),
  /** Of work that may take long: stays until the result is told with the same topic. */
  running: (content: Content, topic: string) => show('info', content, topic, 0),
}

const shortMs = 3_000
const errorMs = 5_000

/** @param content a function says it in the language that is shown
 *  @param topic a message takes the place of the one before it with the same topic, as a result that of "Testing …". Without it the text
 *  counts, so that the same message is not stacked. */
function show(
  kind: 'success' | 'error' | 'warning' | 'info',
  content: Content,
  topic = `${kind}:${typeof content === 'string' ? content : content()}`,
  duration = kind === 'error' ? errorMs : shortMs,
): void {
  const words = typeof content === 'string' ? content : createElement(Words, { say: content })
  Message[kind]({ content: words, id: topic, duration })
}

function Words({ say }: { say: () => string }) {
  useTexts()
  return say()
}
