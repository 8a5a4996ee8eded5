// Passkeys from the browser's side: begin at the server, ask the browser, hand its answer back.
import { api } from '../api/client.ts'
import { toast } from '../kit/toast.ts'
import { textsOf } from '../texts/use-texts.ts'

/** Browsers know them over https and on localhost only. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window
}

export interface PasskeyQuestion {
  /** Addresses of the two calls. */
  begin: string
  finish: string
  beginBody?: object
  /** The browser offers them in the field for the name, and nothing is said when nobody takes one. */
  isAutofill?: boolean
}

/** @returns the answer of `finish`; undefined if the person cancelled, which a message has said */
export async function askPasskey<T>(question: PasskeyQuestion): Promise<T | undefined> {
  const { begin, finish, beginBody = {}, isAutofill = false } = question
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { options } = await api.post<{
    options: { publicKey: Parameters<typeof startAuthentication>[0]['optionsJSON'] }
  }>(begin, beginBody, { isQuiet: isAutofill })
  const answer = await answerOf(
    () =>
      startAuthentication({
        optionsJSON: options.publicKey,
        useBrowserAutofill: isAutofill,
        verifyBrowserAutofillInput: false,
      }),
    isAutofill,
  )
  return answer && api.post<T>(finish, answer)
}

/** A new passkey of the signed-in user under a name; undefined when the person turned away. */
export async function createPasskey<T>(name: () => Promise<string>): Promise<T | undefined> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { options } = await api.post<{
    options: { publicKey: Parameters<typeof startRegistration>[0]['optionsJSON'] }
  }>('/api/user/passkey/register/begin', {})
  const made = await answerOf(() => startRegistration({ optionsJSON: options.publicKey }), false)
  if (!made) return undefined
  return api.post<T>('/api/user/passkey/register/finish', { ...made, name: await name() })
}

/** Ends what the browser is asking, if it is. */
export async function stopAskingPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

const sentences: Readonly<Record<string, string>> = {
  NotAllowedError: 'passkey.turnedAway',
  InvalidStateError: 'passkey.present',
  SecurityError: 'passkey.wrongPlace',
}

async function answerOf<T>(ask: () => Promise<T>, isQuiet: boolean): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    // Another question took its place, or the page was left.
    if (!(error instanceof Error) || isQuiet || error.name === 'AbortError') return undefined
    const t = textsOf()
    const key = sentences[error.name]
    if (error.name === 'NotAllowedError') toast.info(t('passkey.turnedAway'))
    else toast.error(key ? t(key) : t('error.other', { message: error.message }))
    return undefined
  }
}
