// One mail over SMTP. Sources: RFC 5321, RFC 8314 (implicit TLS), RFC 3207 (STARTTLS), RFC 4954 (AUTH).
import type { OptionReader } from '#core'

export interface Mail {
  /** Several receivers are separated by semicolons. */
  to: string
  subject: string
  html: string
}

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte, otherwise STARTTLS. */
  isImplicitTls: boolean
  account: string
  token: string
  from: { name: string; address: string }
}

const IMPLICIT_TLS_PORT = 465
const CONNECT_MS = 10_000
const IDLE_MS = 20_000

/** Undefined as long as no server or no sender is set. */
export function readSettings(options: OptionReader): SmtpSettings | undefined {
  const host = options.get<string>('SMTPServer').trim()
  const account = options.get<string>('SMTPAccount').trim()
  const address = options.get<string>('SMTPFrom').trim() || account
  if (host === '' || !address.includes('@')) return undefined
  const port = options.get<number>('SMTPPort')
  return {
    host,
    port,
    isImplicitTls: port === IMPLICIT_TLS_PORT || options.get<boolean>('SMTPSSLEnabled'),
    account,
    token: options.get<string>('SMTPToken'),
    from: { name: options.get<string>('SystemName'), address },
  }
}

/** @returns the server's last reply. @rejects with nodemailer's error
 *  @param tls for tests: which certificates to trust */
export async function sendBySmtp(
  settings: SmtpSettings,
  { to, subject, html }: Mail,
  tls: object = {},
): Promise<string> {
  const { host, port, isImplicitTls, account, token, from } = settings
  // Loaded with the first mail: few processes send one, and loading would delay the start.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: isImplicitTls,
    // Passwords must not cross a network unencrypted; a relay on this machine may have no certificate.
    requireTLS: !isImplicitTls && token !== '' && !isThisMachine(host),
    ...(token === '' ? {} : { auth: { user: account || from.address, pass: token } }),
    ...(wantsLogin(host, account) ? { authMethod: 'LOGIN' } : {}),
    tls,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const sent = await transport.sendMail({
      from,
      // Objects, because the package reads a text with a comma as a list of addresses.
      to: to
        .split(';')
        .flatMap((one) => (one.trim() === '' ? [] : { name: '', address: one.trim() })),
      subject,
      html,
      textEncoding: 'base64',
    })
    return sent.response
  } finally {
    transport.close()
  }
}

/** Some servers offer PLAIN but accept only LOGIN. */
function wantsLogin(host: string, account: string): boolean {
  return /outlook|onmicrosoft/i.test(account) || host.toLowerCase() === 'smtp.azurecomm.net'
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
