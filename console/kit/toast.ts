import { Message } from '@arco-design/web-react'

/** Short messages at the top of the window; read out by screen readers, gone by themselves. */
export const toast = {
  success: (content: string) => show('success', content),
  error: (content: string) => show('error', content),
  warning: (content: string) => show('warning', content),
  info: (content: string) => show('info', content),
}

function show(kind: 'success' | 'error' | 'warning' | 'info', content: string): void {
  // The same sentence twice at once is noise: one id a sentence replaces instead of stacking.
  Message[kind]({ content, id: `${kind}:${content}`, duration: kind === 'error' ? 5000 : 3000 })
}
