import { logType } from '../contract/constants.ts'
import type { LogRow } from '../contract/services.ts'
import { redactorOf, withoutShapes, type Redactor } from './redact.ts'

const none: readonly string[] = []

/** The last gate before something is kept: every log row and every line of the process log passes it. */
export class Redaction {
  #keysOf: (channelId: number) => readonly string[] | undefined = () => undefined

  /** The channels hand in their keys once they are there. */
  useChannels(keysOf: (channelId: number) => readonly string[] | undefined): void {
    this.#keysOf = keysOf
  }

  of(channelId: number): Redactor {
    return redactorOf(this.#keysOf(channelId) ?? none)
  }

  /** A row of consumption holds hardly a word of an upstream and is written once a call: it is searched for the keys of
   *  its channel only, every other row also for what looks like a key. */
  row<T extends Partial<LogRow>>(row: T): T {
    const redactor = this.of(row.channel_id ?? 0)
    const redact =
      row.type === logType.consume
        ? redactor.known
        : (text: string) => withoutShapes(redactor.known(text))
    const content = row.content === undefined ? undefined : redact(row.content)
    const other = row.other === undefined ? undefined : redact(row.other)
    if (content === row.content && other === row.other) return row
    return {
      ...row,
      ...(content === undefined ? {} : { content }),
      ...(other === undefined ? {} : { other }),
    }
  }

  /** A line that names a channel may quote that channel's upstream. */
  line(line: string): string {
    const named = /"channelId":(\d{1,15})/.exec(line)
    return withoutShapes(named ? this.of(Number(named[1])).known(line) : line)
  }
}
