import { Message } from '@arco-design/web-react'

/** Short messages at the top of the window, which screen readers announce and which disappear by themselves. */
export const toast = {
  success: (content: string, topic?: string) => show('success', content, topic),
  error: (content: string, topic?: string) => show('error', content, topic),
  warning: (content: string, topic?: string) => show('warning', content, topic),
  info: (content: string, topic?: string) => show('info', content, topic),
}

/** @param topic a message takes the place of the one before it with the same topic, as a result that of "Testing …". Without it the text
 *  counts, so that the same message is not stacked. */
function show(
  kind: 'success' | 'error' | 'warning' | 'info',
  content: string,
  topic = `${kind}:${content}`,
): void {
  Message[kind]({ content, id: topic, duration: kind === 'error' ? 5000 : 3000 })
}
