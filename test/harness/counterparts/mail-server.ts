// A mail server on a local port (npm smtp-server) that keeps the mails it receives.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Letter {
  to: string[]
  subject: string
  /** The decoded text. */
  html: string
}

export interface MailServer {
  /** The mail options for sending through this server. */
  readonly options: Readonly<Record<string, string>>
  readonly letters: readonly Letter[]
  /** Returns the next mail to that address that has not been returned yet, and waits for it if necessary. */
  next(to: string): Promise<Letter>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const letters: Letter[] = []
  const untaken: Letter[] = []
  let waiting: { to: string; take: (letter: Letter) => void }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const letter = read(
          raw,
          session.envelope.rcptTo.map(({ address }) => address),
        )
        letters.push(letter)
        const taker = waiting.find(({ to }) => letter.to.includes(to))
        waiting = waiting.filter((one) => one !== taker)
        if (taker) taker.take(letter)
        else untaken.push(letter)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    options: {
      SMTPServer: '127.0.0.1',
      SMTPPort: String((server.server.address() as AddressInfo).port),
      SMTPFrom: 'noreply@gate.test',
    },
    letters,
    next: (to) => {
      const at = untaken.findIndex((letter) => letter.to.includes(to))
      const [found] = at < 0 ? [] : untaken.splice(at, 1)
      if (found) return Promise.resolve(found)
      return new Promise((take) => waiting.push({ to, take }))
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function read(raw: string, to: string[]): Letter {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const header = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)?.[1] ?? ''
  const html = Buffer.from(body.join('\r\n\r\n'), 'base64').toString()
  return { to, subject: decodeWords(header), html }
}

/** RFC 2047: a sender splits a long text into several encoded words. */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?b\?([^?]*)\?=/gi, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    )
    .replaceAll(/=\?utf-8\?q\?([^?]*)\?=/gi, (_, word: string) =>
      decodeURIComponent(word.replaceAll('_', ' ').replaceAll('=', '%')),
    )
}
