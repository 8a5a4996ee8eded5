import { Message } from '@arco-design/web-react'

/** Short messages at the top of the window, which screen readers announce and which disappear by themselves. */
export const toast = {
  success: (content: string) => show('success', content),
  error: (content: string) => show('error', content),
  warning: (content: string) => show('warning', content),
  info: (content: string) => show('info', content),
}

function show(kind: 'success' | 'error' | 'warning' | 'info', content: string): void {
  // The text is the id, so that the same message replaces itself instead of being stacked.
  Message[kind]({ content, id: `${kind}:${content}`, duration: kind === 'error' ? 5000 : 3000 })
}
