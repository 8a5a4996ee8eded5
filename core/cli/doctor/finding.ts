/** What a check found. A warning is worth a look; with a fault the gateway does not start, or does not serve. */
export interface Finding {
  level: 'ok' | 'warning' | 'fault'
  subject: string
  /** What is so and, unless it is in order, what to do. */
  text: string
}

export const ok = (subject: string, text: string): Finding => ({ level: 'ok', subject, text })
export const warning = (subject: string, text: string): Finding => ({
  level: 'warning',
  subject,
  text,
})
export const fault = (subject: string, text: string): Finding => ({ level: 'fault', subject, text })
