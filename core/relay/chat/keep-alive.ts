import type { OptionReader } from '../../contract/adapter.ts'
import type { ClientStream } from './client-stream.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { ChatDeps } from '../call/relay-deps.ts'
import { clientStreamOf, pingOf } from './client-stream-format.ts'

export interface KeepAlive {
  /** Called whenever output was written. */
  wrote(): void
  stop(): void
}

const off: KeepAlive = Object.freeze({ wrote: () => undefined, stop: () => undefined })

/** A streamed call that has no output after this time gets its headers and a ping, whatever it waits for. From then on
 *  a failure can only be sent as an error event. */
const FIRST_PING_MS = 15_000

/** Writes a comment block after each silent interval, when the option is on. */
export function startKeepAlive(
  stream: ClientStream,
  { startedAtMs }: Pick<RelayCall, 'startedAtMs'>,
  ping: string,
  options: OptionReader,
): KeepAlive {
  if (!options.get<boolean>('general_setting.ping_interval_enabled')) return off
  const intervalMs = options.get<number>('general_setting.ping_interval_seconds') * 1000
  let lastMs = performance.now()
  const beat = () => {
    if (stream.hasStarted && performance.now() - lastMs >= intervalMs) {
      lastMs = performance.now()
      void stream.write(ping)
    }
  }
  const first = setTimeout(
    () => {
      if (stream.hasStarted) return
      stream.start()
      lastMs = performance.now()
      void stream.write(ping)
    },
    Math.max(0, FIRST_PING_MS - (performance.now() - startedAtMs)),
  )
  const timer = setInterval(beat, Math.min(intervalMs, 1000))
  return {
    wrote: () => void (lastMs = performance.now()),
    stop: () => {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}

/** Keeps a streaming client's connection alive while the upstream has not answered. */
export async function withKeepAlive<T>(
  call: RelayCall,
  deps: Pick<ChatDeps, 'options' | 'settings'>,
  ask: () => Promise<T>,
): Promise<T> {
  if (!call.isStream) return ask()
  const waiting = startKeepAlive(
    clientStreamOf(call, deps.settings),
    call,
    pingOf(call),
    deps.options,
  )
  try {
    return await ask()
  } finally {
    waiting.stop()
  }
}
