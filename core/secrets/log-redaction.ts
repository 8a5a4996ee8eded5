import { logType } from '../contract/constants.ts'
import type { LogRow } from '../contract/services.ts'
import { redactorOf, withoutShapes, type Redactor } from './redact.ts'

const none: readonly string[] = []

/** The last check before something is stored: every log row and every line of the process log passes here. */
export class LogRedaction {
  #secretsOf: (channelId: number) => readonly string[] | undefined = () => undefined

  /** Sets how the keys and other secrets of a channel are found, once the channels are loaded. */
  useChannels(secretsOf: (channelId: number) => readonly string[] | undefined): void {
    this.#secretsOf = secretsOf
  }

  of(channelId: number): Redactor {
    return redactorOf(this.#secretsOf(channelId) ?? none)
  }

  /** Rows of consumption are written for each call and contain hardly any text of the upstream, so they are searched
   *  for the keys of their channel only. All other rows are also searched for texts shaped like keys. */
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

  /** A line that names a channel may quote its upstream. */
  line(line: string): string {
    const named = /"channelId":(\d{1,15})/.exec(line)
    return withoutShapes(named ? this.of(Number(named[1])).known(line) : line)
  }
}
