import { EventEmitter } from 'eventemitter3'
import type { EventBus, Events } from '../contract/events.ts'
import type { Logger } from '../contract/services.ts'

/** Events only tell: a listener that throws or rejects is logged with its owner and affects neither the sender nor other listeners. */
export function createEventBus(log: Logger): EventBus & { listenerCount(): number } {
  const emitter = new EventEmitter()

  function guarded<K extends keyof Events>(
    name: K,
    listener: (payload: Events[K]) => void | Promise<void>,
    owner: string,
  ) {
    const blame = (error: unknown) =>
      log.error({ err: error, event: name, plugin: owner }, 'an event listener failed')
    return (payload: Events[K]) => {
      try {
        const outcome = listener(payload)
        if (outcome instanceof Promise) outcome.catch(blame)
      } catch (error) {
        blame(error)
      }
    }
  }

  return {
    emit(name, payload) {
      emitter.emit(name, payload)
    },
    on(name, listener, owner = 'core') {
      const wrapped = guarded(name, listener, owner)
      emitter.on(name, wrapped)
      return () => void emitter.off(name, wrapped)
    },
    listenerCount() {
      return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
    },
  }
}
