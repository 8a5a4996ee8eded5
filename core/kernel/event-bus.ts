import { EventEmitter } from 'eventemitter3'
import type { EventBus, Events } from '../contract/events.ts'
import type { Logger } from '../contract/services.ts'

type Listener = (payload: never) => void | Promise<void>

interface Listening {
  listener: Listener
  owner: string
}

interface Sent<K extends keyof Events> {
  payload: Events[K]
  sender: string | undefined
}

/** Events only tell: a listener that throws or rejects is logged with its owner and affects neither the sender nor other listeners. */
export function createEventBus(log: Logger): EventBus & { listenerCount(): number } {
  const emitter = new EventEmitter()
  // The emitter has one listener for each event, because it copies its list whenever one leaves: a plugin may have thousands.
  const listening = new Map<keyof Events, Set<Listening>>()

  function deliver<K extends keyof Events>(
    event: K,
    { listener, owner }: Listening,
    { payload, sender }: Sent<K>,
  ): void {
    // Core's own events may come from a plugin, and so may what is wrong with them.
    const from = sender === undefined ? {} : { sentBy: sender }
    const blame = (error: unknown) =>
      log.error({ err: error, event, plugin: owner, ...from }, 'an event listener failed')
    try {
      const outcome = listener(payload as never)
      if (outcome instanceof Promise) outcome.catch(blame)
    } catch (error) {
      blame(error)
    }
  }

  function listenersOf<K extends keyof Events>(event: K): Set<Listening> {
    const known = listening.get(event)
    if (known !== undefined) return known
    const listeners = new Set<Listening>()
    listening.set(event, listeners)
    emitter.on(event, (sent: Sent<K>) => {
      // A copy: a listener that is added meanwhile gets the next event.
      for (const one of Array.from(listeners)) deliver(event, one, sent)
    })
    return listeners
  }

  return {
    emit(event, payload, sender) {
      emitter.emit(event, { payload, sender })
    },
    on(event, listener, owner = 'core') {
      const listeners = listenersOf(event)
      const one = { listener, owner }
      listeners.add(one)
      return () => void listeners.delete(one)
    },
    listenerCount() {
      return [...listening.values()].reduce((sum, { size }) => sum + size, 0)
    },
  }
}
