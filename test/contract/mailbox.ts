// An SMTP server that keeps what it gets, as text.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  readonly port: number
  /** The newest letter to the address that was not asked for before; waits for it. */
  letterTo(address: string): Promise<string>
  close(): Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  const letters = new Map<string, string[]>()
  const waiting = new Map<string, (letter: string) => void>()
  const keep = (address: string, letter: string): void => {
    const wanted = waiting.get(address)
    waiting.delete(address)
    if (wanted) wanted(letter)
    else letters.set(address, [...(letters.get(address) ?? []), letter])
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        for (const { address } of session.envelope.rcptTo) keep(address, decoded(raw))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    letterTo(address) {
      const found = letters.get(address)?.pop()
      if (found !== undefined) return Promise.resolve(found)
      return new Promise((resolve) => waiting.set(address, resolve))
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Quoted-printable and base64 parts, one after the other. */
function decoded(raw: string): string {
  return raw
    .split(/\r?\n--/)
    .map((part) => {
      const [head = '', ...body] = part.split(/\r?\n\r?\n/)
      const content = body.join('\n\n')
      if (/content-transfer-encoding: base64/i.test(head))
        return Buffer.from(content, 'base64').toString('utf8')
      return content.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    })
    .join('\n')
}
